import type { IncomingMessage } from 'node:http'
import type { Allowance } from '../core/access/rate-limit.ts'

/** On every answer. */
export const securityHeaders: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

/**
 * HSTS, on every answer where the public URL is https: for a year browsers do not try http, where somebody in between
 * could take the session. Not for subdomains: Spool cannot know whether they all have TLS.
 */
export function strictTransport(url: string | null): Readonly<Record<string, string>> {
  return url?.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}
}

/** Node writes the flat form fastest. */
export const flatSecurityHeaders: readonly string[] = Object.entries(securityHeaders).flat()

/** draft-ietf-httpapi-ratelimit-headers */
export function rateLimitHeaders({ limit, window, remaining, reset }: Allowance): string[] {
  return [
    'RateLimit-Policy',
    `"default";q=${limit};w=${window}`,
    'RateLimit',
    `"default";r=${remaining};t=${reset}`,
  ]
}

/** Keeps the client's own id, so that it can find its request in the log. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && wellFormed.test(given) ? given : newRequestId()
}

const wellFormed = /^[\w.:-]{1,128}$/

let count = 0
const boot = Math.random().toString(36).slice(2, 10)

/** Identifies one request in the answer and in the log. */
export function newRequestId(): string {
  return `req_${boot}${(++count).toString(36).padStart(6, '0')}`
}
