import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../model/access.ts'
import { lengthOf, toParts } from './body.ts'
import { readFailure } from './errors.ts'
import { flatSecurityHeaders, newRequestId } from './headers.ts'
import type { Observer } from './observer.ts'

/** What is known of a request while it is answered; the log and the error need it however far it came. */
export interface Visit {
  id: string
  start: number
  /** As the log and the metrics name it. */
  route: string
  caller: Caller | null
  /** Name and value in turn. */
  headers: string[]
}

export function beginVisit(route: string): Visit {
  return { id: newRequestId(), start: performance.now(), route, caller: null, headers: [] }
}

/** On every answer to a program, before its body. */
export function writeHead(
  request: IncomingMessage,
  response: ServerResponse,
  visit: Visit,
  status: number,
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
  // What was sent along and not read is not waited for.
  if (hasBody(request) && !request.readableEnded) visit.headers.push('Connection', 'close')
  response.writeHead(status, visit.headers)
}

export function noteVisit(observer: Observer, request: IncomingMessage, visit: Visit, status: number): void {
  observer.request({
    id: visit.id,
    method: request.method ?? '',
    route: visit.route,
    status,
    seconds: (performance.now() - visit.start) / 1000,
    tokenId: visit.caller?.token.id ?? null,
  })
}

export function finish(
  observer: Observer,
  request: IncomingMessage,
  response: ServerResponse,
  visit: Visit,
  status: number,
  parts: readonly Uint8Array[],
): void {
  writeHead(request, response, visit, status)
  if (request.method !== 'HEAD') for (const part of parts.slice(0, -1)) response.write(part)
  response.end(request.method === 'HEAD' ? undefined : parts.at(-1))
  noteVisit(observer, request, visit, status)
}

export function fail(
  observer: Observer,
  request: IncomingMessage,
  response: ServerResponse,
  visit: Visit,
  error: unknown,
): void {
  const { status, body, headers } = readFailure(error, visit.id)
  const parts = toParts(body)
  if (status >= 500) observer.fault(visit.id, error)
  if (response.headersSent || response.destroyed) return void response.destroy()
  visit.headers.push(...Object.entries(headers).flat())
  visit.headers.push(
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(lengthOf(parts)),
  )
  finish(observer, request, response, visit, status, parts)
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
