import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { StoreDamaged, StoreUnavailable, StoreUnwritable } from '../../model/errors.ts'
import type { CompiledSql } from '../statement.ts'

const settings = ['temp_store = MEMORY']
/** The system keeps the pages; a cache of our own is faster while it fits into the processor's. */
const readerSettings = ['cache_size = -1024', 'mmap_size = 8589934592']
const writerSettings = [
  // Of a store that is made now: the pages of an older one stay as they are.
  'page_size = 8192',
  'cache_size = -16384',
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'wal_autocheckpoint = 2000',
  'journal_size_limit = 67108864',
]

/** How long a lock held by another process is waited for. */
export const patience = 15_000

/** One connection with its prepared statements; used by the readers and by the writer, in whichever thread. */
export class SqliteConnection {
  readonly #sqlite: Sqlite.Database
  readonly #statements = new Map<string, Sqlite.Statement>()
  #dataVersion: Sqlite.Statement | null = null

  constructor(file: string, options: { readonly: boolean }) {
    // No busy handler: it would sleep inside the thread. Who must wait retries.
    this.#sqlite = new Sqlite(file, { readonly: options.readonly, timeout: 0 })
    try {
      for (const setting of [...settings, ...(options.readonly ? readerSettings : writerSettings)])
        this.#sqlite.pragma(setting)
    } catch (error) {
      this.#sqlite.close()
      throw error
    }
  }

  all(query: CompiledSql): unknown[] {
    const statement = this.#prepare(query.sql)
    return statement.all(...(query.parameters as unknown[]))
  }

  first(query: CompiledSql): unknown {
    const statement = this.#prepare(query.sql)
    return statement.get(...(query.parameters as unknown[]))
  }

  run(query: CompiledSql): number {
    const statement = this.#prepare(query.sql)
    // INSERT … RETURNING is asked by `all`; everything else only counts.
    return statement.run(...(query.parameters as unknown[])).changes
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

/** Even opening finds the file locked while another process makes it, recovers it after a crash, or is the last to leave. */
export async function openConnection(
  file: string,
  options: { readonly: boolean },
): Promise<SqliteConnection> {
  for (const until = Date.now() + patience; ;) {
    try {
      return new SqliteConnection(file, options)
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw sqliteFault(error)
      await sleep(2)
    }
  }
}

/** Each connection to a file holds a shared lock on it, so that an exclusive one can only be had alone. */
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

/** What SQLite says when the disk or the file is the matter, in the words of the store. */
export function sqliteFault(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error
  return faultOf(error.code, { cause: error }) ?? error
}

/** Null where neither is the matter. */
export function faultOf(code: string, options: ErrorOptions = {}): StoreUnavailable | null {
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return new StoreDamaged(code)
  if (/^SQLITE_(FULL|READONLY|IOERR(?!_READ|_SHORT_READ))/.test(code))
    return new StoreUnwritable(code, options)
  if (/^SQLITE_(BUSY|CANTOPEN|IOERR|LOCKED)/.test(code))
    return new StoreUnavailable(`The store cannot be used right now (${code}).`, options)
  return null
}
