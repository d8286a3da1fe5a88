import { rmSync } from 'node:fs'
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

interface Target {
  env: Record<string, string>
  to: { url: string | null; folder: string }
}

interface Task {
  name: string
  words(to: Target['to']): string[]
  fresh(): Promise<Target>
}

/** Each time a little later; a run that ends before its kill starts over at a fresh target, with earlier kills. */
async function killFiveTimes(words: Task['words'], fresh: Task['fresh'], pause: number): Promise<Target> {
  const target = await fresh()
  for (let kill = 1; kill <= kills; kill++) {
    const child = new Child('bin/spool.js', words(target.to), target.env)
    await Promise.race([sleep(pause * kill), child.ended])
    await child[Symbol.asyncDispose]()
    if ((await child.ended).signal === null) return killFiveTimes(words, fresh, pause / 2)
  }
  return target
}

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

    const database = async (): Promise<Target> => {
      const { env, folder } = stack.use(await freshDatabase('postgres'))
      return { env: { ...env, SPOOL_SECRET: secret }, to: { url: env['SPOOL_DATABASE_URL']!, folder } }
    }
    const tasks: Task[] = [
      {
        name: 'restore to SQLite',
        words: () => ['restore', backup],
        async fresh() {
          const folder = scratchFolder('restored')
          return { env: { SPOOL_DATA: folder, SPOOL_SECRET: secret }, to: { url: null, folder } }
        },
      },
      { name: 'restore to PostgreSQL', words: () => ['restore', backup], fresh: database },
      {
        name: 'move to PostgreSQL',
        words: (to) => ['move', '--to', to.url!],
        async fresh() {
          const { to } = await database()
          // A move that was not killed in time has marked its store as moved.
          rmSync(join(store.folder, 'spool.db-moved'), { force: true })
          return { env: store.env, to }
        },
      },
    ]
    const lines: string[] = []
    let held = true
    for (const { name, words, fresh } of tasks) {
      const { env, to } = await killFiveTimes(words, fresh, pause)
      const began = performance.now()
      await must(env, ...words(to))
      const seconds = (performance.now() - began) / 1000
      const { rows, difference } = await compare(store.folder, to)
      // Compared with nothing, it would prove nothing.
      held &&= difference === null && rows > messages
      lines.push(
        `${name}: ${difference ?? `${rows} rows equal`}, killed ${kills} times in the middle, ${seconds.toFixed(1)} s at last`,
      )
    }
    return { held, figure: `${messages} messages; ${lines.join('; ')}` }
  },
}

async function compare(
  folder: string,
  to: Target['to'],
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
