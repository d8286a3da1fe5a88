import { isIP } from 'node:net'

/** A dual-stack socket reports an IPv4 client as an IPv4-mapped IPv6 address. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

/** One household or machine usually has a whole IPv6 /64, so it counts as one client. */
export function limitKey(given: string): string {
  const address = plainAddress(given)
  return isIP(address) === 6 ? prefixOf(address, 4) : address
}

/** The /48 of an IPv6 address, of which whoever has one can use 65,536 times a /64; null for IPv4. */
export function networkKey(given: string): string | null {
  const address = plainAddress(given)
  return isIP(address) === 6 ? prefixOf(address, 3) : null
}

/** `groups` of 16 bits. */
function prefixOf(address: string, groups: number): string {
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  const kept = [...left, ...zeros, ...right].slice(0, groups)
  return `${kept.map((part) => part.padStart(4, '0').toLowerCase()).join(':')}::/${groups * 16}`
}
