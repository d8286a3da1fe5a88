import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { StoreDamaged, StoreUnavailable, StoreUnwritable } from '../../model/errors.ts'
import type { CompiledSql } from '../statement.ts'

const settings = ['temp_store = MEMORY']
/** The operating system caches the pages; SQLite's own cache is faster only while it fits into the CPU cache. */
const readerSettings = ['cache_size = -1024', 'mmap_size = 8589934592']
const writerSettings = [
  // Applies only to a new store: an existing one keeps its page size.
  'page_size = 8192',
  'cache_size = -16384',
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'wal_autocheckpoint = 2000',
  'journal_size_limit = 67108864',
]

/** How long to wait for a lock held by another process, in milliseconds. */
export const busyTimeout = 15_000

export interface ConnectionOptions {
  readonly: boolean
  /** Commits do not wait for the disk: a power failure may destroy the store. */
  scratch?: boolean
}

/** A connection with its prepared statements; used by the readers and by the writer, in any thread. */
export class SqliteConnection {
  readonly #sqlite: Sqlite.Database
  readonly #statements = new Map<string, Sqlite.Statement>()
  #dataVersion: Sqlite.Statement | null = null

  constructor(file: string, options: ConnectionOptions) {
    // No busy handler: it would block the thread. Callers retry instead.
    this.#sqlite = new Sqlite(file, { readonly: options.readonly, timeout: 0 })
    try {
      for (const setting of [...settings, ...(options.readonly ? readerSettings : writerSettings)])
        this.#sqlite.pragma(setting)
      if (options.scratch) this.#sqlite.pragma('synchronous = OFF')
    } catch (error) {
      this.#sqlite.close()
      throw error
    }
  }

  all(query: CompiledSql): unknown[] {
    return this.#prepare(query.sql).all(...query.parameters)
  }

  first(query: CompiledSql): unknown {
    return this.#prepare(query.sql).get(...query.parameters)
  }

  run(query: CompiledSql): number {
    // INSERT … RETURNING goes through `all`; every other write only returns a row count.
    return this.#prepare(query.sql).run(...query.parameters).changes
  }

  isRead(query: CompiledSql): boolean {
    return this.#prepare(query.sql).readonly
  }

  execute(sql: string): void {
    this.#sqlite.exec(sql)
  }

  dataVersion(): number {
    this.#dataVersion ??= this.#sqlite.prepare('PRAGMA data_version').pluck()
    return this.#dataVersion.get() as number
  }

  async backup(file: string): Promise<void> {
    await this.#sqlite.backup(file)
  }

  close(): void {
    this.#statements.clear()
    this.#sqlite.close()
  }

  #prepare(sql: string): Sqlite.Statement {
    let statement = this.#statements.get(sql)
    if (statement) return statement
    statement = this.#sqlite.prepare(sql)
    // Statements with lists of varying length could otherwise pile up.
    if (this.#statements.size >= 500) this.#statements.delete(this.#statements.keys().next().value!)
    this.#statements.set(sql, statement)
    return statement
  }
}

/** Even opening can hit a lock: another process creates the file, recovers it after a crash, or is last to close it. */
export async function openConnection(file: string, options: ConnectionOptions): Promise<SqliteConnection> {
  for (const until = Date.now() + busyTimeout; ;) {
    try {
      return new SqliteConnection(file, options)
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw sqliteFault(error)
      await sleep(2)
    }
  }
}

/** Every connection to a file holds a shared lock on it, so an exclusive lock succeeds only if there is no other. */
export function isOpenElsewhere(file: string): boolean {
  const sqlite = new Sqlite(file, { timeout: 0 })
  try {
    sqlite.pragma('locking_mode = EXCLUSIVE')
    sqlite.exec('BEGIN EXCLUSIVE; ROLLBACK')
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw sqliteFault(error)
  } finally {
    sqlite.close()
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

/** Converts SQLite errors about the disk, the file or its locks into store errors; returns others unchanged. */
export function sqliteFault(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error
  return faultOf(error.code, { cause: error }) ?? error
}

/** Null for any other code. */
export function faultOf(code: string, options: ErrorOptions = {}): StoreUnavailable | null {
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return new StoreDamaged(code)
  if (/^SQLITE_(FULL|READONLY|IOERR(?!_READ|_SHORT_READ))/.test(code))
    return new StoreUnwritable(code, options)
  if (/^SQLITE_(BUSY|CANTOPEN|IOERR|LOCKED)/.test(code))
    return new StoreUnavailable(`The store cannot be used right now (${code}).`, options)
  return null
}
