import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../model/errors.ts'
import type { Database, DatabaseOptions, DatabaseStats, Db, Tx } from './db.ts'
import { migrations, words } from './migrations.ts'
import { isBusy, openConnection, patience, sqliteFault, type SqliteConnection } from './sqlite-connection.ts'
import { answerRequest, type ThreadAnswer, type ThreadCall } from './sqlite-thread.ts'
import { build, compileQuery, type Query } from './statement.ts'

export async function openSqlite(options: DatabaseOptions): Promise<Database> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 })
  const file = join(options.folder, 'spool.db')
  // For its owner only, also in a folder that others can look into; SQLite gives its other files the same mode.
  await (await open(file, 'a', 0o600)).close()
  const threads = options.writer === 'thread'
  const writer = threads ? openThread(file, { readonly: false }) : await openInlineWriter(file)
  try {
    await migrate(writer)
    const reader = await openConnection(file, { readonly: true })
    return new SqliteDatabase(
      file,
      writer,
      reader,
      threads ? () => openThread(file, { readonly: true }) : null,
    )
  } catch (error) {
    await writer.close().catch(() => undefined)
    throw error
  }
}

/** Fails by a rejected promise, never by throwing. */
type Ask = (request: ThreadCall) => Promise<unknown>

interface Desk {
  ask: Ask
  close(): Promise<void>
}

/** The serving process writes in a thread of its own: neither a sync to disk nor a foreign lock holds up a read. */
function openThread(file: string, { readonly }: { readonly: boolean }): Desk {
  const url = new URL(
    import.meta.url.endsWith('.ts') ? './sqlite-thread.ts' : './sqlite-thread.js',
    import.meta.url,
  )
  const worker = new Worker(url, {
    workerData: { spoolStore: true, file, readonly },
    // Rows only pass through it; left to itself it would take tens of megabytes for them.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  })
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  let last = 0
  let dead: unknown = null

  const fail = (error: unknown): void => {
    dead = new StoreUnavailable('A thread of the store has ended.', { cause: error })
    for (const { reject } of waiting.values()) reject(dead)
    waiting.clear()
  }
  worker.on('message', (answer: ThreadAnswer) => {
    const call = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('fault' in answer) call?.reject(threadFault(answer.fault))
    else call?.resolve(answer.value)
    if (waiting.size === 0) worker.unref()
  })
  worker.on('error', fail)
  worker.on('exit', (code) => fail(code))
  worker.unref()

  const ask: Ask = (request) =>
    new Promise((resolve, reject) => {
      if (dead) return reject(dead)
      last++
      if (waiting.size === 0) worker.ref()
      waiting.set(last, { resolve, reject })
      worker.postMessage({ id: last, ...request })
    })
  const close = async (): Promise<void> => {
    if (!dead) await ask({ do: 'close' })
    await worker.terminate()
  }
  return { ask, close }
}

function threadFault(fault: { message: string; code?: string }): Error {
  if (fault.code && /^SQLITE_(BUSY|FULL|IOERR|CANTOPEN|READONLY|LOCKED)/.test(fault.code)) {
    return new StoreUnavailable(`The store cannot be used right now (${fault.code}).`)
  }
  return Object.assign(new Error(fault.message), { code: fault.code })
}

async function openInlineWriter(file: string): Promise<Desk> {
  const connection = await openConnection(file, { readonly: false })
  const askAgain = async (request: ThreadCall): Promise<unknown> => {
    for (const until = Date.now() + patience; ;) {
      await sleep(1)
      try {
        return answerRequest(connection, request)
      } catch (error) {
        if (!isBusy(error) || Date.now() > until) throw sqliteFault(error)
      }
    }
  }
  return {
    // One promise a statement: a batch of mail asks thousands of times, and is answered at once.
    ask(request) {
      try {
        return Promise.resolve(answerRequest(connection, request))
      } catch (error) {
        return isBusy(error) ? askAgain(request) : Promise.reject(sqliteFault(error))
      }
    },
    async close() {
      connection.close()
    },
  }
}

/** In one transaction; another process that starts at the same time waits and finds it done. */
async function migrate({ ask }: Desk): Promise<void> {
  const run = (sql: string, ...parameters: string[]) => ask({ do: 'run', query: { sql, parameters } })
  await ask({ do: 'begin' })
  try {
    await run('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)')
    const rows = await ask({ do: 'all', query: { sql: 'SELECT name FROM migrations', parameters: [] } })
    const done = new Set((rows as { name: string }[]).map((row) => row.name))
    for (const migration of migrations.filter(({ name }) => !done.has(name))) {
      for (const sql of migration.statements(words.sqlite)) await run(sql)
      await run('INSERT INTO migrations VALUES (?)', migration.name)
    }
    await ask({ do: 'commit' })
  } catch (error) {
    await ask({ do: 'rollback' }).catch(() => undefined)
    throw error
  }
}

/** How often the commits of other processes are looked for, in milliseconds. */
const watchInterval = 100

class SqliteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly build = build.sqlite
  readonly stats: DatabaseStats = { waitingWrites: () => this.#waiting, observe: null }
  readonly #file: string
  readonly #writer: Desk
  /** Answers single queries. */
  readonly #reader: SqliteConnection
  /** Answers the queries of a snapshot; opened for the first. */
  #still: SqliteConnection | null = null
  #snapshots: Promise<unknown> = Promise.resolve()
  readonly #listeners = new Set<() => void>()
  readonly aside: Db
  readonly #second: Db
  readonly #threads: Desk[] = []
  #readThisTurn = false
  #turn: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #version: number | null = null
  /** The version that those who listen have been told of. */
  #toldVersion = Number.NaN
  #watch: NodeJS.Timeout | null = null

  constructor(file: string, writer: Desk, reader: SqliteConnection, openReader: (() => Desk) | null) {
    this.#file = file
    this.#writer = writer
    this.#reader = reader
    this.aside = openReader ? this.#readIn(openReader) : this
    this.#second = openReader ? this.#readIn(openReader) : this
  }

  /** The first of a turn is read here, at once; what else came with it is read in a thread meanwhile. */
  get beside(): Db {
    if (this.#readThisTurn) return this.#second
    this.#readThisTurn = true
    setImmediate(() => (this.#readThisTurn = false))
    return this
  }

  /** In a thread, which begins with the first that is asked of it. */
  #readIn(open: () => Desk): Db {
    let thread: Desk | null = null
    const all = async <Row>(query: Query<Row>): Promise<Row[]> => {
      if (!thread) this.#threads.push((thread = open()))
      const rows = await thread.ask({ do: 'all', query: compileQuery('sqlite', query) })
      return rows as Row[]
    }
    return { dialect: 'sqlite', build: this.build, all, first: async (query) => (await all(query))[0] }
  }

  async all<Row>(query: Query<Row>): Promise<Row[]> {
    const observe = this.stats.observe
    if (!observe) return readRows(this.#reader, query)
    const start = performance.now()
    const rows = await readRows(this.#reader, query)
    observe('read', (performance.now() - start) / 1000)
    return rows
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
      return await work({
        dialect: 'sqlite',
        build: this.build,
        all: (query) => readRows(connection, query),
        first: async (query) => (await readRows(connection, query))[0],
      })
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
    const { ask } = this.#writer
    const start = performance.now()
    await ask({ do: 'begin' })
    let result: Result
    try {
      result = await work({
        dialect: 'sqlite',
        build: this.build,
        all: <Row>(query: Query<Row>) =>
          ask({ do: 'all', query: compileQuery('sqlite', query) }) as Promise<Row[]>,
        first: <Row>(query: Query<Row>) =>
          ask({ do: 'first', query: compileQuery('sqlite', query) }) as Promise<Row | undefined>,
        run: (query) => ask({ do: 'run', query: compileQuery('sqlite', query) }) as Promise<number>,
      })
      await ask({ do: 'commit' })
    } catch (error) {
      await ask({ do: 'rollback' }).catch(() => undefined)
      throw error
    }
    this.#version = null
    this.stats.observe?.('write', (performance.now() - start) / 1000)
    this.#tell()
    return result
  }

  dataVersion(): number {
    if (this.#version === null) {
      this.#version = this.#lookAtVersion()
      // Requests that are answered together were all sent before: what they may expect to see is there already. Those
      // of a later turn may expect more, also while this one is not over.
      process.nextTick(() => (this.#version = null))
    }
    return this.#version
  }

  /** NaN is like no version, itself included: while another process recovers the log nothing counts as known. */
  #lookAtVersion(): number {
    try {
      return this.#reader.dataVersion()
    } catch (error) {
      if (isBusy(error)) return Number.NaN
      throw sqliteFault(error)
    }
  }

  onCommit(listener: () => void): () => void {
    this.#listeners.add(listener)
    if (!this.#watch) {
      this.#toldVersion = this.#lookAtVersion()
      this.#watch = setInterval(() => this.#lookForOthers(), watchInterval).unref()
    }
    return () => this.#listeners.delete(listener)
  }

  /** Another process's commit shows in the version of the file. So do our own, which are then told once more. */
  #lookForOthers(): void {
    if (this.#listeners.size === 0) return
    const version = this.#lookAtVersion()
    if (version === this.#toldVersion) return
    this.#toldVersion = version
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }

  async backup(file: string): Promise<void> {
    // Made first, for its owner only, and never over another: a copy is as private as the store, and as dear.
    const target = await open(file, 'wx', 0o600)
    await target.chmod(0o600)
    await target.close()
    await this.#reader.backup(file)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turn
    await this.#snapshots
    if (this.#watch) clearInterval(this.#watch)
    this.#reader.close()
    this.#still?.close()
    for (const thread of this.#threads) await thread.close()
    await this.#writer.close()
  }
}

/** A reader waits only while another process recovers the log after a crash, and then outside the thread's time. */
async function readRows<Row>(connection: SqliteConnection, query: Query<Row>): Promise<Row[]> {
  const compiled = compileQuery('sqlite', query)
  for (let tries = 0; ; tries++) {
    try {
      return connection.all(compiled) as Row[]
    } catch (error) {
      if (!isBusy(error) || tries === 1000) throw sqliteFault(error)
      await sleep(2)
    }
  }
}
