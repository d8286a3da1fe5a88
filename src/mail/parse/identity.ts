import { createHash, hash as hashOnce, type Hash } from 'node:crypto'

const scratchSize = 64 * 1024
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Identifies a message regardless of line ends and blank lines at its end, which change in transit. */
export function identify(fields: string[], body: Buffer): Uint8Array<ArrayBuffer> {
  const head = fields.map((field) => `${Buffer.byteLength(field)}:${field}\n`).join('')
  if (body.length < scratchSize && !body.includes(carriageReturn)) {
    // Copied into one buffer and hashed at once, which is several times faster for the size of most mail.
    const end = endOf(body)
    const whole = Buffer.allocUnsafe(Buffer.byteLength(head) + end)
    body.copy(whole, whole.write(head), 0, end)
    return new Uint8Array(hashOnce('sha256', whole, 'buffer'))
  }
  const hash = createHash('sha256').update(head)
  updateWithBody(hash, body)
  return new Uint8Array(hash.digest())
}

function endOf(body: Buffer): number {
  let end = body.length
  while (end > 0 && (body[end - 1] === lineFeed || body[end - 1] === carriageReturn)) end--
  return end
}

function updateWithBody(hash: Hash, body: Buffer): void {
  const end = endOf(body)
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
