import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { startWaitingServer } from '../http/waiting-server.ts'
import { StoreUnavailable } from '../model/errors.ts'
import { unlessAborted } from '../webhook/connections.ts'
import { openServedSpool, type OpenedSpool } from './open.ts'

/** A store that became available late, and the placeholder server that holds its port until the real one takes over. */
export type AwaitedStore = NonNullable<Awaited<ReturnType<typeof awaitStore>>>

const firstPause = 500
const longestPause = 5_000
/** How often to log that it is still waiting. */
const logEvery = 60_000

/**
 * For a node that starts before its database: waits until PostgreSQL is reachable and answers 503 meanwhile. Throws on
 * errors that waiting does not fix (wrong password, no such database). Null if `stop` fires first.
 */
export async function awaitStore(
  config: Config,
  log: Logger,
  first: Promise<OpenedSpool>,
  stop: AbortSignal,
) {
  using stack = new DisposableStack()
  let { port } = config
  let loggedAt = -Infinity
  let spool: OpenedSpool | null = null
  for (let tries = 0; spool === null; tries++) {
    try {
      const opening = tries === 0 ? first : openServedSpool(config, log)
      // A connection attempt can take seconds to time out: too long when stopping.
      spool = await (config.databaseUrl === null ? opening : unlessAborted(opening, stop))
    } catch (error) {
      if (stop.aborted) return null
      if (!(error instanceof StoreUnavailable) || config.databaseUrl === null) throw error
      if (tries === 0) ({ port } = stack.use(await startWaitingServer(config, log)))
      if (performance.now() - loggedAt > logEvery) {
        loggedAt = performance.now()
        const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException
        log.warn({ port, code, reason: message }, 'the database is unreachable: waiting for it')
      }
      const pause = Math.min(longestPause, firstPause * 2 ** tries)
      await sleep(pause, undefined, { signal: stop }).catch(() => undefined)
    }
  }
  if (loggedAt > 0) log.info('the database is reachable again')
  const waiting = stack.move()
  // The port that was bound while waiting.
  return { spool, port, [Symbol.dispose]: () => waiting.dispose() }
}
