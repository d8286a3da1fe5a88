import { randomBytes } from 'node:crypto'
import { runOn } from '../test/support/databases.ts'
import { startPostgres } from '../test/support/parts/postgres.ts'
import { buildStore, type BenchStore } from './store.ts'

export interface BenchPostgres extends AsyncDisposable {
  build(threads: number): Promise<BenchStore>
  /** Creates a fresh database; returns the environment variables with which Spool uses it. */
  empty(): Promise<Record<string, string>>
}

/** A cluster for this run; its stores are rebuilt each time. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  const cluster = await startPostgres()
  const create = async (name: string): Promise<{ url: URL; env: Record<string, string> }> => {
    await runOn(cluster.url, `CREATE DATABASE ${name}`)
    const url = new URL(cluster.url)
    url.pathname = `/${name}`
    return { url, env: { SPOOL_DATABASE_URL: url.href, SPOOL_SECRET: randomBytes(32).toString('hex') } }
  }
  return {
    empty: async () => (await create(`empty_${randomBytes(8).toString('hex')}`)).env,
    async build(threads) {
      const { url, env } = await create(`threads_${threads}`)
      const store = await buildStore(env, threads)
      // The server does this by itself after a while.
      await runOn(url.href, 'VACUUM ANALYZE')
      return store
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  }
}
