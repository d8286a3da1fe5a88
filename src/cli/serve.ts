import { once } from 'node:events'
import type { Command } from 'commander'
import type { Logger } from 'pino'
import { openServedSpool } from '../app/open.ts'
import { readConfig } from '../config.ts'
import { becomeOwner } from '../config/folder-owner.ts'
import { offerSetup } from '../core/people/invitations.ts'
import type { Spool } from '../core/spool.ts'
import { StoreUnavailable } from '../model/errors.ts'
import { warnOfTypos, withJson, type Environment } from './command.ts'
import { boundHeap } from './heap.ts'
import { tryPreparePage } from './page.ts'
import { reportNewStore } from './spool.ts'

export function addServe(program: Command, environment: Environment): void {
  withJson(program.command('serve').description('the server: all doors and workers')).action(
    async (options: { json?: boolean }) => {
      const stop = stopSignal()
      // Before the program is loaded, which would use up the growth that is left.
      setInterval(boundHeap(), 200).unref()
      warnOfTypos(environment)
      const config = readConfig(environment)
      if (config.databaseUrl === null) becomeOwner(config)
      // The store opens in its own thread while the rest is loaded.
      const { promise: logOpened, resolve: openLog } = Promise.withResolvers<Logger>()
      const opening = openServedSpool(config, logOpened)
      opening.catch(() => undefined)
      const [{ startApp }, { makeLog }, { awaitStore }] = await Promise.all([
        import('../app.ts'),
        import('../app/log.ts'),
        import('../app/await-store.ts'),
      ])
      const log = makeLog(config)
      openLog(log)
      await tryPreparePage()
      using store = await awaitStore(config, log, opening, stop)
      if (store === null) return endWithin(mostToLeave)
      await using app = await startApp({ ...config, port: store.port }, log, store)
      reportNewStore(config, app.spool)
      const setup = await offerSetup(app.spool).catch(whenAway)
      const setupUrl = setup === 'away' ? undefined : setup?.url
      const started = { url: app.url, setupUrl }
      process.stdout.write(
        options.json
          ? `${JSON.stringify(started)}\n`
          : `Spool listens at ${app.url}\n${setupUrl ? describeSetup(setupUrl) : ''}`,
      )
      using _again = offerAgain(app.spool, setup === 'away' ? soon : hour)
      await untilStopped(stop)
      endWithin(config.drainSeconds * 1000 + mostToClose)
      await app.drain()
      await app[Symbol.asyncDispose]()
      log.info('Spool stopped')
      endWithin(mostToLeave)
    },
  )
}

/**
 * Time for work in flight to finish or be handed over. The rest is recovered as after a crash. Together with draining
 * this leaves two of the ten seconds for a busy process to notice the signal.
 */
const mostToClose = 6_000
/** Time for what is left after the store is closed: the last log lines, clients that do not hang up. */
const mostToLeave = 500

/** Exits by then, whatever keeps the process alive. */
function endWithin(milliseconds: number): void {
  setTimeout(() => process.exit(0), milliseconds).unref()
}

function describeSetup(url: string): string {
  return `There is no admin yet. Make the first one here, within the hour:\n\n  ${url}\n\n`
}

const hour = 3_600_000
const soon = 5_000

/** The database can become unavailable at the moment the server is ready. That is no reason to exit. */
function whenAway(error: unknown): 'away' {
  if (error instanceof StoreUnavailable) return 'away'
  throw error
}

/** Offers a set-up link again when an unused one has expired, and soon after the database was unavailable. */
function offerAgain(spool: Spool, pause: number): Disposable {
  const offer = async (): Promise<void> => {
    const setup = await offerSetup(spool).catch(() => 'away' as const)
    if (setup && setup !== 'away') process.stderr.write(describeSetup(setup.url))
    timer = setTimeout(offer, setup === 'away' ? soon : hour).unref()
  }
  let timer = setTimeout(offer, pause).unref()
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

/** Signals this close together count as one: a terminal sends Ctrl+C to the whole group, and npm forwards it again. */
const oneSignal = 1_000

/**
 * Aborts on Ctrl+C, the service manager's stop or the terminal's end; listens from now on. A second signal exits at
 * once.
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController()
  let first = 0
  const onSignal = (): void => {
    if (stop.signal.aborted && performance.now() - first > oneSignal) process.exit(1)
    first ||= performance.now()
    stop.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  return stop.signal
}

export async function untilStopped(stop: AbortSignal): Promise<void> {
  if (!stop.aborted) await once(stop, 'abort')
}
