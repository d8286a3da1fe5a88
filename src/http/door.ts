import type { IncomingMessage, ServerResponse } from 'node:http'
import packageJson from '../../package.json' with { type: 'json' }
import { stampOf } from '../core/cache.ts'
import type { Versions } from '../core/freshness.ts'
import type { News } from '../core/log/news.ts'
import type { ReadingTally } from '../core/tokens/reading-tally.ts'
import type { Caller } from '../model/access.ts'
import type { ByteRange } from '../model/files/byte-range.ts'
import { SpoolError } from '../model/errors.ts'
import type { Reads } from '../model/reads.ts'
import { Admission, tokensPage, type AdmissionContext } from './admission.ts'
import { chooseCoding, type Coding } from './content/coding.ts'
import { Cors } from './cors.ts'
import { isSame, tagOf } from './content/etag.ts'
import type { Observer } from './observer.ts'
import { readQuery } from './query.ts'
import { readRange } from './content/range.ts'
import type { Answer, Flow, Route, Streamed } from './route.ts'
import { base, matchRoute } from './routes/v1/table.ts'
import { pour } from './stream.ts'
import { inTurns } from './turn.ts'
import {
  abortWhenGone,
  encode,
  isFlow,
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
  /** Origins whose pages may call the API; `*` for all. */
  corsOrigins: readonly string[]
}

/** A complete answer, ready to send or to cache. */
interface Finished {
  route: Route
  body: Body
  coding: Coding | null
  contentType: string
  /** Null for answers that are never cached. */
  etag: string | null
  /** Names and values alternate. Headers that describe the body are added when it is sent. */
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
  const { spool, news, tally, cache, freshness } = context
  const admission = new Admission(context, ['pat'])
  const cors = new Cors(context.corsOrigins)

  const answer = inTurns(
    context,
    `${base}/*`,
    handle,
    () => news.waiting,
    (request) => cors.headersFor(request),
  )
  return (request, response) => {
    if (!cors.answerPreflight(request, response)) answer(request, response)
  }

  async function handle(exchange: Exchange, versions: () => Promise<Versions>): Promise<void> {
    const { request, response } = exchange
    const who = await admission.recognise(request, versions)
    admission.passRate(exchange, await admission.takeFromLimit(request, who?.caller ?? null))
    const { caller, view, scopes } = admission.passToken(exchange, who)
    const target = targetOf(request)
    const coding = chooseCoding(request.headers['accept-encoding'])
    const key = `rest ${coding ?? ''} ${view} ${target}`
    const asOf = { scopes, versions: await versions() }
    const known = cache.find<Finished>(key, asOf.versions)
    const { route, path } = known ? { route: known.route, path: {} } : requireRoute(target)
    exchange.route = base + route.path
    requireReading(exchange, route)
    requireScope(exchange, caller, route, spool.url)
    if (known) return send(exchange, known)

    const made = await route.handle({
      spool,
      news,
      caller,
      path,
      query: readQuery(route.query, queryOf(target)),
      url: target,
      header: (name) => request.headers[name] as string | undefined,
      noteReads: (reads) => tally.noteReads(caller.token.id, reads, spool.now()),
      whenGone: () => abortWhenGone(response),
      renew: async () => {
        const renewed = await admission.recognise(request, () => freshness.current())
        return admission.passToken(exchange, renewed).caller
      },
    })
    if (isFlow(made.body)) return sendFlow(exchange, { ...made, body: made.body }, coding)
    const body = toBytes(made.body)
    const etag = isStreamed(body) ? body.etag : tag(route, body, view, asOf)
    const sent = isStreamed(body) ? { body, coding: null } : await encode(body, coding)
    const finished: Finished = {
      route,
      ...sent,
      contentType: made.contentType ?? 'application/json; charset=utf-8',
      etag,
      headers: [...(etag === null ? [] : ['ETag', etag]), ...Object.entries(made.headers ?? {}).flat()],
      reads: made.reads ?? null,
    }
    if (etag !== null && !isStreamed(sent.body)) {
      // Each coding is cached separately, in the form in which it is sent.
      const { body } = sent
      const bytes = lengthOf(body) + 2 * key.length
      cache.keep(key, { bytes, ...asOf }, () => ({ ...finished, body: join(body) }))
    }
    send(exchange, finished)
  }

  function send(exchange: Exchange, answer: Finished): void {
    const { body, coding, contentType, etag, headers, reads } = answer
    const isKnown = etag !== null && isSame(exchange.request.headers['if-none-match'], etag)
    const range = isStreamed(body) && !isKnown ? requireRange(exchange, body) : null
    const { id } = exchange.caller!.token
    const now = spool.now()
    tally.noteCall(id, exchange.route, now)
    // A 304 hands out no content, so it does not count as a read.
    if (reads && !isKnown) tally.noteReads(id, reads, now)
    exchange.headers.push(...headers)
    if (isKnown) return exchange.finish(304, nothing)
    exchange.headers.push('Content-Type', contentType)
    if (coding !== null) exchange.headers.push('Content-Encoding', coding)
    if (isStreamed(body)) return sendStored(exchange, body, range)
    exchange.headers.push('Content-Length', String(lengthOf(body)))
    exchange.finish(200, body)
  }

  async function sendFlow(
    exchange: Exchange,
    { body, contentType, headers = {} }: Answer & { body: Flow },
    coding: Coding | null,
  ): Promise<void> {
    const { request, response } = exchange
    const pieces = body.flow()
    // An error before the first chunk still gets a normal error response.
    const first = await pieces.next()
    tally.noteCall(exchange.caller!.token.id, exchange.route, spool.now())
    exchange.headers.push('Content-Type', contentType!, ...Object.entries(headers).flat())
    // Stops proxies from buffering.
    exchange.headers.push('X-Accel-Buffering', 'no')
    if (coding !== null) exchange.headers.push('Content-Encoding', coding)
    exchange.writeHead(200)
    if (request.method === 'HEAD') {
      response.end()
      await pieces.return(undefined)
    } else await pour(response, first, pieces, coding)
    exchange.record(200)
  }

  function tag(
    { taggedBy }: Route,
    body: Exclude<Body, Streamed>,
    view: string,
    { scopes, versions }: { scopes: Parameters<typeof stampOf>[0]; versions: Versions },
  ): string | null {
    if (taggedBy === null) return null
    if (taggedBy === 'content') return tagOf(join(body))
    return tagOf(
      `${view} ${stampOf(scopes, versions)} ${packageJson.version} ${spool.url} ${spool.db.identity}`,
    )
  }
}

const nothing = Buffer.of()

function sendStored(exchange: Exchange, { length, pieces }: Streamed, range: ByteRange | null): void {
  const { start, end } = range ?? { start: 0, end: length }
  exchange.headers.push('Accept-Ranges', 'bytes', 'Content-Length', String(end - start))
  if (range) exchange.headers.push('Content-Range', `bytes ${start}-${end - 1}/${length}`)
  exchange.finish(range ? 206 : 200, pieces({ start, end }))
}

/** Everything after the first question mark; values may contain more of them. */
export function queryOf(target: string): string {
  const question = target.indexOf('?')
  return question === -1 ? '' : target.slice(question + 1)
}

function requireRoute(target: string): NonNullable<ReturnType<typeof matchRoute>> {
  const match = matchRoute(target.split('?', 1)[0]!)
  if (!match) throw new SpoolError('not_found', 'There is no such route; see /docs for the list.')
  return match
}

function requireRange(exchange: Exchange, stored: Streamed): ByteRange | null {
  const range = readRange(exchange.request, stored)
  if (range !== 'none') return range
  exchange.headers.push('Content-Range', `bytes */${stored.length}`)
  throw new SpoolError(
    'range_not_satisfiable',
    `There are no such bytes; the file has ${stored.length}. Ask for a part of them, or leave out Range.`,
  )
}

function requireReading(exchange: Exchange, { path }: Route): void {
  const { method } = exchange.request
  if (method === 'GET' || method === 'HEAD') return
  exchange.headers.push('Allow', 'GET, HEAD')
  throw new SpoolError('method_not_allowed', `The API is read-only; ${path} accepts only GET and HEAD.`)
}

function requireScope(exchange: Exchange, { token }: Caller, { scope }: Route, url: string): void {
  if (scope === null || token.scopes.includes(scope)) return
  exchange.headers.push(
    'WWW-Authenticate',
    `Bearer realm="spool", error="insufficient_scope", scope="${scope}"`,
  )
  throw new SpoolError(
    'insufficient_scope',
    `This token lacks the scope ${scope}; create one that has it in the web inbox under Settings, Tokens (${tokensPage(url)}), or with: spool token create … --scope ${scope}.`,
  )
}
