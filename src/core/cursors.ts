import { timingSafeEqual } from 'node:crypto'
import { SpoolError } from '../model/errors.ts'
import type { Position } from '../store/position.ts'
import type { Spool } from './spool.ts'

const signatureLength = 16

/** A position in a list: opaque, tamper-evident, and bound by `filters` to the list it was made for. */
export function writeCursor(spool: Spool, filters: string, { timestamp, id }: Position): string {
  const position = `${timestamp.toString(36)}-${id}`
  return sign(spool, filters, position) + position
}

export function readCursor(spool: Spool, filters: string, cursor: string, parameter = 'cursor'): Position {
  const position = cursor.slice(signatureLength)
  const [timestamp, id] = position.split('-', 2)
  if (!timestamp || !id || !isSame(cursor.slice(0, signatureLength), sign(spool, filters, position))) {
    throw new SpoolError(
      'bad_cursor',
      `${parameter} was not issued by this list with these filters; start again without it.`,
      { details: { parameter } },
    )
  }
  return { timestamp: Number.parseInt(timestamp, 36), id }
}

function sign(spool: Spool, filters: string, position: string): string {
  return spool.keys.cursors.sign(`${filters}\n${position}`).slice(0, signatureLength)
}

/** In constant time for texts of the right length. */
export function isSame(given: string, genuine: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(genuine)]
  return one.length === other.length && timingSafeEqual(one, other)
}
