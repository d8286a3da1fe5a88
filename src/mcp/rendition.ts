import { transcode } from 'node:buffer'
import { drawNonce, nonceLength, raiseFence, type Fence } from './fence.ts'

/**
 * A tool's result as JSON in UTF-8, with the places of the nonce known, so that it can be kept and given out again, each
 * time under a nonce of its own. Bytes, because putting a nonce into them costs a copy and no more.
 */
export interface Rendition {
  /** The members of the result, without the braces around them. */
  bytes: Buffer
  places: readonly number[]
  length: number
}

const [quote, backslash, mark] = [0x22, 0x5c, 0x7f]
const begin = Buffer.from('"content":[{"type":"text","text":"')
const middle = Buffer.from('"}],"structuredContent":')

/** The same value twice, as the protocol wants it: as text for clients that read only that, and structured. */
export async function render(make: (fence: Fence) => Promise<object>): Promise<Rendition> {
  // A nonce that begins with a seldom character is found fast; the rest of it tells it from mail that holds one.
  const mould = `${String.fromCharCode(mark)}${drawNonce().slice(1)}`
  const structured = toUtf8(JSON.stringify(await make(raiseFence(mould))))
  const { escaped, found } = escape(structured, Buffer.from(mould))
  const textAt = begin.length
  const structuredAt = textAt + escaped.length + middle.length
  const bytes = Buffer.concat([begin, escaped, middle, structured])
  return {
    bytes,
    places: found.flatMap(({ plain, inText }) => [textAt + inText, structuredAt + plain]),
    length: bytes.length,
  }
}

/** Several times as fast as `Buffer.from` where the text holds more than Latin letters, as mail mostly does. */
function toUtf8(text: string): Buffer {
  return transcode(Buffer.from(text, 'utf16le'), 'utf16le', 'utf8')
}

/** Written over and over: a fresh one for each answer costs more than filling it. */
let scratch = Buffer.allocUnsafe(262_144)

/** As the inside of a JSON string. JSON itself holds no control characters, so only these two need it. */
function escape(
  json: Buffer,
  mould: Buffer,
): { escaped: Buffer; found: { plain: number; inText: number }[] } {
  if (scratch.length < 2 * json.length) scratch = Buffer.allocUnsafe(2 * json.length)
  const escaped = scratch
  const found: { plain: number; inText: number }[] = []
  let length = 0
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]!
    if (byte === mark && mould.equals(json.subarray(index, index + nonceLength)))
      found.push({ plain: index, inText: length })
    if (byte === quote || byte === backslash) escaped[length++] = backslash
    escaped[length++] = byte
  }
  return { escaped: escaped.subarray(0, length), found }
}

/** The members of the result under a fresh nonce, between two texts. */
export function cast(
  { bytes, places }: Rendition,
  before: string,
  after: string,
  drawn: string = drawNonce(),
): Buffer {
  const from = Buffer.byteLength(before)
  const whole = Buffer.allocUnsafe(from + bytes.length + Buffer.byteLength(after))
  whole.write(before)
  bytes.copy(whole, from)
  whole.write(after, from + bytes.length)
  const nonce = Buffer.from(drawn)
  for (const place of places)
    for (let index = 0; index < nonceLength; index++) whole[from + place + index] = nonce[index]!
  return whole
}
