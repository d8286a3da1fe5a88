import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compareTable } from '../src/store/copies/rows.ts'
import { listTables } from '../src/store/copies/tables.ts'
import { openDatabase } from '../src/store/database.ts'
import { writeMailbox } from '../bench/import-mailbox.ts'
import { Child } from '../test/support/child.ts'
import { runCommand } from '../test/support/command.ts'
import { freshDatabase } from '../test/support/databases.ts'
import { scratchFolder } from '../test/support/parts/scratch.ts'
import type { Drill, Outcome } from './drill.ts'

const scales = { short: { messages: 300, pause: 300 }, whole: { messages: 100_000, pause: 4_000 } }
const kills = 5

async function must(env: Record<string, string>, ...words: string[]): Promise<void> {
  const { code, stderr } = await runCommand(env, words)
  if (code !== 0) throw new Error(`spool ${words[0]} failed: ${stderr}`)
}

/** A store is backed up, restored to both databases and moved; each restore and the move are killed five times. */
export const copies: Drill = {
  name: 'restore and move, killed five times',
  hold: 'equal to the last row and byte',
  async run(scale): Promise<Outcome> {
    const { messages, pause } = scales[scale]
    await using stack = new AsyncDisposableStack()
    const store = stack.use(await freshDatabase('sqlite'))
    const { SPOOL_SECRET: secret = '' } = store.env
    const mailbox = join(scratchFolder('drill'), 'mail.mbox')
    await writeMailbox(mailbox, messages)
    await must(store.env, 'inbox', 'add', 'support@shop.example')
    await must(store.env, 'user', 'add', 'ada@shop.example', '--name', 'Ada', '--role', 'admin')
    await must(store.env, 'import', mailbox, '--inbox', 'support@shop.example')
    const backup = join(scratchFolder('drill'), 'backup.db')
    await must(store.env, 'backup', backup)

    const restored = { SPOOL_DATA: scratchFolder('restored'), SPOOL_SECRET: secret }
    const filled = stack.use(await freshDatabase('postgres'))
    const moved = stack.use(await freshDatabase('postgres'))
    const tasks = [
      { words: ['restore', backup], env: restored, to: { url: null, folder: restored.SPOOL_DATA } },
      {
        words: ['restore', backup],
        env: { ...filled.env, SPOOL_SECRET: secret },
        to: { url: filled.env['SPOOL_DATABASE_URL']!, folder: filled.folder },
      },
      {
        words: ['move', '--to', moved.env['SPOOL_DATABASE_URL']!],
        env: store.env,
        to: { url: moved.env['SPOOL_DATABASE_URL']!, folder: moved.folder },
      },
    ]
    const lines: string[] = []
    let held = true
    for (const { words, env, to } of tasks) {
      let inTheMiddle = 0
      for (let kill = 1; kill <= kills; kill++) {
        const child = new Child('bin/spool.js', words, env)
        await Promise.race([sleep(pause * kill), child.ended])
        await child[Symbol.asyncDispose]()
        if ((await child.ended).signal !== null) inTheMiddle++
      }
      const began = performance.now()
      const ran = await runCommand(env, words)
      // A run that finished before it could be killed has already done the work, so this one may fail.
      if (ran.code !== 0 && inTheMiddle === kills) throw new Error(ran.stderr)
      const seconds = (performance.now() - began) / 1000
      const { rows, difference } = await compare(store.folder, to)
      // Compared with nothing, or never interrupted, it would prove nothing.
      held &&= difference === null && rows > messages && inTheMiddle > 0
      lines.push(
        `${words[0]} to ${to.url === null ? 'SQLite' : 'PostgreSQL'}: ${difference ?? `${rows} rows equal`}, killed ${inTheMiddle} times in the middle, ${seconds.toFixed(1)} s at last`,
      )
    }
    return { held, figure: `${messages} messages; ${lines.join('; ')}` }
  },
}

async function compare(
  folder: string,
  to: { url: string | null; folder: string },
): Promise<{ rows: number; difference: string | null }> {
  await using one = await openDatabase({ url: null, folder, writer: 'inline' })
  await using other = await openDatabase({ ...to, writer: 'inline', absent: 'refuse' })
  let rows = 0
  for (const table of await listTables(one)) {
    const { rows: same, difference } = await compareTable(one, other, table)
    if (difference !== null) return { rows, difference }
    rows += same
  }
  return { rows, difference: null }
}
