import { isIP } from 'node:net'

/** Where both kinds of addresses are listened for, one of IPv4 comes inside one of IPv6. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

/** One household or machine has a whole /64 of IPv6: it counts as one. */
export function limitKey(given: string): string {
  const address = plainAddress(given)
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return `${[...left, ...zeros, ...right]
    .slice(0, 4)
    .map((part) => part.padStart(4, '0').toLowerCase())
    .join(':')}::/64`
}
