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
}

/**
 * JSON in UTF-8 whose bytes are taken for Latin letters: such text is joined, searched and quoted at several times the
 * speed of text that holds other letters, as mail mostly does, and its bytes come out as they went in.
 */
export class Latin {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  static of(value: unknown): Latin {
    const json = Buffer.from(JSON.stringify(value), 'utf16le')
    return new Latin(transcode(json, 'utf16le', 'utf8').toString('latin1'))
  }

  static parse(text: string): unknown {
    return JSON.parse(Buffer.from(text, 'latin1').toString())
  }
}

const mark = '\x7f'

/** The same value twice, as the protocol wants it: as text for clients that read only that, and structured. */
export async function render(make: (fence: Fence) => Promise<object>): Promise<Rendition> {
  // A nonce that begins with a seldom character is found fast; the rest of it tells it from mail that holds one.
  const mould = mark + drawNonce().slice(1)
  const made = await make(raiseFence(mould))
  const { text } = made instanceof Latin ? made : Latin.of(made)
  const whole = `"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}`
  const bytes = Buffer.from(whole, 'latin1')
  return { bytes, places: findAll(whole, mould) }
}

function findAll(whole: string, mould: string): number[] {
  const places: number[] = []
  for (let at = whole.indexOf(mould); at !== -1; at = whole.indexOf(mould, at + nonceLength)) places.push(at)
  return places
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
  writeNonce(whole, drawn, places, from)
  return whole
}

/** Twelve letters in two writes: a list has a thousand places, and letter by letter was a tenth of all work on it. */
function writeNonce(whole: Buffer, nonce: string, places: readonly number[], from: number): void {
  const letters = new DataView(new ArrayBuffer(nonceLength))
  for (let index = 0; index < nonceLength; index++) letters.setUint8(index, nonce.charCodeAt(index))
  const head = letters.getFloat64(0)
  const tail = letters.getUint32(8)
  const view = new DataView(whole.buffer, whole.byteOffset, whole.length)
  for (const place of places) {
    view.setFloat64(from + place, head)
    view.setUint32(from + place + 8, tail)
  }
}
