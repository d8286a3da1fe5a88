import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Freshness, Versions } from '../core/freshness.ts'
import type { Observer } from './observer.ts'
import { tooMuchToDo } from '../model/errors.ts'
import { Exchange } from './exchange.ts'

export type Handle = (exchange: Exchange, versions: () => Promise<Versions>) => Promise<void>

/**
 * Maximum number of requests in progress. With more, all of them would take longer than their clients wait, so further
 * ones are rejected before they cost anything.
 */
const mostUnderWay = 1_000
/**
 * In milliseconds. A request waits as long for the store's versions as for each of its queries. If that takes longer
 * than this while many requests are in progress, the waiting ones are rejected before they send more queries.
 */
const longestWait = 150
const manyUnderWay = 100

/**
 * Answers all requests of one event loop turn together: the store's versions are read once for all of them, and
 * running the same code back to back makes a hot list a quarter cheaper than alternating between reading and
 * answering. `waiting`: how many requests in progress only wait for something to happen; null if that is unknown, in
 * which case none is rejected. `headersFor`: headers of every answer, also of a rejection.
 */
export function inTurns(
  { freshness, observer }: { freshness: Freshness; observer: Observer },
  route: string,
  handle: Handle,
  waiting: (() => number) | null = null,
  headersFor: (request: IncomingMessage) => string[] = () => [],
): (request: IncomingMessage, response: ServerResponse) => void {
  let arrived: Exchange[] = []
  let underWay = 0
  const end = (): void => void underWay--

  async function look(): Promise<Versions> {
    const began = performance.now()
    const versions = await freshness.current()
    if (waiting && underWay - waiting() > manyUnderWay && performance.now() - began > longestWait)
      throw tooMuchToDo
    return versions
  }

  function answerArrived(): void {
    const together = arrived
    arrived = []
    let looked: Promise<Versions> | null = null
    const versions = (): Promise<Versions> => (looked ??= look())
    for (const exchange of together)
      handle(exchange, versions).then(end, (error: unknown) => {
        end()
        exchange.fail(error)
      })
  }

  return (request, response) => {
    const exchange = new Exchange(observer, request, response, route)
    exchange.headers.push(...headersFor(request))
    if (waiting && underWay - waiting() >= mostUnderWay) return exchange.fail(tooMuchToDo)
    underWay++
    if (arrived.push(exchange) === 1) setImmediate(answerArrived)
  }
}
