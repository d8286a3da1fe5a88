import { randomBytes } from 'node:crypto'
import { runOn } from '../test/support/databases.ts'
import { startPostgres } from '../test/support/parts/postgres.ts'
import { buildStore, type BenchStore } from './store.ts'

export interface BenchPostgres extends AsyncDisposable {
  build(threads: number): Promise<BenchStore>
}

/** A cluster for this run; its stores are built anew each time. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  const cluster = await startPostgres()
  return {
    async build(threads) {
      const name = `threads_${threads}`
      await runOn(cluster.url, `CREATE DATABASE ${name}`)
      const url = new URL(cluster.url)
      url.pathname = `/${name}`
      const env = { SPOOL_DATABASE_URL: url.href, SPOOL_SECRET: randomBytes(32).toString('hex') }
      const store = await buildStore(env, threads)
      // What the server does by itself after a while.
      await runOn(url.href, 'VACUUM ANALYZE')
      return store
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  }
}
