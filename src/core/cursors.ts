import { createHmac, timingSafeEqual } from 'node:crypto'
import { SpoolError } from '../model/errors.ts'
import type { Spool } from './spool.ts'

/** A place in a list: opaque, tamper-evident, and bound by `filters` to the list it was made for. */
export interface Position {
  timestamp: number
  id: string
}

export function writeCursor(spool: Spool, filters: string, position: Position): string {
  const place = `${position.timestamp.toString(36)}.${position.id}`
  return Buffer.concat([sign(spool, filters, place), Buffer.from(place)]).toString('base64url')
}

export function readCursor(spool: Spool, filters: string, cursor: string, parameter = 'cursor'): Position {
  const bytes = Buffer.from(cursor, 'base64url')
  const place = bytes.subarray(12).toString()
  const [timestamp, id] = place.split('.')
  const genuine =
    bytes.length > 12 &&
    bytes.length < 100 &&
    bytes.toString('base64url') === cursor &&
    timingSafeEqual(sign(spool, filters, place), bytes.subarray(0, 12))
  if (!genuine || !timestamp || !id) {
    throw new SpoolError(
      'bad_cursor',
      `${parameter} is not one that this list gave out with these filters; begin again without it.`,
      { details: { parameter } },
    )
  }
  return { timestamp: Number.parseInt(timestamp, 36), id }
}

function sign(spool: Spool, filters: string, place: string): Buffer {
  return createHmac('sha256', spool.keys.cursors).update(`${filters}\n${place}`).digest().subarray(0, 12)
}
