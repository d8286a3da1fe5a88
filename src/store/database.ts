import { channel } from './drivers/channel.ts'
import type { Database, DatabaseOptions, Db, Tx } from './db.ts'
import { textQuery } from './statement.ts'

/** Loads only the driver in use. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.url === null) return (await import('./drivers/sqlite.ts')).openSqlite(options)
  return (await import('./drivers/postgres.ts')).openPostgres(options.url, options)
}

/** Work to run once at the end of a transaction, however often it was requested; keyed by name. */
const beforeCommits = new WeakMap<Tx, Map<string, () => Promise<void>>>()

export function beforeCommit(db: Tx, name: string, work: () => Promise<void>): void {
  let works = beforeCommits.get(db)
  if (!works) beforeCommits.set(db, (works = new Map()))
  works.set(name, work)
}

/** Notifies other nodes of this commit. SQLite needs no notification: other processes see the commit in the file. */
export function announce(db: Tx): void {
  if (db.dialect === 'sqlite') return
  beforeCommit(db, 'announce', async () => {
    await db.first(textQuery(`SELECT pg_notify('${channel}', '')`))
  })
}

export function transaction<Result>(db: Database, work: (db: Tx) => Promise<Result>): Promise<Result> {
  return db.transaction(async (db) => {
    const result = await work(db)
    for (const last of beforeCommits.get(db)?.values() ?? []) await last()
    return result
  })
}

export function snapshot<Result>(db: Database, work: (db: Db) => Promise<Result>): Promise<Result> {
  return db.snapshot(work)
}
