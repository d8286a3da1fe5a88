import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { Caller } from '../model/access.ts'
import { toUtf8 } from '../model/utf8.ts'
import { compress, smallestCompressed, type Coding } from './content/coding.ts'
import { readFailure, type FailureBody } from './errors.ts'
import { flatSecurityHeaders, requestIdOf } from './headers.ts'
import type { Observer } from './observer.ts'
import type { Answer, Flow, Streamed } from './route.ts'

/** One request and its response, at hand wherever the request fails. */
export class Exchange {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The route's name in the log and the metrics. */
  route: string
  caller: Caller | null = null
  /** Names and values alternating. */
  readonly headers: string[] = []
  readonly #observer: Observer
  readonly #start = performance.now()

  constructor(observer: Observer, request: IncomingMessage, response: ServerResponse, route: string) {
    this.id = requestIdOf(request)
    this.request = request
    this.response = response
    this.route = route
    this.#observer = observer
  }

  /** Writes the headers that every REST and MCP answer has. */
  writeHead(status: number): void {
    const { request, response, headers } = this
    headers.push('X-Request-Id', this.id, 'Cache-Control', 'private, no-cache')
    headers.push('Vary', 'Authorization, Accept-Encoding', ...flatSecurityHeaders)
    // Do not wait for a request body that nobody reads.
    if (hasBody(request) && !request.readableEnded) headers.push('Connection', 'close')
    response.writeHead(status, headers)
  }

  record(status: number): void {
    this.#observer.request({
      id: this.id,
      method: this.request.method ?? '',
      route: this.route,
      status,
      seconds: (performance.now() - this.#start) / 1000,
      tokenId: this.caller?.token.id ?? null,
    })
  }

  finish(status: number, body: Exclude<Body, Streamed> | AsyncIterable<Uint8Array>): void {
    const { request, response } = this
    this.writeHead(status)
    if (request.method === 'HEAD') response.end()
    else if (Symbol.asyncIterator in body) this.#stream(body)
    else if (body instanceof Uint8Array) response.end(body)
    else {
      for (const piece of body) response.write(piece)
      response.end()
    }
    this.record(status)
  }

  /** Sends at the client's pace; a slow client buffers a chunk or two. An error midway can only cut the answer off. */
  #stream(pieces: AsyncIterable<Uint8Array>): void {
    pipeline(pieces, this.response, (error) => {
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') this.#observer.fault(this.id, error)
    })
  }

  /** `shape` turns the error into the shape of a door that has its own. */
  fail(error: unknown, shape: (failure: FailureBody) => object = (failure) => failure): void {
    const { response } = this
    const { status, body: failure, headers } = readFailure(error, this.id)
    const body = Buffer.from(JSON.stringify(shape(failure)))
    if (status >= 500 && (error as { code?: unknown }).code !== 'not_ready')
      this.#observer.fault(this.id, error)
    if (response.headersSent || response.destroyed) return void response.destroy()
    this.headers.push(...Object.entries(headers).flat())
    this.headers.push(
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(body.length),
    )
    try {
      this.finish(status, body)
    } catch (unwritable) {
      // Nobody handles what fails here, so it would end the process.
      this.#observer.fault(this.id, unwritable)
      response.destroy()
    }
  }
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
  return typeof body === 'string' ? toUtf8(body) : body
}

/** Aborts when the client disconnects before the answer is complete, or at once if it already has. */
export function abortWhenGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  else response.once('close', () => response.writableFinished || controller.abort())
  return controller.signal
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}
