import type { StoreCondition } from './condition.ts'
import type { Build, Dialect, Query } from './statement.ts'

/** Reading. Outside a transaction each query sees the newest commit. */
export interface Db {
  readonly dialect: Dialect
  readonly build: Build
  all<Row>(query: Query<Row>): Promise<Row[]>
  first<Row>(query: Query<Row>): Promise<Row | undefined>
}

/** Reading and writing: only inside `transaction`, so nothing is ever half written. */
export interface Tx extends Db {
  /** Answers how many rows it changed. */
  run(query: Query<unknown>): Promise<number>
}

export interface Database extends Db, AsyncDisposable {
  /** One writer at a time on both databases: what a transaction reads stays true until it commits. */
  transaction<Result>(work: (db: Tx) => Promise<Result>): Promise<Result>
  /** Reading that may take long, such as a search: it does not hold up what is read otherwise. */
  readonly slowReader: Db
  /** Reading that takes longer than to hand it over: where many ask at once, a second core does its part. */
  readonly parallelReader: Db
  /** Several queries that see the same commit. `work` asks its own `db` and waits for nothing else: others wait for it. */
  snapshot<Result>(work: (db: Db) => Promise<Result>): Promise<Result>
  /**
   * Changes whenever any process has committed; null where that cannot be known without asking the server.
   * Costs a system call or two.
   */
  dataVersion(): number | null
  /** Called after each commit of this process, and soon after one of another. */
  onCommit(listener: () => void): () => void
  /** A consistent copy while others write, under its name only once it was found whole. */
  backup(file: string): Promise<void>
  /** What is wrong with what is stored, as far as the database can tell; does not hold up who reads or writes. */
  check(depth: CheckDepth): Promise<string[]>
  readonly condition: StoreCondition
  readonly stats: DatabaseStats
}

/** Both read every page. `whole` also compares every index with its table, which takes two to three times as long. */
export type CheckDepth = 'quick' | 'whole'

export interface DatabaseStats {
  /** Transactions waiting for their turn in this process. */
  waitingWrites(): number
  /** Called with the seconds each query or transaction took. */
  observe: ((kind: 'read' | 'write', seconds: number) => void) | null
}

export interface DatabaseOptions {
  /** `postgres://…`, or null for SQLite in `folder`. */
  url: string | null
  folder: string
  /** `thread`: writing never stalls the thread that serves. `inline`: for commands that only write. */
  writer: 'thread' | 'inline'
  /** What to do where there is no store yet; without it one is made. */
  absent?: 'make' | 'refuse'
}
