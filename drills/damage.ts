import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSpool } from '../src/app/open.ts'
import { readConfig } from '../src/config.ts'
import { addWebhook } from '../src/core/webhooks/webhooks.ts'
import { runCommand } from '../test/support/command.ts'
import { damagePages, pageKinds, type PageKind } from '../test/support/damage.ts'
import { freshDatabase } from '../test/support/databases.ts'
import { mountDisk, type Disk } from '../test/support/disk.ts'
import { findPart } from '../test/support/parts/install.ts'
import { scratchFolder } from '../test/support/parts/scratch.ts'
import { Receiver } from '../test/support/receiver.ts'
import { Serving } from '../test/support/serving.ts'
import { until } from '../test/support/until.ts'
import { must, World } from './damage-world.ts'
import type { Drill, Outcome } from './drill.ts'
import { fillStore } from './store.ts'

interface Case {
  name: string
  /** Part of the short form, which leaves out what other tests cover and what takes long. */
  inShort: boolean
  /** Runs on a separate disk of this size. */
  disk?: string
  /** Returns a short summary of what was observed; throws if a requirement did not hold. */
  run(world: World, mails: number, disk: Disk | null): Promise<string>
}

const pages: Case = {
  name: 'pages overwritten',
  inShort: false,
  async run(world, mails) {
    const backup = join(scratchFolder('backup'), 'good.db')
    {
      await using server = await world.serve()
      await world.mustTake(server, mails)
      const made = await runCommand(world.env, ['backup', backup])
      must(made.code === 0, made.stderr)
      await server.kill()
    }
    damagePages(world.file, Object.keys(pageKinds) as PageKind[])
    {
      await using server = await world.serve()
      await world.isTold(server, /The store is damaged/)
      await world.refusesBackup(join(scratchFolder('backup'), 'bad.db'))
    }
    const began = performance.now()
    const env = { ...world.env, SPOOL_DATA: scratchFolder('restored') }
    const restored = await runCommand(env, ['restore', backup])
    must(restored.code === 0, restored.stderr)
    await using server = await Serving.start(env)
    await world.goesOn(server, began)
    await server.stop()
    world.mustHaveAll(join(env.SPOOL_DATA, 'spool.db'))
    return 'told, backup refused, the one before restored whole'
  },
}

const walAfterCrash: Case = {
  name: 'WAL deleted after a crash',
  inShort: true,
  async run(world, mails) {
    {
      await using server = await world.serve()
      await world.mustTake(server, mails)
      await until('the last event is noted', async () => world.isNoted())
      await server.kill()
    }
    rmSync(`${world.file}-wal`)
    rmSync(`${world.file}-shm`)
    const began = performance.now()
    await using server = await world.serve()
    await world.goesOn(server, began)
    await world.isTold(server, /The store lacks the last \d+ events/)
    await server.stop()
    const lost = world.lost()
    const isOlder = lost.some((subject) => !world.acknowledged.includes(subject))
    must(lost.length <= mails && !isOlder, 'more is lost than was in the deleted file')
    return `told; ${lost.length} mails were nowhere else, nothing older lost`
  },
}

const walInUse: Case = {
  name: 'WAL deleted in use',
  inShort: false,
  async run(world, mails) {
    {
      await using server = await world.serve()
      await world.mustTake(server, mails)
      rmSync(`${world.file}-wal`)
      await world.isTold(server, /spool\.db-wal was deleted/)
      await world.mustTake(server, mails)
      must((await server.stop()) === 0, 'it did not stop in order')
    }
    const began = performance.now()
    await using server = await world.serve()
    await world.goesOn(server, began)
    await world.isReady(server)
    await server.stop()
    world.mustHaveAll()
    return 'told, all there after a restart'
  },
}

const diskFull: Case = {
  name: 'disk full',
  inShort: false,
  disk: '64m',
  async run(world, _mails, disk) {
    const ballast = join(disk!.folder, 'ballast')
    writeFileSync(ballast, Buffer.alloc(8_000_000))
    await using server = await world.serve()
    let said: string | null = null
    while (said === null) said = await world.take(server, 1, 'Words that take up room. '.repeat(4000))
    must(/^4\d\d/.test(said), `a sender is told to give up: ${said}`)
    await world.isTold(server, /The store cannot be written/)
    await world.refusesBackup(join(disk!.folder, 'bad.db'))
    rmSync(ballast)
    await world.goesOn(server, performance.now())
    await world.isReady(server)
    await server.stop()
    world.mustHaveAll()
    return 'told, senders told to come again, no backup without room'
  },
}

const readOnly: Case = {
  name: 'disk read-only',
  inShort: false,
  disk: '64m',
  async run(world, mails, disk) {
    {
      await using server = await world.serve()
      await world.mustTake(server, mails)
      await server.kill()
    }
    disk!.remount('ro')
    const { code, stderr } = await runCommand({ ...world.env, SPOOL_PORT: '0' }, ['serve'])
    must(code === 1 && /read-only/.test(stderr), `it does not tell: ${stderr}`)
    disk!.remount('rw')
    const began = performance.now()
    await using server = await world.serve()
    await world.goesOn(server, began)
    await server.stop()
    world.mustHaveAll()
    return 'told at the start'
  },
}

const clock: Case = {
  name: 'clock an hour ahead, a crash, an hour behind',
  inShort: true,
  async run(world, mails) {
    const library = findPart('faketime')
    if (library === null) return 'not tried without libfaketime'
    await using receiver = await Receiver.start()
    {
      await using spool = await openSpool(readConfig(world.env), 'inline')
      const wanted = {
        url: receiver.url,
        email: 'ada@shop.example',
        types: ['message.received'],
        inboxes: [],
      } as const
      await addWebhook({ ...spool, checkTarget: async (url) => url }, wanted)
    }
    for (const seconds of ['+3600', '-3600']) {
      const began = performance.now()
      await using server = await world.serve({
        SPOOL_WEBHOOK_ALLOW: '127.0.0.1',
        LD_PRELOAD: library,
        FAKETIME: seconds,
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      })
      await world.goesOn(server, began)
      await world.mustTake(server, mails)
      // The process that delivers holds a lease, whose end was set by the previous clock.
      const heard = async (): Promise<boolean> =>
        new Set(receiver.arrivals.map(({ body }) => body.data.messageId)).size === world.acknowledged.length
      await until('webhooks hear of all mail', heard, world.timeout)
      world.pause = Math.max(world.pause, performance.now() - began)
      await server.kill()
    }
    world.mustHaveAll()
    return `${receiver.arrivals.length} webhooks for ${world.acknowledged.length} mails`
  },
}

const cases = [pages, walAfterCrash, walInUse, diskFull, readOnly, clock]
const scales = {
  // Everything takes longer while other tests run.
  short: { messages: 10, mails: 2, timeout: 180_000 },
  whole: { messages: 1_000, mails: 50, timeout: 60_000 },
}

/** Disks fail and fill up, files disappear and clocks are changed, one after the other, each on its own store. */
export const damage: Drill = {
  name: 'damage: pages, WAL, disk and clock',
  hold: 'noticed and told, no damaged backup counts, nothing else lost, mail goes on within 60 s',
  async run(scale): Promise<Outcome> {
    const { messages, mails, timeout } = scales[scale]
    const seen: string[] = []
    let held = true
    for (const { name, run, disk: size, inShort } of cases) {
      if (scale === 'short' && !inShort) continue
      using disk = size === undefined ? null : asDisk(mountDisk(size))
      if (size !== undefined && disk === null) {
        seen.push(`${name}: not tried, only root may mount a small disk`)
        continue
      }
      await using database = await freshDatabase('sqlite')
      if (disk) database.env['SPOOL_DATA'] = disk.folder
      await fillStore(database, messages)
      const world = new World(database.env, timeout, messages)
      const told = await run(world, mails, disk).catch((error: Error) => error)
      held &&= !(told instanceof Error)
      seen.push(
        told instanceof Error
          ? `${name}: ${told.message}`
          : `${name}: ${told}, mail after ${(world.pause / 1000).toFixed(1)} s`,
      )
    }
    return { held, figure: seen.join('; ') }
  },
}

function asDisk(mounted: Disk | string): Disk | null {
  return typeof mounted === 'string' ? null : mounted
}
