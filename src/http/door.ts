import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import packageJson from '../../package.json' with { type: 'json' }
import {
  readCredential,
  type Admitted,
  type Authentication,
  type Credential,
} from '../core/authentication.ts'
import type { News } from '../core/news.ts'
import type { Allowance, RateLimit } from '../core/rate-limit.ts'
import type { Spool } from '../core/spool.ts'
import type { Caller } from '../model/access.ts'
import { SpoolError } from '../model/errors.ts'
import { AnswerMemory, viewKey, type Remembered } from './answer-memory.ts'
import { tagOf } from './etag.ts'
import { limitKey } from './client-address.ts'
import { readFailure } from './errors.ts'
import { flatSecurityHeaders, newRequestId, rateLimitHeaders } from './headers.ts'
import type { Observer } from './observer.ts'
import { readQuery } from './query.ts'
import type { Answer, Route, Streamed } from './route.ts'
import { base, matchRoute } from './routes/v1/table.ts'

export interface DoorContext {
  spool: Spool
  news: News
  authentication: Authentication
  limits: { token: RateLimit; anonymous: RateLimit }
  addressOf(request: IncomingMessage): string
  observer: Observer
}

/** Path and query as asked; a target with scheme and host (a proxy's form) counts as its path. */
export function targetOf(request: IncomingMessage): string {
  const url = request.url ?? '/'
  return url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/'
}

export function isV1(target: string): boolean {
  return target.startsWith(base) && (target.length === base.length || '/?'.includes(target[base.length]!))
}

/** What is known of a request while it is answered; the log and the error need it however far it came. */
interface Visit {
  id: string
  start: number
  route: Route | null
  caller: Caller | null
  headers: string[]
}

/**
 * REST API v1. Every request takes the same way, and the first check that fails answers: token, rate, route and method,
 * scope, parameters, resource. It stands before the framework's router, because an answer that is remembered costs
 * little more than that would.
 */
export function openV1(context: DoorContext): (request: IncomingMessage, response: ServerResponse) => void {
  const credentialOf = credentialReader()
  const { spool, news, authentication, limits, observer } = context
  const memory = new AnswerMemory(() => `${packageJson.version} ${spool.url}`)

  function recognise(request: IncomingMessage): Admitted | null | Promise<Admitted | null> {
    const credential = credentialOf(request)
    const now = spool.now()
    const recalled = credential && authentication.recall(credential, now)
    return recalled === undefined ? authentication.authenticate(credential!, now) : recalled
  }

  function takeFromLimit(request: IncomingMessage, caller: Caller | null): Allowance | Promise<Allowance> {
    return caller
      ? limits.token.take(caller.token.id)
      : limits.anonymous.take(limitKey(context.addressOf(request)))
  }

  function admit(
    request: IncomingMessage,
    visit: Visit,
    admitted: Admitted | null,
    allowance: Allowance,
  ): Admitted {
    visit.headers.push(...rateLimitHeaders(allowance))
    if (!allowance.allowed) {
      visit.headers.push('Retry-After', String(allowance.reset))
      throw new SpoolError('rate_limited', `Too many requests; try again in ${allowance.reset} seconds.`)
    }
    if (!admitted) throw refuseToken(request, visit)
    visit.caller = admitted.caller
    return admitted
  }

  function refuseToken(request: IncomingMessage, visit: Visit): SpoolError {
    visit.headers.push('WWW-Authenticate', challenge(request))
    return new SpoolError(
      'unauthorized',
      'This needs a valid personal access token in the header "Authorization: Bearer …"; it is missing, malformed, unknown, expired or revoked.',
    )
  }

  async function renew(request: IncomingMessage, visit: Visit): Promise<Caller> {
    const admitted = await recognise(request)
    if (!admitted) throw refuseToken(request, visit)
    return admitted.caller
  }

  /** Waits only where there is something to wait for: an answer that is remembered goes out at once. */
  async function answer(request: IncomingMessage, response: ServerResponse, visit: Visit): Promise<void> {
    const recognised = recognise(request)
    const who = recognised instanceof Promise ? await recognised : recognised
    const taken = takeFromLimit(request, who?.caller ?? null)
    const allowance = taken instanceof Promise ? await taken : taken
    const { caller, versions } = admit(request, visit, who, allowance)
    const target = targetOf(request)
    const question = target.indexOf('?')
    const match = matchRoute(question === -1 ? target : target.slice(0, question))
    if (!match) throw new SpoolError('not_found', 'There is no such route; /docs lists them.')
    const { route, path } = match
    visit.route = route
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      visit.headers.push('Allow', 'GET, HEAD')
      throw new SpoolError('method_not_allowed', `The API only reads: ${route.path} knows GET and HEAD.`)
    }
    if (route.scope !== null && !caller.token.scopes.includes(route.scope)) {
      visit.headers.push(
        'WWW-Authenticate',
        `Bearer realm="spool", error="insufficient_scope", scope="${route.scope}"`,
      )
      throw new SpoolError(
        'insufficient_scope',
        `This token lacks the scope ${route.scope}; make one that has it.`,
      )
    }
    const view = viewKey(caller)
    const key = `${view} ${target}`
    const stamp = memory.stamp(caller, view, versions)
    const known = route.taggedBy === null ? null : memory.find(key, stamp.text)
    if (known) return send(request, response, visit, known)
    const viewTag = route.taggedBy === 'view' ? stamp.tag : null
    // Whoever has the tag has been given the answer: nothing needs to be read to know that it is still true.
    if (viewTag !== null && request.headers['if-none-match'] === viewTag)
      return send(request, response, visit, { body: nothing, etag: viewTag, link: null })

    const query = readQuery(route.query, question === -1 ? '' : target.slice(question + 1))
    const whenGone = (): AbortSignal => abortWhenGone(response)
    const renewed = (): Promise<Caller> => renew(request, visit)
    const made = await route.handle({
      spool,
      news,
      caller,
      path,
      query,
      url: target,
      whenGone,
      renew: renewed,
    })
    if (route.taggedBy === null || isStreamed(made.body)) return sendOnce(request, response, visit, made)
    const body = toBytes(made.body)
    const link = made.headers?.['Link'] ?? null
    const remembered = { stamp: stamp.text, body, etag: viewTag ?? tagOf(body), link }
    memory.keep(key, remembered)
    send(request, response, visit, remembered)
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    visit: Visit,
    { body, etag, link }: Omit<Remembered, 'stamp'>,
  ): void {
    const fresh = isSame(request.headers['if-none-match'], etag)
    visit.headers.push('ETag', etag)
    if (link !== null) visit.headers.push('Link', link)
    if (!fresh)
      visit.headers.push(
        'Content-Type',
        'application/json; charset=utf-8',
        'Content-Length',
        String(body.length),
      )
    finish(request, response, visit, fresh ? 304 : 200, fresh ? nothing : body)
  }

  function sendOnce(request: IncomingMessage, response: ServerResponse, visit: Visit, made: Answer): void {
    const body = isStreamed(made.body) ? made.body : toBytes(made.body)
    visit.headers.push('Content-Type', made.contentType ?? 'application/json; charset=utf-8')
    visit.headers.push('Content-Length', String(body.length), ...Object.entries(made.headers ?? {}).flat())
    finish(request, response, visit, 200, body)
  }

  function finish(
    request: IncomingMessage,
    response: ServerResponse,
    visit: Visit,
    status: number,
    body: Uint8Array | Streamed,
  ): void {
    visit.headers.push(
      'X-Request-Id',
      visit.id,
      'Cache-Control',
      'private, no-cache',
      'Vary',
      'Authorization',
      ...flatSecurityHeaders,
    )
    // What was sent along with a request that takes no body is not waited for.
    if (hasBody(request)) visit.headers.push('Connection', 'close')
    response.writeHead(status, visit.headers)
    if (request.method === 'HEAD') response.end()
    else if (isStreamed(body)) stream(response, visit, body)
    else response.end(body)
    observer.request({
      id: visit.id,
      method: request.method ?? '',
      route: visit.route ? base + visit.route.path : `${base}/*`,
      status,
      seconds: (performance.now() - visit.start) / 1000,
      tokenId: visit.caller?.token.id ?? null,
    })
  }

  /** As fast as the client reads; one that stops holds a piece or two. What fails on the way can only be cut off. */
  function stream(response: ServerResponse, visit: Visit, { pieces }: Streamed): void {
    pipeline(pieces(), response, (error) => {
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') observer.fault(visit.id, error)
    })
  }

  function fail(request: IncomingMessage, response: ServerResponse, visit: Visit, error: unknown): void {
    const { status, body: text, headers } = readFailure(error, visit.id)
    const body = toBytes(text)
    if (status >= 500) observer.fault(visit.id, error)
    if (response.headersSent || response.destroyed) return void response.destroy()
    visit.headers.push(...Object.entries(headers).flat())
    visit.headers.push(
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(body.length),
    )
    finish(request, response, visit, status, body)
  }

  return (request, response) => {
    const visit: Visit = {
      id: newRequestId(),
      start: performance.now(),
      route: null,
      caller: null,
      headers: [],
    }
    answer(request, response, visit).catch((error: unknown) => fail(request, response, visit, error))
  }
}

const nothing = Buffer.of()

function isStreamed(body: Answer['body']): body is Streamed {
  return typeof body === 'object' && 'pieces' in body
}

function toBytes(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body
}

/** A client sends the same header again and again on its connection: it is read and hashed once. */
function credentialReader(): (request: IncomingMessage) => Credential | null {
  const read = new WeakMap<Socket, { header: string; credential: Credential | null }>()
  return ({ socket, headers: { authorization: header } }) => {
    if (header === undefined) return null
    const last = read.get(socket)
    if (last?.header === header) return last.credential
    const token = /^Bearer +([^\s]+) *$/i.exec(header)?.[1]
    const credential = token === undefined ? null : readCredential(token)
    read.set(socket, { header, credential })
    return credential
  }
}

/** RFC 6750: no error word when no token was given at all. */
function challenge(request: IncomingMessage): string {
  return request.headers.authorization === undefined
    ? 'Bearer realm="spool"'
    : 'Bearer realm="spool", error="invalid_token"'
}

export function isSame(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((candidate) => ['*', etag, `W/${etag}`].includes(candidate.trim()))
}

function hasBody({ headers, method }: IncomingMessage): boolean {
  if (
    method === 'GET' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  )
    return false
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

function abortWhenGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => controller.abort())
  return controller.signal
}
