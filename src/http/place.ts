import type { IncomingMessage } from 'node:http'
import { SpoolError } from '../model/errors.ts'

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Against pages of others that make a browser speak to this server, by a name of theirs that leads here (DNS rebinding)
 * or across origins: the request must name this server, and come from no other page than its own.
 */
export function checkPlace(request: IncomingMessage, publicUrl: string): void {
  const own = new Set([...loopback, new URL(publicUrl).hostname, ...addressesOf(request)])
  const { host, origin } = request.headers
  if (!own.has(hostnameOf(`http://${host ?? ''}`) ?? '')) {
    throw new SpoolError(
      'forbidden',
      'The Host header names another server; SPOOL_URL says what this one is called.',
    )
  }
  if (origin !== undefined && !own.has(hostnameOf(origin) ?? '')) {
    throw new SpoolError(
      'forbidden',
      'The Origin header names a page of another server; it may not speak here.',
    )
  }
}

/** Whoever connects to a bare address names it, and no page of others can. */
function addressesOf({ socket }: IncomingMessage): string[] {
  const address = socket.localAddress?.replace(/^::ffff:(?=\d+\.)/, '')
  if (address === undefined) return []
  return [address.includes(':') ? (hostnameOf(`http://[${address.split('%')[0]}]`) ?? '') : address]
}

function hostnameOf(url: string): string | null {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? new URL(url).hostname : null
}
