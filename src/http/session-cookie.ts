import type { IncomingMessage } from 'node:http'
import type { Spool } from '../core/spool.ts'
import { isLoopback } from '../model/mail-server.ts'

const days = 90

/** `__Host-` makes the browser itself insist on Secure, this host and the whole path; it cannot be had on loopback. */
function cookieName(spool: Spool): string {
  return isSecure(spool) ? '__Host-spool_session' : 'spool_session'
}

function isSecure({ url }: Spool): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || !isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

export function readSessionCookie(spool: Spool, request: IncomingMessage): string | null {
  const name = cookieName(spool)
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=')
    if (key === name && value && /^[A-Za-z0-9_-]{43}$/.test(value)) return value
  }
  return null
}

export function writeSessionCookie(spool: Spool, secret: string): string {
  return `${cookieName(spool)}=${secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${days * 86_400}${isSecure(spool) ? '; Secure' : ''}`
}

export function endSessionCookie(spool: Spool): string {
  return `${cookieName(spool)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${isSecure(spool) ? '; Secure' : ''}`
}

/** Whether a request that changes something comes from Spool's own page; browsers say so in Origin, pages cannot. */
export function isOwnOrigin(spool: Spool, request: IncomingMessage): boolean {
  const { origin } = request.headers
  if (origin === undefined || !URL.canParse(origin)) return false
  const own = new URL(spool.url)
  const asked = new URL(origin)
  if (asked.origin === own.origin) return true
  const loopback = (url: URL): boolean => isLoopback(url.hostname.replace(/^\[|\]$/g, ''))
  return asked.protocol === own.protocol && asked.port === own.port && loopback(asked) && loopback(own)
}

/** Whether a page asks the very host that it came from, by whichever name. */
export function isFromHost({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host
}
