import type { IncomingMessage } from 'node:http'
import { SpoolError } from '../../model/errors.ts'

const loopback = ['localhost', '127.0.0.1', '[::1]']
const mostKnown = 1_000

/**
 * Guards against DNS rebinding and cross-origin requests from other sites: Host must name this server, and Origin, if
 * present, must be this server too.
 */
export class HostGuard {
  /** Combinations that passed before; clients repeat the same ones. */
  readonly #known = new Set<string>()
  readonly #names: string[]

  /** `hosts`: further names of this server, such as its name in a Docker network. */
  constructor(hosts: readonly string[]) {
    this.#names = [...loopback, ...hosts.map((host) => hostnameOf(addressUrl(host)))]
  }

  check(
    { headers: { host = '', origin }, socket: { localAddress = '' } }: IncomingMessage,
    url: string,
  ): void {
    const key = [url, localAddress, host, origin].join(' ')
    if (this.#known.has(key)) return
    const own = new Set([...this.#names, hostnameOf(url), hostnameOf(addressUrl(localAddress))])
    if (!own.has(hostnameOf(`http://${host}`))) {
      throw new SpoolError(
        'forbidden',
        'The Host header names another server; set SPOOL_URL or SPOOL_MCP_HOSTS to the names of this one.',
      )
    }
    if (origin !== undefined && !own.has(hostnameOf(origin))) {
      throw new SpoolError(
        'forbidden',
        'The Origin header names another site; requests from it are not allowed.',
      )
    }
    if (this.#known.size >= mostKnown) this.#known.clear()
    this.#known.add(key)
  }
}

/** A client may use the bare IP address as Host; a rebinding page cannot. */
function addressUrl(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '').split('%')[0]!
  return `http://${plain.includes(':') ? `[${plain}]` : plain}`
}

/** Anything unparsable gets a name that never matches this server's. */
function hostnameOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  return url && /^https?:$/.test(url.protocol) ? url.hostname : 'unreadable address'
}
