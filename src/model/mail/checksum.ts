import { hash } from 'node:crypto'

export const checksumBytes = 16

/** SQLite stores no checksums, so Spool needs its own to detect bytes that a disk has changed inside a row. */
export function checksumOf(source: Uint8Array): Uint8Array {
  return new Uint8Array(hash('sha256', source, 'buffer').subarray(0, checksumBytes))
}
