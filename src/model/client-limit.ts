import { isIP } from 'node:net'

/** One household or machine has a whole /64 of IPv6: it counts as one. */
export function limitKey(address: string): string {
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
