import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import type { FreshDatabase } from './databases.ts'
import { until } from './until.ts'

type Place = Pick<FreshDatabase, 'kind' | 'env' | 'folder'>

/** Runs statements on a store without opening it as Spool does. Returns the rows of the last. */
export async function tellStore({ kind, env, folder }: Place, statements: readonly string[]) {
  if (kind === 'sqlite') return tellFile(join(folder, 'spool.db'), statements)
  let rows: Record<string, unknown>[] = []
  const client = new Client({ connectionString: env['SPOOL_DATABASE_URL'] })
  await client.connect()
  for (const sql of statements) rows = (await client.query<(typeof rows)[number]>(sql)).rows
  await client.end()
  return rows
}

async function tellFile(file: string, statements: readonly string[]) {
  let rows: Record<string, unknown>[] = []
  // Without SQLite's own waiting: the writer that it would wait for may need this thread to go on.
  const store = new Sqlite(file, { timeout: 0 })
  await until('it is our turn to write', async () => {
    try {
      store.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
      return false
    }
  })
  for (const sql of statements) {
    const statement = store.prepare(sql)
    if (statement.reader) rows = statement.all() as typeof rows
    else statement.run()
  }
  store.exec('COMMIT')
  store.close()
  return rows
}

export async function listMigrations(place: Place): Promise<string[]> {
  const rows = await tellStore(place, ['SELECT name FROM migrations ORDER BY name'])
  return rows.map(({ name }) => String(name))
}

export const tomorrow = '9999-of-tomorrow'

/** Migrates the store as a version of tomorrow may: the tables grow. */
export async function migrateToTomorrow(place: Place): Promise<void> {
  const grown = ['threads', 'messages', 'users', 'inboxes', 'sessions', 'versions', 'drafts']
  await tellStore(place, [
    ...grown.map((name) => `ALTER TABLE ${name} ADD COLUMN of_tomorrow TEXT`),
    `INSERT INTO migrations VALUES ('${tomorrow}')`,
  ])
}

const by = ['--by', 'ada@shop.example']
/** One of each command that opens the store, apart from those that open any version. */
export const commands = [
  ['inbox', 'list'],
  ['inbox', 'add', 'new@shop.example'],
  ['inbox', 'set', 'support@shop.example', '--name', 'S'],
  ['inbox', 'remove', 'support@shop.example'],
  ['user', 'add', 'eve@shop.example', '--name', 'Eve'],
  ['user', 'list'],
  ['user', 'set', 'ada@shop.example', '--name', 'A'],
  ['user', 'remove', 'ada@shop.example'],
  ['token', 'create', '--user', 'ada@shop.example', '--name', 'A', '--scope', 'threads:read'],
  ['token', 'list'],
  ['token', 'revoke', 'tok_1'],
  ['thread', 'status', 'thr_1', 'open', ...by],
  ['note', 'add', 'thr_1', 'Text', ...by],
  ['webhook', 'list'],
  ['import', '.', '--inbox', 'support@shop.example'],
]
