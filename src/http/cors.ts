import type { IncomingMessage, ServerResponse } from 'node:http'
import { securityHeaders } from './headers.ts'

/** Headers that pages of other origins may send and read. Never cookies: the API accepts only tokens. */
const allowedHeaders = 'Authorization, If-None-Match, If-Range, Range, Last-Event-ID, X-Request-Id'
const exposedHeaders =
  'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, WWW-Authenticate, Content-Location, Content-Disposition, Content-Range, Accept-Ranges, Deprecation, Sunset'

/** Pages of other origins that may call the API with a token (SPOOL_CORS_ORIGINS). */
export class Cors {
  readonly #origins: ReadonlySet<string>

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins)
  }

  /** For every answer, including errors; names and values alternate. */
  headersFor({ headers: { origin } }: IncomingMessage): string[] {
    if (this.#origins.size === 0) return []
    const allowed = this.#allow(origin)
    const vary = ['Vary', 'Origin']
    if (allowed === null) return vary
    return [...vary, 'Access-Control-Allow-Origin', allowed, 'Access-Control-Expose-Headers', exposedHeaders]
  }

  /** Answers preflight requests from allowed origins; returns false for any other request, which the door handles. */
  answerPreflight({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false
    const allowed = this.#allow(headers.origin)
    if (allowed === null) return false
    response.writeHead(204, {
      ...securityHeaders,
      Vary: 'Origin',
      'Access-Control-Allow-Origin': allowed,
      'Access-Control-Allow-Methods': 'GET, HEAD',
      'Access-Control-Allow-Headers': allowedHeaders,
      'Access-Control-Max-Age': '600',
    })
    response.end()
    return true
  }

  #allow(origin: string | undefined): string | null {
    if (origin === undefined) return null
    if (this.#origins.has('*')) return '*'
    return this.#origins.has(origin) ? origin : null
  }
}
