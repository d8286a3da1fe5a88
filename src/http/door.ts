import type { IncomingMessage, ServerResponse } from 'node:http'
import packageJson from '../../package.json' with { type: 'json' }
import { stampOf } from '../core/cache.ts'
import type { Versions } from '../core/freshness.ts'
import type { News } from '../core/log/news.ts'
import type { ReadingTally } from '../core/tokens/reading-tally.ts'
import type { Caller } from '../model/access.ts'
import { SpoolError } from '../model/errors.ts'
import type { Reads } from '../model/reads.ts'
import { Admission, type AdmissionContext } from './admission.ts'
import { isSame, tagOf } from './etag.ts'
import type { Observer } from './observer.ts'
import { readQuery } from './query.ts'
import type { Route } from './route.ts'
import { base, matchRoute } from './routes/v1/table.ts'
import { inTurns } from './turn.ts'
import {
  abortWhenGone,
  finish,
  isStreamed,
  join,
  lengthOf,
  toBytes,
  type Body,
  type Exchange,
} from './exchange.ts'

export interface DoorContext extends AdmissionContext {
  news: News
  observer: Observer
  tally: ReadingTally
}

/** A complete answer, ready to send or to cache. */
interface Finished {
  route: Route
  body: Body
  contentType: string
  /** Null for answers that are never cached. */
  etag: string | null
  /** Names and values alternating, without those of the body. */
  headers: readonly string[]
  reads: Reads | null
}

/** Path and query as requested; an absolute-form target (as sent to a proxy) is reduced to its path. */
export function targetOf(request: IncomingMessage): string {
  const url = request.url ?? '/'
  return url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/'
}

export function isV1(target: string): boolean {
  return target.startsWith(base) && (target.length === base.length || '/?'.includes(target[base.length]!))
}

/**
 * REST API v1. Checks run in a fixed order and the first failure answers: token, rate, route and method, scope,
 * parameters, resource. It runs before the framework's router, because routing would cost nearly as much as an answer
 * from the cache.
 */
export function openV1(context: DoorContext): (request: IncomingMessage, response: ServerResponse) => void {
  const { spool, news, observer, tally, cache, freshness } = context
  const admission = new Admission(context)

  return inTurns(context, `${base}/*`, async (request, response, exchange, versions) => {
    const who = await admission.recognise(request, versions)
    admission.passRate(exchange, await admission.takeFromLimit(request, who?.caller ?? null))
    const { caller, view, scopes } = admission.passToken(request, exchange, who)
    const target = targetOf(request)
    const key = `rest ${view} ${target}`
    const asOf = { scopes, versions: await versions() }
    const known = cache.find<Finished>(key, asOf.versions)
    const { route, path } = known ? { route: known.route, path: {} } : requireRoute(target)
    exchange.route = base + route.path
    requireReading(request, exchange, route)
    requireScope(exchange, caller, route)
    if (known) return send(request, response, exchange, known)

    const made = await route.handle({
      spool,
      news,
      caller,
      path,
      query: readQuery(route.query, queryOf(target)),
      url: target,
      whenGone: () => abortWhenGone(response),
      renew: async () => {
        const renewed = await admission.recognise(request, () => freshness.current())
        return admission.passToken(request, exchange, renewed).caller
      },
    })
    const body = toBytes(made.body)
    const etag = tag(route, body, view, asOf)
    const finished: Finished = {
      route,
      body,
      contentType: made.contentType ?? 'application/json; charset=utf-8',
      etag,
      headers: [...(etag === null ? [] : ['ETag', etag]), ...Object.entries(made.headers ?? {}).flat()],
      reads: made.reads ?? null,
    }
    if (etag !== null && !isStreamed(body)) {
      const bytes = lengthOf(body) + 2 * key.length
      cache.keep(key, { bytes, ...asOf }, () => ({ ...finished, body: join(body) }))
    }
    send(request, response, exchange, finished)
  })

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    answer: Finished,
  ): void {
    const { body, contentType, etag, headers, reads } = answer
    const isKnown = etag !== null && isSame(request.headers['if-none-match'], etag)
    const { id } = exchange.caller!.token
    const now = spool.now()
    tally.noteCall(id, exchange.route, now)
    // A 304 hands out no content, so it does not count as a read.
    if (reads && !isKnown) tally.noteReads(id, reads, now)
    exchange.headers.push(...headers)
    if (!isKnown) exchange.headers.push('Content-Type', contentType, 'Content-Length', String(lengthOf(body)))
    finish(observer, request, response, exchange, isKnown ? 304 : 200, isKnown ? nothing : body)
  }

  function tag(
    { taggedBy }: Route,
    body: Body,
    view: string,
    { scopes, versions }: { scopes: Parameters<typeof stampOf>[0]; versions: Versions },
  ): string | null {
    if (taggedBy === null || isStreamed(body)) return null
    if (taggedBy === 'content') return tagOf(join(body))
    return tagOf(`${view} ${stampOf(scopes, versions)} ${packageJson.version} ${spool.url}`)
  }
}

const nothing = Buffer.of()

/** Everything after the first question mark; values may contain more of them. */
function queryOf(target: string): string {
  const question = target.indexOf('?')
  return question === -1 ? '' : target.slice(question + 1)
}

function requireRoute(target: string): NonNullable<ReturnType<typeof matchRoute>> {
  const match = matchRoute(target.split('?', 1)[0]!)
  if (!match) throw new SpoolError('not_found', 'There is no such route; see /docs for the list.')
  return match
}

function requireReading({ method }: IncomingMessage, exchange: Exchange, { path }: Route): void {
  if (method === 'GET' || method === 'HEAD') return
  exchange.headers.push('Allow', 'GET, HEAD')
  throw new SpoolError('method_not_allowed', `The API is read-only; ${path} accepts only GET and HEAD.`)
}

function requireScope(exchange: Exchange, { token }: Caller, { scope }: Route): void {
  if (scope === null || token.scopes.includes(scope)) return
  exchange.headers.push(
    'WWW-Authenticate',
    `Bearer realm="spool", error="insufficient_scope", scope="${scope}"`,
  )
  throw new SpoolError(
    'insufficient_scope',
    `This token lacks the scope ${scope}; create one that has it: spool token create … --scope ${scope}.`,
  )
}
