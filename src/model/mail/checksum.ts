import { hash } from 'node:crypto'

export const checksumBytes = 16

/** SQLite keeps no checksums, so bytes that a disk has changed inside a row can only be noticed by one of our own. */
export function checksumOf(source: Uint8Array): Uint8Array {
  return new Uint8Array(hash('sha256', source, 'buffer').subarray(0, checksumBytes))
}
