import type { IncomingMessage } from 'node:http'
import type { ByteRange } from '../../model/files/byte-range.ts'

/**
 * The requested part of a file, null for all of it, or `none` if there is no such part. Multiple ranges, other units
 * and a file that has changed since (`If-Range`) get the whole file, as RFC 9110 allows.
 */
export function readRange(
  { method, headers }: IncomingMessage,
  { length, etag }: { length: number; etag: string },
): ByteRange | 'none' | null {
  const { range } = headers
  if (method !== 'GET' || range === undefined) return null
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return null
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(range) ?? []
  if (first === undefined || last === undefined || first + last === '') return null
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first)
  const end = first === '' || last === '' ? length : Math.min(length, Number(last) + 1)
  return start < end ? { start, end } : 'none'
}
