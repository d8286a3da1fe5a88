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
const room = 32 ** 5
const pool = new Uint32Array(512)
let used = pool.length
/** Of the last id: its time, and the number after that. */
let last = { time: 0, number: 0 }

/** Opaque to clients; internally, later ids sort later, also those of one millisecond, and index pages stay together. */
export function newId(prefix: IdPrefix, now = Date.now()): string {
  const number = now === last.time ? (last.number + 1 + draw(32)) % room : draw(room / 2)
  last = { time: now, number }
  return `${prefix}_${write(now, 9)}${write(number, 5)}${write(draw(room), 5)}`
}

/** A random number below a power of two. */
function draw(below: number): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return pool[used++]! % below
}

function write(number: number, length: number): string {
  let text = ''
  for (let rest = number, i = 0; i < length; i++, rest = Math.floor(rest / 32))
    text = alphabet[rest % 32] + text
  return text
}
