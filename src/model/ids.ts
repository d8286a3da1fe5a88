import { randomFillSync } from 'node:crypto'

export type IdPrefix =
  | 'thr'
  | 'msg'
  | 'note'
  | 'usr'
  | 'inb'
  | 'drf'
  | 'evt'
  | 'whk'
  | 'att'
  | 'tok'
  | 'grt'
  | 'his'
  | 'ses'
  | 'viw'
  | 'ntc'
  | 'psh'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const pool = Buffer.allocUnsafe(10 * 256)
let used = pool.length

/** Opaque to clients; internally, later ids sort later, which keeps index pages together. */
export function newId(prefix: IdPrefix, now = Date.now()): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let time = ''
  for (let rest = now, i = 0; i < 9; i++, rest = Math.floor(rest / 32)) time = alphabet[rest % 32] + time
  let tail = ''
  for (let i = 0; i < 10; i++) tail += alphabet[pool[used++]! & 31]
  return `${prefix}_${time}${tail}`
}
