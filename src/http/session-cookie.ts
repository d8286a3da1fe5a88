import type { IncomingMessage } from 'node:http'
import type { Spool } from '../core/spool.ts'
import { isLoopback } from '../model/mail/server.ts'

/** The cookie with this name: how it is read, written and ended. */
function makeCookie(cookieName: string, form: RegExp, days: number, sameSite: 'Lax' | 'Strict') {
  /**
   * `__Host-` makes the browser enforce Secure, this host and the whole path; it cannot be used on loopback. Browsers
   * share cookies between the ports of a host, so a port other than the default is part of the name.
   */
  const nameFor = (spool: Spool): string => {
    const { port } = new URL(spool.url)
    const own = port === '' || port === '4100' ? cookieName : `${cookieName}_${port}`
    return isSecure(spool) ? `__Host-${own}` : own
  }
  const write = (spool: Spool, value: string, seconds = days * 86_400): string =>
    `${nameFor(spool)}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}${isSecure(spool) ? '; Secure' : ''}`
  return {
    read(spool: Spool, request: IncomingMessage): string | null {
      const name = nameFor(spool)
      for (const pair of (request.headers.cookie ?? '').split(';')) {
        const [key, value] = pair.trim().split('=')
        if (key === name && value && form.test(value)) return value
      }
      return null
    },
    write: (spool: Spool, value: string): string => write(spool, value),
    end: (spool: Spool): string => write(spool, '', 0),
  }
}

export const sessionCookie = makeCookie('spool_session', /^[A-Za-z0-9_-]{43}$/, 90, 'Lax')
/** Marks a browser that has signed in before; it outlives the session, and only the page itself sends it. */
export const browserCookie = makeCookie('spool_browser', /^[A-Za-z0-9._-]{40,200}$/, 365, 'Strict')

function isSecure({ url }: Spool): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || !isLoopback(hostname.replace(/^\[|\]$/g, ''))
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
