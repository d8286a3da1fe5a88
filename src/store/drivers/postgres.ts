import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, types, type DatabaseError, type PoolClient, type QueryConfig, type QueryResult } from 'pg'
import {
  SpoolError,
  StoreAbsent,
  StoreDamaged,
  StoreNewer,
  StoreUnavailable,
  StoreUnwritable,
} from '../../model/errors.ts'
import { StoreCondition } from '../condition.ts'
import type { Database, DatabaseOptions, DatabaseStats, Db, Tx } from '../db.ts'
import { migrateStore, type StoreVersion } from '../migrations.ts'
import { connectTimeout } from './connect-timeout.ts'
import { PendingRows } from './pending-rows.ts'
import { PostgresListener } from './postgres-listener.ts'
import { build, compileQuery, textQuery, type CompiledSql, type Query } from '../statement.ts'

// Row numbers, sequence values and times all stay far below 2^53.
types.setTypeParser(types.builtins.INT8, Number)

/** Arbitrary key of the advisory lock that serialises writers. */
const writerLock = 7_720_665
/** A hanging server or a network that drops packets never answers: treat it as out of reach. */
const readTimeout = 8_000
/** Longer than the server's own statement timeout, because a writer may have to wait for others. */
const writeTimeout = 35_000
/** Building an index on a large store takes a long time, and nothing can run before it is done. */
const migrationTimeout = 3_600_000

export async function openPostgres(url: string, options: DatabaseOptions): Promise<Database> {
  const pool = new Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: connectTimeout(url),
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    query_timeout: writeTimeout,
    application_name: 'spool',
    // Spool's queries read little, and starting parallel workers for one takes longer than most of them.
    options:
      '-c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000 -c max_parallel_workers_per_gather=0',
  })
  // An idle connection that breaks is dropped by the pool; the next query opens another.
  pool.on('error', () => undefined)
  // A connection that breaks while it is handed out has no other listener yet: its error would end the process.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  try {
    const version = await migrate(pool, options)
    // A table that is made anew gets another number.
    const { rows } = await pool.query<{ oid: number }>(`SELECT CAST(to_regclass('versions') AS oid) AS oid`)
    return new PostgresDatabase(url, pool, version, String(rows[0]!.oid))
  } catch (error) {
    await pool.end()
    const fault = postgresFault(error)
    if (fault instanceof SpoolError) throw fault
    const { host, pathname } = new URL(url)
    const { message, code = '' } = error as DatabaseError
    // Authorisation, database and privileges; a password that cannot even be tried has no code.
    const hint = /^(?:28|3D|42501|$)/.test(code)
      ? '; check the user, password and database of its address, and what the user may do there'
      : ''
    const said = `PostgreSQL at ${host}${pathname} cannot be used (${message})${hint}.`
    throw new SpoolError('bad_parameter', said, { cause: error })
  }
}

/** `made`: there was no store before. */
type OpenedVersion = StoreVersion & { made: boolean }

function migrate(pool: Pool, { absent, ...options }: DatabaseOptions): Promise<OpenedVersion> {
  return inSession(pool, { text: 'BEGIN' }, async (client) => {
    await takeWriterLock(client)
    const { rowCount } = await client.query(`SELECT 1 WHERE to_regclass('migrations') IS NOT NULL`)
    const isThere = rowCount === 1
    if (!isThere && absent === 'refuse')
      throw new StoreAbsent('the database of SPOOL_DATABASE_URL', 'the address')
    const done = isThere
      ? (await client.query<{ name: string }>('SELECT name FROM migrations')).rows.map(({ name }) => name)
      : null
    await client.query('SET LOCAL statement_timeout = 0')
    const run = (text: string) => client.query({ text, query_timeout: migrationTimeout } as Statement)
    return { ...(await migrateStore(done, 'postgres', run, options)), made: !isThere }
  })
}

function takeWriterLock(client: PoolClient): Promise<unknown> {
  return client.query(`SELECT pg_advisory_xact_lock(${writerLock})`)
}

const countMigrations = 'SELECT count(*) AS count FROM migrations'

/**
 * Writers take turns, so that what one has read stays true and events commit in sequence order. All in one round trip.
 * Each statement has its own snapshot, so the last one sees a migration that this writer waited for.
 */
const beginWrite: Statement = {
  text: `BEGIN; SELECT pg_advisory_xact_lock(${writerLock}); ${countMigrations}`,
}

/** pg also accepts a client-side timeout per statement. */
type Statement = QueryConfig & { query_timeout?: number }

class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly build = build.postgres
  readonly stats: DatabaseStats
  readonly identity: string
  /** PostgreSQL recovers from a crash by itself. */
  readonly condition = new StoreCondition({ closedCleanly: true })
  /** Every query already has its own connection. */
  readonly slowReader = this
  readonly #url: string
  readonly #pool: Pool
  /** How many the store had when it was opened. */
  readonly #migrations: number
  readonly #listeners = new Set<() => void>()
  /** Backend process ids of the pool's connections. */
  readonly #backends = new Set<number>()
  #listener: PostgresListener | null = null
  #turn: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(url: string, pool: Pool, { made, count, lacking }: OpenedVersion, identity: string) {
    this.identity = identity
    this.condition.made = made
    this.condition.lacking = lacking
    this.#migrations = count
    this.#url = url
    this.#pool = pool
    pool.on('connect', (client) => void this.#backends.add(backendOf(client)))
    pool.on('remove', (client) => void this.#backends.delete(backendOf(client)))
    this.stats = { waitingWrites: () => this.#waiting, observe: null }
  }

  async all<Row>(query: Query<Row>): Promise<Row[]> {
    const start = performance.now()
    const rows = await this.#guard(async () => (await this.#read(query)).rows)
    this.stats.observe?.('read', (performance.now() - start) / 1000)
    return rows as Row[]
  }

  async #read(query: Query<unknown>): Promise<QueryResult> {
    try {
      return await ask(this.#pool, query, readTimeout)
    } catch (error) {
      if (!isRetryable(error)) throw error
      return ask(this.#pool, query, readTimeout, 'unprepared')
    }
  }

  async first<Row>(query: Query<Row>): Promise<Row | undefined> {
    return (await this.all(query))[0]
  }

  snapshot<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    const begin = { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', query_timeout: readTimeout }
    return this.#session(begin, (client) => work(openReader(client)))
  }

  /** Queued within this process: if each waited on its own connection, none would be left for reads. */
  transaction<Result>(work: (db: Tx) => Promise<Result>): Promise<Result> {
    this.#waiting++
    const result = this.#turn.then(() => this.#write(work)).finally(() => this.#waiting--)
    this.#turn = result.catch(() => undefined)
    return result
  }

  async #write<Result>(work: (db: Tx) => Promise<Result>): Promise<Result> {
    const start = performance.now()
    const result = await this.#session(beginWrite, async (client, begun) => {
      const { count } = begun.at(-1)!.rows[0] as { count: number }
      if (count !== this.#migrations) throw await this.#noteNewer(client)
      const db = openTx(client)
      const result = await work(db)
      await db.flush()
      return result
    })
    this.stats.observe?.('write', (performance.now() - start) / 1000)
    this.#notify()
    return result
  }

  /** Retries after a deadlock or serialisation failure: the transaction was rolled back. */
  async #session<Result>(
    begin: Statement,
    work: (client: PoolClient, begun: QueryResult[]) => Promise<Result>,
  ): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#guard(() => inSession(this.#pool, begin, work))
      } catch (error) {
        if (!isRetryable(error)) throw error
        if (tries === 6) throw new StoreUnavailable(undefined, { cause: error })
        await sleep(5 * 2 ** tries * Math.random())
      }
    }
  }

  async #guard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw this.condition.note(postgresFault(error))
    }
  }

  async lookForMigrations(): Promise<void> {
    const row = await this.first(textQuery<{ count: number }>(countMigrations))
    if (row!.count !== this.#migrations) await this.#guard(() => this.#noteNewer(this.#pool))
  }

  async #noteNewer(client: Pool | PoolClient): Promise<StoreNewer> {
    const { rows } = await client.query<{ name: string }>('SELECT max(name) AS name FROM migrations')
    return this.condition.noteNewer(rows[0]!.name)
  }

  dataVersion(): null {
    return null
  }

  onCommit(listener: () => void): () => void {
    this.#listeners.add(listener)
    this.#listener ??= new PostgresListener(
      this.#url,
      (backend) => this.#backends.has(backend),
      () => this.#notify(),
    )
    return () => this.#listeners.delete(listener)
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }

  readonly copyTo = null

  /** Spool cannot read the cluster's files: it can only report what the server's own checksums found. */
  async check(): Promise<string[]> {
    const row = await this.first<{ failures: number | null }>(
      textQuery(
        'SELECT checksum_failures AS failures FROM pg_stat_database WHERE datname = current_database()',
      ),
    )
    if (!row?.failures) return []
    const damage = `PostgreSQL found ${row.failures} pages with a wrong checksum in this database`
    this.condition.noteDamage(damage)
    return [damage]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener?.[Symbol.asyncDispose]()
    await this.#pool.end()
  }
}

/** In pg, but not in its types. */
function backendOf(client: PoolClient): number {
  return (client as PoolClient & { processID: number }).processID
}

/** `begun`: what each statement of `begin` returned. */
async function inSession<Result>(
  pool: Pool,
  begin: Statement,
  work: (client: PoolClient, begun: QueryResult[]) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  // A connection lost between two queries has no query to reject: without a listener the error would end the process.
  const onLost = (error: Error): void => void (broken = error)
  client.on('error', onLost)
  try {
    const begun = [await client.query(begin)].flat()
    const result = await work(client, begun)
    await client.query('COMMIT')
    return result
  } catch (error) {
    // On a dead connection a ROLLBACK would wait for another timeout; one with stale plans would fail again.
    if (isOutOfReach(error) || isStalePlan(error)) broken ??= error as Error
    else await client.query('ROLLBACK').catch((failure: Error) => (broken = failure))
    throw error
  } finally {
    client.off('error', onLost)
    client.release(broken)
  }
}

function openReader(client: PoolClient, timeout = readTimeout): Db {
  const all = async <Row>(query: Query<Row>): Promise<Row[]> =>
    (await ask(client, query, timeout)).rows as Row[]
  return { dialect: 'postgres', build: build.postgres, all, first: async (query) => (await all(query))[0] }
}

function openTx(client: PoolClient): Tx & { flush(): Promise<void> } {
  const pending = new PendingRows()
  const flush = async (): Promise<void> => {
    for (const statement of pending.take()) await ask(client, statement, writeTimeout)
  }
  const all = async <Row>(query: Query<Row>): Promise<Row[]> => {
    if (pending.concerns(compileQuery('postgres', query).sql)) await flush()
    return (await ask(client, query, writeTimeout)).rows as Row[]
  }
  const run = async (query: Query<unknown>): Promise<number> => {
    // The statement may change or reference pending rows.
    await flush()
    return (await ask(client, query, writeTimeout)).rowCount ?? 0
  }
  return {
    dialect: 'postgres',
    build: build.postgres,
    all,
    first: async (query) => (await all(query))[0],
    run,
    queue: async (query) => void (await run(query)),
    async add(bulk, row) {
      if (pending.add(bulk, row)) await flush()
    },
    settled: openReader(client, writeTimeout),
    flush,
  }
}

/** Statements are prepared per connection under a name that is unique per text. */
const names = new Map<string, string>()

function ask(
  client: Pool | PoolClient,
  query: Query<unknown>,
  timeout: number,
  how: 'prepared' | 'unprepared' = 'prepared',
): Promise<QueryResult> {
  const { sql, parameters }: CompiledSql = compileQuery('postgres', query)
  let name = how === 'prepared' ? names.get(sql) : undefined
  if (how === 'prepared' && name === undefined && names.size < 1000) names.set(sql, (name = `s${names.size}`))
  const values = parameters as unknown[]
  return client.query({ ...(name ? { name } : {}), text: sql, values, query_timeout: timeout } as Statement)
}

function isRetryable(error: unknown): boolean {
  return ['40001', '40P01'].includes((error as { code?: string }).code ?? '') || isStalePlan(error)
}

/** A migration has added columns to a table since `SELECT *` of it was prepared on this connection. */
function isStalePlan(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string }
  return code === '0A000' && message.includes('cached plan')
}

/** Connection refused or lost, server silent, starting or stopping, too many connections, disk full, timeout. */
function isOutOfReach(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return (
    /^(08|53|57P)/.test(code) ||
    code === '57014' ||
    /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EHOST|ENETUNREACH|EAI_AGAIN|ENOENT)/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/i.test(
      message,
    )
  )
}

function postgresFault(error: unknown): unknown {
  const { code = '' } = error as { code?: string }
  // data_corrupted, index_corrupted
  if (['XX001', 'XX002'].includes(code)) return new StoreDamaged(`PostgreSQL's error ${code}`)
  // disk_full, io_error, read_only_sql_transaction
  if (['53100', '58030', '25006'].includes(code))
    return new StoreUnwritable(`PostgreSQL's error ${code}`, { cause: error })
  return isOutOfReach(error) ? new StoreUnavailable(undefined, { cause: error }) : error
}
