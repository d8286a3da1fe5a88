import { pino } from 'pino'
import { startApp, type App } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { FreshDatabase } from './databases.ts'

export interface Node extends AsyncDisposable {
  app: App
  /** Log output, one JSON line per entry. */
  log: string[]
  /** Sends a GET request and returns the status. */
  ask(path: string, token: string): Promise<number>
}

/** Starts another server on a store that others may already be using. */
export async function startNode(
  database: FreshDatabase,
  environment: Record<string, string> = {},
): Promise<Node> {
  const log: string[] = []
  const config = readConfig({
    SPOOL_RATE_LIMIT: '1000000/60',
    SPOOL_RATE_LIMIT_ANONYMOUS: '1000000/60',
    ...database.env,
    SPOOL_PORT: '0',
    ...environment,
  })
  const app = await startApp(config, pino({ level: 'info' }, { write: (line) => void log.push(line) }))
  return {
    app,
    log,
    async ask(path, token) {
      const response = await fetch(app.url + path, { headers: { authorization: `Bearer ${token}` } })
      await response.arrayBuffer()
      return response.status
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}
