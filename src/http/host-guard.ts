import type { IncomingMessage } from 'node:http'
import { SpoolError } from '../model/errors.ts'

const loopback = ['localhost', '127.0.0.1', '[::1]']
const mostKnown = 1_000

/**
 * Against pages of others that make a browser speak to this server, by a name of theirs that leads here (DNS rebinding)
 * or across origins: the request must name this server, and come from no other page than its own.
 */
export class HostGuard {
  /** What was found in order before; clients send the same again and again. */
  readonly #known = new Set<string>()
  readonly #names: string[]

  /** `hosts`: what this server is called besides what its address says, such as by others in a Docker network. */
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
        'The Host header names another server; SPOOL_URL and SPOOL_MCP_HOSTS say what this one is called.',
      )
    }
    if (origin !== undefined && !own.has(hostnameOf(origin))) {
      throw new SpoolError(
        'forbidden',
        'The Origin header names a page of another server; it may not speak here.',
      )
    }
    if (this.#known.size >= mostKnown) this.#known.clear()
    this.#known.add(key)
  }
}

/** Whoever connects to a bare address names it, and no page of others can. */
function addressUrl(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '').split('%')[0]!
  return `http://${plain.includes(':') ? `[${plain}]` : plain}`
}

/** What cannot be read is called by no name of ours. */
function hostnameOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  return url && /^https?:$/.test(url.protocol) ? url.hostname : 'unreadable address'
}
