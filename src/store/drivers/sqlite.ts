import { statSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreAbsent } from '../../model/errors.ts'
import { StoreCondition } from '../condition.ts'
import type { CheckDepth, Database, DatabaseOptions, DatabaseStats, Db, Tx } from '../db.ts'
import { migrateStore, type StoreVersion } from '../migrations.ts'
import { OpenMark } from './open-mark.ts'
import { checkFile } from './sqlite-check.ts'
import { isBusy, openConnection, sqliteFault, type SqliteConnection } from './sqlite-connection.ts'
import { openInlineWriter, openThread, type SqliteWorker } from './sqlite-workers.ts'
import { answerRequest, countMigrations, type ThreadCall } from './sqlite-thread.ts'
import { build, compileQuery, type CompiledSql, type Query } from '../statement.ts'

export async function openSqlite(options: DatabaseOptions): Promise<Database> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 })
  const file = join(options.folder, 'spool.db')
  const mark = new OpenMark(file)
  // For its owner only, also in a folder that others can look into; SQLite gives its other files the same mode.
  await (await open(file, 'a', 0o600)).close()
  const threads = options.writer === 'thread'
  const condition = new StoreCondition({ closedCleanly: !mark.wasLeft })
  const writer = threads
    ? openThread(file, condition, { readonly: false })
    : await openInlineWriter(file, condition, { scratch: options.writer === 'scratch' })
  try {
    const { made, count, lacking } = await migrate(writer, options)
    condition.made = made
    condition.lacking = lacking
    const reader = await openConnection(file, { readonly: true })
    if (threads) {
      const lastSeq = readLastSeq(reader)
      condition.lostEvents = Math.max(0, mark.lastSeq - lastSeq)
      await mark.set(lastSeq)
    }
    return new SqliteDatabase({
      file,
      condition,
      migrations: count,
      writer,
      reader,
      openReader: threads ? () => openThread(file, condition, { readonly: true }) : null,
      mark: threads ? mark : null,
    })
  } catch (error) {
    await writer.close().catch(() => undefined)
    throw error
  }
}

function inodeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.ino ?? null
}

function readLastSeq(reader: SqliteConnection): number {
  return (reader.first({ sql: 'SELECT last_seq FROM log', parameters: [] }) as { last_seq: number }).last_seq
}

/** In one transaction; another process that starts at the same time waits and finds it done. `made`: there was none. */
async function migrate(
  { ask }: SqliteWorker,
  { absent, folder, ...options }: DatabaseOptions,
): Promise<StoreVersion & { made: boolean }> {
  const run = (sql: string) => ask({ do: 'run', query: { sql, parameters: [] } })
  const list = async (sql: string) =>
    ((await ask({ do: 'all', query: { sql, parameters: [] } })) as { name: string }[]).map(({ name }) => name)
  await ask({ do: 'begin' })
  try {
    const isThere = (await list(`SELECT name FROM sqlite_master WHERE name = 'migrations'`)).length > 0
    if (!isThere && absent === 'refuse') throw new StoreAbsent(folder, 'SPOOL_DATA')
    const done = isThere ? await list('SELECT name FROM migrations') : null
    const version = await migrateStore(done, 'sqlite', run, options)
    await ask({ do: 'commit' })
    return { ...version, made: !isThere }
  } catch (error) {
    await ask({ do: 'rollback' }).catch(() => undefined)
    throw error
  }
}

function lastMigration(reader: SqliteConnection): string {
  const sql = 'SELECT max(name) AS name FROM migrations'
  return (reader.first({ sql, parameters: [] }) as { name: string }).name
}

interface SqliteParts {
  file: string
  condition: StoreCondition
  /** How many the store has. */
  migrations: number
  writer: SqliteWorker
  reader: SqliteConnection
  /** Null where everything is read in this thread. */
  openReader: (() => SqliteWorker) | null
  /** Null for commands: they come and go beside a server. */
  mark: OpenMark | null
}

/** Rows that are sent together. */
const mostAdded = 255

/** How often the commits of other processes are looked for, in milliseconds. */
const watchInterval = 100
/** How often the last event is noted and SQLite's own file looked for. */
const markInterval = 1_000

type QueryCall = Extract<ThreadCall, { query: CompiledSql }>

class SqliteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly build = build.sqlite
  readonly stats: DatabaseStats = { waitingWrites: () => this.#waiting, observe: null }
  readonly condition: StoreCondition
  readonly identity: string
  readonly #file: string
  readonly #migrations: number
  readonly #mark: OpenMark | null
  readonly #closing = new AbortController()
  #checks: Promise<unknown> = Promise.resolve()
  #foundWhole = false
  readonly #writer: SqliteWorker
  readonly #writesInThread: boolean
  /** Answers single queries. */
  readonly #reader: SqliteConnection
  /** Answers the queries of a snapshot; opened for the first. */
  #still: SqliteConnection | null = null
  #snapshots: Promise<unknown> = Promise.resolve()
  readonly #listeners = new Set<() => void>()
  readonly slowReader: Db
  #slowThread: SqliteWorker | null = null
  #turn: Promise<unknown> = Promise.resolve()
  #waiting = 0
  /** The version of the file at the last notification. */
  #notifiedVersion = Number.NaN
  #watch: NodeJS.Timeout | null = null
  #marking: NodeJS.Timeout | null = null

  constructor({ file, condition, migrations, writer, reader, openReader, mark }: SqliteParts) {
    this.#file = file
    this.#migrations = migrations
    const { ino, birthtimeMs } = statSync(file)
    this.identity = `${ino} ${birthtimeMs}`
    this.condition = condition
    this.#mark = mark
    this.#writer = writer
    this.#writesInThread = openReader !== null
    this.#reader = reader
    this.slowReader = openReader ? this.#readIn(openReader) : this
    if (mark) {
      const wal = inodeOf(`${file}-wal`)
      this.#marking = setInterval(() => this.#keepMark(mark, wal), markInterval).unref()
    }
  }

  #keepMark(mark: OpenMark, wal: number | null): void {
    // SQLite never replaces it while it is open, but a connection that is opened after a deletion makes another.
    if (inodeOf(`${this.#file}-wal`) !== wal)
      this.condition.noteTrouble(
        'spool.db-wal was deleted while Spool has it open. Stop and start Spool: until then its last commits are in no file that has a name, and no other command may open the store.',
      )
    if (this.#writer.hasEnded)
      this.condition.noteTrouble(
        'The thread that writes to the store has ended. Stop and start Spool: until then it can store nothing.',
      )
    try {
      void mark.set(readLastSeq(this.#reader))
    } catch {
      // The next request that needs the file reports the failure.
    }
  }

  /** In a thread that starts with the first query and is replaced once it has ended. */
  #readIn(open: () => SqliteWorker): Db {
    return this.#readBy((call) => {
      if (!this.#slowThread || this.#slowThread.hasEnded) this.#slowThread = open()
      return this.#slowThread.ask(call)
    })
  }

  async all<Row>(query: Query<Row>): Promise<Row[]> {
    const call = { do: 'all', query: compileQuery('sqlite', query) } as const
    const observe = this.stats.observe
    if (!observe) return (await this.#answer(this.#reader, call)) as Row[]
    const start = performance.now()
    const rows = await this.#answer(this.#reader, call)
    observe('read', (performance.now() - start) / 1000)
    return rows as Row[]
  }

  async first<Row>(query: Query<Row>): Promise<Row | undefined> {
    return (await this.all(query))[0]
  }

  /** They take turns: all are read in this thread, so side by side they would only keep more connections busy. */
  async snapshot<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    const result = this.#snapshots.then(() => this.#readTogether(work))
    this.#snapshots = result.catch(() => undefined)
    return result
  }

  async #readTogether<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    const connection = (this.#still ??= await openConnection(this.#file, { readonly: true }))
    connection.execute('BEGIN')
    try {
      return await work(this.#readBy((call) => this.#answer(connection, call)))
    } finally {
      try {
        connection.execute('ROLLBACK')
      } catch {
        // Whatever became of it: the next begins on another.
        connection.close()
        this.#still = null
      }
    }
  }

  async transaction<Result>(work: (db: Tx) => Promise<Result>): Promise<Result> {
    this.#waiting++
    const result = this.#turn.then(() => this.#write(work)).finally(() => this.#waiting--)
    this.#turn = result.catch(() => undefined)
    return result
  }

  async #write<Result>(work: (db: Tx) => Promise<Result>): Promise<Result> {
    const added: CompiledSql[] = []
    const ask = (call: ThreadCall): Promise<unknown> =>
      this.#writer.ask(added.length === 0 ? call : { ...call, before: added.splice(0) })
    /** Rows that were sent ahead: the writer's thread is at work while this one prepares the next. */
    const ahead: Promise<unknown>[] = []
    const queue = async (write: Query<unknown>): Promise<void> => {
      hasWritten = true
      const query = compileQuery('sqlite', write)
      if (added.length < mostAdded) return void added.push(query)
      const sent = ask({ do: 'run', query })
      sent.catch(() => undefined)
      ahead.push(sent)
    }
    /** No other transaction can commit now, so until this one writes, its reads need not wait for the writer. */
    let hasWritten = !this.#writesInThread
    const reader = this.#readBy(async (call) => {
      hasWritten ||= !(await this.#retryWhileBusy(() => this.#reader.isRead(call.query)))
      return hasWritten ? ask(call) : this.#answer(this.#reader, call)
    })
    const start = performance.now()
    let result: Result
    try {
      const count = await ask({ do: 'begin-write' })
      if (count !== this.#migrations) throw this.condition.noteNewer(lastMigration(this.#reader))
      result = await work({
        ...reader,
        settled: this.#writesInThread ? this.#readBy((call) => this.#answer(this.#reader, call)) : reader,
        run(query) {
          hasWritten = true
          return ask({ do: 'run', query: compileQuery('sqlite', query) }) as Promise<number>
        },
        queue,
        add: (bulk, row) => queue(bulk.one(row)),
      })
      await Promise.all(ahead)
      await ask({ do: 'commit' })
    } catch (error) {
      await this.#writer.ask({ do: 'rollback' }).catch(() => undefined)
      throw error
    }
    this.stats.observe?.('write', (performance.now() - start) / 1000)
    this.#notify()
    return result
  }

  async lookForMigrations(): Promise<void> {
    const count = await this.#retryWhileBusy(() => countMigrations(this.#reader))
    if (count !== this.#migrations) this.condition.noteNewer(lastMigration(this.#reader))
  }

  /** NaN never equals a known version: while another process recovers the log, nothing cached is current. */
  dataVersion(): number {
    try {
      return this.#reader.dataVersion()
    } catch (error) {
      if (isBusy(error)) return Number.NaN
      throw this.condition.note(sqliteFault(error))
    }
  }

  onCommit(listener: () => void): () => void {
    this.#listeners.add(listener)
    if (!this.#watch) {
      this.#notifiedVersion = this.dataVersion()
      this.#watch = setInterval(() => this.#checkForCommits(), watchInterval).unref()
    }
    return () => this.#listeners.delete(listener)
  }

  /** A commit by another process changes the version of the file. Our own do too, so listeners hear of them twice. */
  #checkForCommits(): void {
    if (this.#listeners.size === 0) return
    let version: number
    try {
      version = this.dataVersion()
    } catch {
      // The next query reports the failure; the next check that succeeds sees what was committed since.
      return
    }
    if (version === this.#notifiedVersion) return
    this.#notifiedVersion = version
    this.#notify()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }

  #readBy(ask: (call: QueryCall) => Promise<unknown>): Db {
    return {
      dialect: 'sqlite',
      build: this.build,
      all: <Row>(query: Query<Row>) =>
        ask({ do: 'all', query: compileQuery('sqlite', query) }) as Promise<Row[]>,
      first: <Row>(query: Query<Row>) =>
        ask({ do: 'first', query: compileQuery('sqlite', query) }) as Promise<Row | undefined>,
    }
  }

  #answer(connection: SqliteConnection, call: QueryCall): Promise<unknown> {
    return this.#retryWhileBusy(() => answerRequest(connection, call))
  }

  /** A reader waits only while another process recovers the log after a crash, and then outside the thread's time. */
  async #retryWhileBusy<Result>(work: () => Result): Promise<Result> {
    for (let tries = 0; ; tries++) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || tries === 1000) throw this.condition.note(sqliteFault(error))
        await sleep(2)
      }
    }
  }

  /** In a read transaction: without one SQLite begins the copy anew at each commit of another connection. */
  async copyTo(file: string): Promise<void> {
    try {
      const source = await openConnection(this.#file, { readonly: true })
      try {
        source.execute('BEGIN')
        // The transaction begins with the first read.
        await this.#retryWhileBusy(() => readLastSeq(source))
        await source.backup(file)
      } finally {
        source.close()
      }
    } catch (error) {
      throw this.condition.note(sqliteFault(error))
    }
  }

  async check(depth: CheckDepth): Promise<string[]> {
    const check = checkFile(this.#file, depth, this.#closing.signal)
    this.#checks = Promise.allSettled([this.#checks, check])
    const found = await check
    if (found.length > 0) this.condition.noteDamage(found[0]!)
    else if (depth === 'whole') this.#foundWhole = true
    return found
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await this.#checks
    await this.#turn
    await this.#snapshots
    if (this.#watch) clearInterval(this.#watch)
    if (this.#marking) clearInterval(this.#marking)
    this.#reader.close()
    this.#still?.close()
    await this.#slowThread?.close()
    await this.#writer.close()
    // A store that is damaged, or that should have been checked and was not, is checked at the next start.
    const { closedCleanly, damage } = this.condition
    if (damage === null && (closedCleanly || this.#foundWhole)) await this.#mark?.remove()
  }
}
