import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { Caller } from '../model/access.ts'
import { compress, smallestCompressed, type Coding } from './content/coding.ts'
import { readFailure } from './errors.ts'
import { flatSecurityHeaders, requestIdOf } from './headers.ts'
import type { Observer } from './observer.ts'
import type { Answer, Flow, Streamed } from './route.ts'

/** One request and its response. The log and error answers need this at whatever point the request fails. */
export interface Exchange {
  id: string
  start: number
  /** The route's name in the log and the metrics. */
  route: string
  caller: Caller | null
  /** Names and values alternating. */
  headers: string[]
}

export function beginExchange(route: string, request: IncomingMessage): Exchange {
  return { id: requestIdOf(request), start: performance.now(), route, caller: null, headers: [] }
}

/** Writes the headers that every REST and MCP answer has. */
export function writeHead(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  status: number,
): void {
  exchange.headers.push(
    'X-Request-Id',
    exchange.id,
    'Cache-Control',
    'private, no-cache',
    'Vary',
    'Authorization, Accept-Encoding',
    ...flatSecurityHeaders,
  )
  // Do not wait for a request body that nobody reads.
  if (hasBody(request) && !request.readableEnded) exchange.headers.push('Connection', 'close')
  response.writeHead(status, exchange.headers)
}

export function recordExchange(
  observer: Observer,
  request: IncomingMessage,
  exchange: Exchange,
  status: number,
): void {
  observer.request({
    id: exchange.id,
    method: request.method ?? '',
    route: exchange.route,
    status,
    seconds: (performance.now() - exchange.start) / 1000,
    tokenId: exchange.caller?.token.id ?? null,
  })
}

export function finish(
  observer: Observer,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  status: number,
  body: Exclude<Body, Streamed> | AsyncIterable<Uint8Array>,
): void {
  writeHead(request, response, exchange, status)
  if (request.method === 'HEAD') response.end()
  else if (Symbol.asyncIterator in body) stream(observer, response, exchange, body)
  else if (body instanceof Uint8Array) response.end(body)
  else {
    for (const piece of body) response.write(piece)
    response.end()
  }
  recordExchange(observer, request, exchange, status)
}

/** Sends at the client's pace; a slow client buffers a chunk or two. An error midway can only cut the answer off. */
function stream(
  observer: Observer,
  response: ServerResponse,
  exchange: Exchange,
  pieces: AsyncIterable<Uint8Array>,
): void {
  pipeline(pieces, response, (error) => {
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') observer.fault(exchange.id, error)
  })
}

/** Bytes that need no further encoding. */
export type Body = Uint8Array | readonly Uint8Array[] | Streamed

export function isFlow(body: Answer['body']): body is Flow {
  return typeof body === 'object' && 'flow' in body
}

export function isStreamed(body: Body): body is Streamed {
  return 'pieces' in body
}

export function lengthOf(body: Body): number {
  if (body instanceof Uint8Array || isStreamed(body)) return body.length
  return body.reduce((length, piece) => length + piece.length, 0)
}

export function join(body: Exclude<Body, Streamed>): Uint8Array {
  return body instanceof Uint8Array ? body : Buffer.concat(body)
}

/** The body in the form in which it is sent, with its coding. Short bodies are not compressed. */
export async function encode(
  body: Exclude<Body, Streamed>,
  coding: Coding | null,
): Promise<{ body: Exclude<Body, Streamed>; coding: Coding | null }> {
  if (coding === null || lengthOf(body) < smallestCompressed) return { body, coding: null }
  return { body: await compress(join(body), coding), coding }
}

export function toBytes<Bytes extends Body = Uint8Array>(body: string | Bytes): Uint8Array | Bytes {
  return typeof body === 'string' ? Buffer.from(body) : body
}

/** Aborts when the client disconnects before the answer is complete, or at once if it already has. */
export function abortWhenGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  else response.once('close', () => response.writableFinished || controller.abort())
  return controller.signal
}

export function fail(
  observer: Observer,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  error: unknown,
): void {
  const { status, body: text, headers } = readFailure(error, exchange.id)
  const body = Buffer.from(text)
  if (status >= 500 && (error as { code?: unknown }).code !== 'not_ready') observer.fault(exchange.id, error)
  if (response.headersSent || response.destroyed) return void response.destroy()
  exchange.headers.push(...Object.entries(headers).flat())
  exchange.headers.push(
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(body.length),
  )
  try {
    finish(observer, request, response, exchange, status, body)
  } catch (unwritable) {
    // Nobody handles what fails here, so it would end the process.
    observer.fault(exchange.id, unwritable)
    response.destroy()
  }
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
