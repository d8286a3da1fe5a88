import { drawNonce, nonceLength, raiseFence, type Fence } from './fence.ts'
import { Latin } from './latin.ts'
import type { Answer } from './tool.ts'

/**
 * A tool's result as UTF-8 JSON with the positions of the nonce, so that a cached result can be sent again under a
 * new nonce. Bytes, because writing a nonce into them costs only a copy.
 */
export interface Rendition {
  /** The members of the result, without the braces around them. */
  bytes: Buffer
  positions: readonly number[]
}

const mark = '\x7f'

/** The protocol wants the result twice: structured, and as text for clients that read only text. */
export async function render(make: (fence: Fence) => Promise<Answer>): Promise<Rendition> {
  // A rare first character makes the placeholder fast to find; the rest tells it from mail that contains that
  // character.
  const placeholder = mark + drawNonce().slice(1)
  const { structured, text, image } = await make(raiseFence(placeholder))
  const { text: json } = structured instanceof Latin ? structured : Latin.of(structured)
  const shown =
    text === undefined ? JSON.stringify(json) : (text instanceof Latin ? text : Latin.of(text)).text
  const shownToo = image === undefined ? '' : `,${JSON.stringify({ type: 'image', ...image })}`
  const whole = `"content":[{"type":"text","text":${shown}}${shownToo}],"structuredContent":${json}`
  const bytes = Buffer.from(whole, 'latin1')
  return { bytes, positions: findAll(whole, placeholder) }
}

function findAll(whole: string, placeholder: string): number[] {
  const positions: number[] = []
  for (let at = whole.indexOf(placeholder); at !== -1; at = whole.indexOf(placeholder, at + nonceLength))
    positions.push(at)
  return positions
}

/** The members of the result under a fresh nonce, wrapped in two strings. */
export function withFreshNonce(
  { bytes, positions }: Rendition,
  before: string,
  after: string,
  drawn: string = drawNonce(),
): Buffer {
  const from = Buffer.byteLength(before)
  const whole = Buffer.allocUnsafe(from + bytes.length + Buffer.byteLength(after))
  whole.write(before)
  bytes.copy(whole, from)
  whole.write(after, from + bytes.length)
  writeNonce(whole, drawn, positions, from)
  return whole
}

/**
 * Twelve characters in two writes: a list has a thousand nonces, and one write per character took a tenth of the
 * time.
 */
function writeNonce(whole: Buffer, nonce: string, positions: readonly number[], from: number): void {
  const letters = new DataView(new ArrayBuffer(nonceLength))
  for (let index = 0; index < nonceLength; index++) letters.setUint8(index, nonce.charCodeAt(index))
  const head = letters.getFloat64(0)
  const tail = letters.getUint32(8)
  const view = new DataView(whole.buffer, whole.byteOffset, whole.length)
  for (const position of positions) {
    view.setFloat64(from + position, head)
    view.setUint32(from + position + 8, tail)
  }
}
