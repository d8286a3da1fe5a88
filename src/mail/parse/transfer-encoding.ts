import { decodeUuencoded } from './uuencode.ts'

const equals = 0x3d
const dash = 0x2d
const underscore = 0x5f
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** The decoded bytes of a part in a separate buffer; broken encodings give what can be decoded. */
export function decodeTransfer(body: Buffer, encoding: string): Uint8Array<ArrayBuffer> {
  const name = encoding.toLowerCase()
  if (name.includes('base64')) return decodeBase64(body)
  if (name.includes('quoted-printable')) return decodeQuotedPrintable(body)
  if (/^(?:x-)?uu(?:e|encode)?\b/.test(name)) return decodeUuencoded(body)
  return new Uint8Array(body)
}

/**
 * Node is fast and skips most characters that are not base64, but stops at padding, which some mailers write in every
 * line, and accepts the URL-safe alphabet, whose characters are junk in mail.
 */
function decodeBase64(whole: Buffer): Uint8Array<ArrayBuffer> {
  const body = withoutFooter(whole)
  const padding = body.indexOf(equals)
  const isClean = !body.includes(dash) && !body.includes(underscore)
  if (!isClean || (padding !== -1 && hasMore(body, padding))) return decodeBase64Strictly(body)
  const bytes = new Uint8Array(Math.ceil((body.length * 3) / 4))
  const length = Buffer.from(bytes.buffer).write(body.toString('latin1'), 'base64')
  return length === bytes.length ? bytes : bytes.slice(0, length)
}

const space = 0x20
const mostFooter = 4000
/** A blank after more than this is in encoded text that something wrapped anew. */
const longestWord = 16

/** Mailing lists add their footer below the encoded text: cuts at the first of the last lines that contains words. */
function withoutFooter(body: Buffer): Buffer {
  const before = body.lastIndexOf(lineFeed, Math.max(0, body.length - mostFooter))
  for (let line = body.indexOf(lineFeed, Math.max(0, before)) + 1; line > 0;) {
    const next = body.indexOf(lineFeed, line) + 1
    const isRule = body[line] === underscore && body[line + 1] === underscore
    const blank = body.subarray(line, next === 0 ? body.length : next).indexOf(space)
    const isProse = blank > 0 && blank < longestWord && base64Value[body[line + blank + 1] ?? 0]! >= 0
    if (isRule || isProse) return body.subarray(0, line)
    line = next
  }
  return body
}

const base64Value = new Int8Array(256).fill(-1)
for (let i = 0; i < 64; i++) {
  base64Value['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.charCodeAt(i)] = i
}

function hasMore(body: Buffer, from: number): boolean {
  for (let i = from; i < body.length; i++) if (base64Value[body[i]!]! >= 0) return true
  return false
}

/** Padding ends a unit, and the next one starts afresh. */
function decodeBase64Strictly(body: Buffer): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(Math.ceil((body.length * 3) / 4))
  let length = 0
  let bits = 0
  let held = 0
  for (let i = 0; i < body.length; i++) {
    const value = base64Value[body[i]!]!
    if (value < 0) {
      if (body[i] === equals) held = 0
      continue
    }
    bits = ((bits << 6) | value) & 0xffffff
    held += 6
    if (held >= 8) {
      held -= 8
      result[length++] = (bits >> held) & 255
    }
  }
  return result.slice(0, length)
}

const hexValue = new Int8Array(256).fill(-1)
for (let i = 0; i < 16; i++) {
  hexValue['0123456789abcdef'.charCodeAt(i)] = i
  hexValue['0123456789ABCDEF'.charCodeAt(i)] = i
}

function decodeQuotedPrintable(body: Buffer): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(body.length)
  let length = 0
  /** Where the line's trailing white space begins: it was added in transit and is not content. */
  let lineContent = 0
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]!
    if (byte === equals) {
      const high = hexValue[body[i + 1]!]!
      const low = hexValue[body[i + 2]!]!
      if (high >= 0 && low >= 0) {
        result[length++] = high * 16 + low
        lineContent = length
        i += 2
        continue
      }
      let next = i + 1
      while (body[next] === 0x20 || body[next] === 0x09) next++
      if (next >= body.length) break
      if (body[next] === lineFeed || (body[next] === carriageReturn && body[next + 1] === lineFeed)) {
        i = body[next] === lineFeed ? next : next + 1
        lineContent = length
        continue
      }
      result[length++] = byte
      lineContent = length
    } else if (byte === lineFeed || (byte === carriageReturn && body[i + 1] === lineFeed)) {
      length = lineContent
      result[length++] = byte
      if (byte === carriageReturn) result[length++] = body[++i]!
      lineContent = length
    } else {
      result[length++] = byte
      if (byte !== 0x20 && byte !== 0x09) lineContent = length
    }
  }
  return result.slice(0, length)
}
