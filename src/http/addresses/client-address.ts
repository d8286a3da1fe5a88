import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { plainAddress } from '../../model/client-limit.ts'

/** Finds the client's address; `X-Forwarded-For` is used only as far as the proxies are trusted. */
export function addressReader(trustProxy: boolean | readonly string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList()
  if (typeof trustProxy !== 'boolean') {
    for (const network of trustProxy) {
      const [address = '', bits] = network.split('/')
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      trusted.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
    }
  }
  const isTrusted = (address: string): boolean =>
    trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (request) => {
    let address = plainAddress(request.socket.remoteAddress ?? '')
    const forwarded = request.headers['x-forwarded-for']
    if (trustProxy === false || forwarded === undefined) return address
    const hops = String(forwarded)
      .split(',')
      .map((hop) => plainAddress(hop.trim()))
    // From the nearest hop outwards while the reporting hop is trusted; with `true` and no list, only the peer is.
    for (
      let nearest = trustProxy === true;
      hops.length > 0 && (nearest || isTrusted(address));
      nearest = false
    ) {
      const hop = hops.pop()!
      if (isIP(hop) === 0) break
      address = hop
    }
    return address
  }
}
