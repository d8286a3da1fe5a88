import { createHash, type Hash } from 'node:crypto'

const scratchSize = 64 * 1024
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** What makes a message the same message: other line ends and blank lines at its end are added on the way. */
export function identify(fields: string[], body: Buffer): Uint8Array<ArrayBuffer> {
  const hash = createHash('sha256')
  for (const field of fields) hash.update(`${Buffer.byteLength(field)}:${field}\n`)
  updateWithBody(hash, body)
  return new Uint8Array(hash.digest())
}

function updateWithBody(hash: Hash, body: Buffer): void {
  let end = body.length
  while (end > 0 && (body[end - 1] === lineFeed || body[end - 1] === carriageReturn)) end--
  let start = body.indexOf(carriageReturn)
  if (start === -1 || start >= end) {
    hash.update(body.subarray(0, end))
    return
  }
  hash.update(body.subarray(0, start))
  const scratch = Buffer.allocUnsafe(Math.min(scratchSize, end - start))
  while (start < end) {
    let length = 0
    for (; start < end && length < scratch.length; start++) {
      const byte = body[start]!
      if (byte !== carriageReturn || body[start + 1] !== lineFeed) scratch[length++] = byte
    }
    hash.update(scratch.subarray(0, length))
  }
}
