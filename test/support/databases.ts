import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { Client } from 'pg'
import { copyMigratedFile, migratedDatabase } from './migrated-store.ts'
import { skipWithout } from './parts/install.ts'
import { startPostgres } from './parts/postgres.ts'
import { startRedis, type Redis } from './parts/redis.ts'
import { scratchFolder } from './parts/scratch.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

export interface FreshDatabase extends AsyncDisposable {
  kind: DatabaseKind
  /** The environment variables that configure storage. */
  env: Record<string, string>
  /** The value of SPOOL_DATA. */
  folder: string
}

/** Databases to repeat a test on: both, or only SQLite if PostgreSQL is missing, reported as a skipped test. */
export const databases: DatabaseKind[] = ['sqlite']
const noPostgres = skipWithout('postgres')
if (noPostgres) test('the same on PostgreSQL', { skip: noPostgres })
else databases.push('postgres')

/** For tests that hardly depend on the database: alternates between the two, or runs both in a long run. */
export function oneDatabase(turn: number): DatabaseKind[] {
  return process.env['SPOOL_TEST_LONG'] === '1' ? databases : [databases[turn % databases.length]!]
}

/** `migrated`: with an empty store instead of none, which saves the time of making it. */
export async function freshDatabase(kind: DatabaseKind, { migrated = false } = {}): Promise<FreshDatabase> {
  const folder = scratchFolder('data')
  const env: Record<string, string> = { SPOOL_DATA: folder, SPOOL_SECRET: randomBytes(32).toString('hex') }
  const drop = kind === 'postgres' ? await createDatabase(env, migrated) : async () => {}
  if (migrated && kind === 'sqlite') await copyMigratedFile(folder)
  return {
    kind,
    env,
    folder,
    async [Symbol.asyncDispose]() {
      await drop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function createDatabase(env: Record<string, string>, migrated: boolean): Promise<() => Promise<void>> {
  const cluster = await sharedPostgres()
  const name = `t_${randomBytes(8).toString('hex')}`
  const template = migrated ? ` TEMPLATE ${await migratedDatabase(cluster)}` : ''
  await runOn(cluster, `CREATE DATABASE ${name}${template}`)
  const url = new URL(cluster)
  url.pathname = `/${name}`
  // A busy machine may take long to open a connection.
  url.searchParams.set('connect_timeout', '60')
  env['SPOOL_DATABASE_URL'] = url.href
  return () => runOn(cluster, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

export async function runOn(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

let postgres: Promise<string> | undefined
let redis: Promise<string> | undefined

/** The test run's cluster, or one for this process if a test file is run on its own. */
export function sharedPostgres(): Promise<string> {
  const given = process.env['SPOOL_TEST_POSTGRES']
  return (postgres ??= given ? Promise.resolve(given) : startPostgres().then((part) => part.url))
}

/** For tests that do not mind other writers. */
export function sharedRedis(): Promise<string> {
  const given = process.env['SPOOL_TEST_REDIS']
  return (redis ??= given ? Promise.resolve(given) : startRedis().then((part) => part.url))
}

/** A separate server: Redis channels span database numbers, so those do not isolate two tests. */
export function freshRedis(): Promise<Redis> {
  return startRedis()
}
