import type { Bulk } from './bulk.ts'
import type { StoreCondition } from './condition.ts'
import type { MigrationOptions } from './migrations.ts'
import type { Build, Dialect, Query } from './statement.ts'

/** Reads. Outside a transaction each query sees the newest commit. */
export interface Db {
  readonly dialect: Dialect
  readonly build: Build
  all<Row>(query: Query<Row>): Promise<Row[]>
  first<Row>(query: Query<Row>): Promise<Row | undefined>
}

/** Reads and writes. Only available inside `transaction`, so nothing is ever half written. */
export interface Tx extends Db {
  /** Returns the number of rows changed. */
  run(query: Query<unknown>): Promise<number>
  /** Like `run`, without the row count: SQLite sends it along with the next statement. */
  queue(query: Query<unknown>): Promise<void>
  /** Writes a row, possibly later, but always before anything that could notice that it is missing. */
  add<Row extends object>(bulk: Bulk<Row>, row: Row): Promise<void>
  /** Reads rows that this transaction has neither added nor changed, without first flushing its pending writes. */
  readonly settled: Db
}

export interface Database extends Db, AsyncDisposable {
  /** Another one for every store, also for one restored in the same place: its version counters repeat. */
  readonly identity: string
  /** One writer at a time on both databases: what a transaction has read stays true until it commits. */
  transaction<Result>(work: (db: Tx) => Promise<Result>): Promise<Result>
  /** For slow reads such as a search: they do not block other reads. */
  readonly slowReader: Db
  /** Several queries that see the same commit. `work` must await only its own `db`: other snapshots wait for it. */
  snapshot<Result>(work: (db: Db) => Promise<Result>): Promise<Result>
  /**
   * Changes whenever any process commits; null if that cannot be known without querying the server. Costs a system call
   * or two.
   */
  dataVersion(): number | null
  /** Called after each commit of this process, and soon after a commit of another. */
  onCommit(listener: () => void): () => void
  /** Writes a consistent copy of the file while others write; null if the store is not a file. */
  readonly copyTo: ((file: string) => Promise<void>) | null
  /** Notes in `condition` if a newer version has migrated the store since it was opened. */
  lookForMigrations(): Promise<void>
  /** Lists damage the database can detect; does not block readers or writers. */
  check(depth: CheckDepth): Promise<string[]>
  readonly condition: StoreCondition
  readonly stats: DatabaseStats
}

/** Both read every page. `whole` also compares every index with its table and takes two to three times as long. */
export type CheckDepth = 'quick' | 'whole'

export interface DatabaseStats {
  /** Transactions queued in this process. */
  waitingWrites(): number
  /** Called with the seconds each query or transaction took. */
  observe: ((kind: 'read' | 'write', seconds: number) => void) | null
}

/**
 * `thread`: writes never block the serving thread. `inline`: for commands that only write. `scratch`: the same for a store
 * that nobody keeps; on SQLite its commits do not wait for the disk.
 */
export type WriterKind = 'thread' | 'inline' | 'scratch'

export interface DatabaseOptions extends MigrationOptions {
  /** `postgres://…`, or null for SQLite in `folder`. */
  url: string | null
  folder: string
  writer: WriterKind
  /** What to do if there is no store yet; default: make one. */
  absent?: 'make' | 'refuse'
}
