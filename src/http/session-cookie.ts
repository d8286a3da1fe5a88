import type { IncomingMessage } from 'node:http'
import type { Spool } from '../core/spool.ts'
import { isLoopback } from '../model/mail/server.ts'

interface Cookie {
  name: string
  value: RegExp
  days: number
  sameSite: 'Lax' | 'Strict'
}

const session: Cookie = { name: 'spool_session', value: /^[A-Za-z0-9_-]{43}$/, days: 90, sameSite: 'Lax' }
/** Sent only with requests from the page itself. */
const browser: Cookie = {
  name: 'spool_browser',
  value: /^[A-Za-z0-9._-]{40,200}$/,
  days: 365,
  sameSite: 'Strict',
}

/**
 * `__Host-` makes the browser enforce Secure, this host and the whole path; it cannot be used on loopback. Browsers
 * share cookies between the ports of a host, so a port other than the default is part of the name.
 */
function nameOf(spool: Spool, { name }: Cookie): string {
  const { port } = new URL(spool.url)
  const own = port === '' || port === '4100' ? name : `${name}_${port}`
  return isSecure(spool) ? `__Host-${own}` : own
}

function isSecure({ url }: Spool): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || !isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

function read(spool: Spool, cookie: Cookie, request: IncomingMessage): string | null {
  const name = nameOf(spool, cookie)
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=')
    if (key === name && value && cookie.value.test(value)) return value
  }
  return null
}

function write(spool: Spool, cookie: Cookie, value: string, seconds: number): string {
  const { sameSite } = cookie
  return `${nameOf(spool, cookie)}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}${isSecure(spool) ? '; Secure' : ''}`
}

export function readSessionCookie(spool: Spool, request: IncomingMessage): string | null {
  return read(spool, session, request)
}

export function writeSessionCookie(spool: Spool, secret: string): string {
  return write(spool, session, secret, session.days * 86_400)
}

export function endSessionCookie(spool: Spool): string {
  return write(spool, session, '', 0)
}

/** Marks a browser that has signed in before; it outlives the session. */
export function readBrowserCookie(spool: Spool, request: IncomingMessage): string | null {
  return read(spool, browser, request)
}

export function writeBrowserCookie(spool: Spool, mark: string): string {
  return write(spool, browser, mark, browser.days * 86_400)
}

/**
 * Whether a request that changes something comes from Spool's own page. Browsers set Origin; pages cannot forge it.
 */
export function isOwnOrigin(spool: Spool, request: IncomingMessage): boolean {
  const { origin } = request.headers
  if (origin === undefined || !URL.canParse(origin)) return false
  const own = new URL(spool.url)
  const asked = new URL(origin)
  if (asked.origin === own.origin) return true
  const loopback = (url: URL): boolean => isLoopback(url.hostname.replace(/^\[|\]$/g, ''))
  return asked.protocol === own.protocol && asked.port === own.port && loopback(asked) && loopback(own)
}

/** Whether the page was loaded from the same host it is calling, under whatever name. */
export function isFromHost({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host
}
