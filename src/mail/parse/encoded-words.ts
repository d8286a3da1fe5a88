import { decodeText } from './charset.ts'

/** Spaces and question marks inside the text violate RFC 2047 but are common. */
const encodedWord = /=\?([^?\s]{1,60})\?([QqBb])\?((?:[^?=]|=(?!\?[^=])|\?(?![=\s]|$))*\??)\?=/g

/** One character may be split over two words, so the bytes of adjacent words are joined before decoding. */
interface WordRun {
  charset: string
  chunks: Buffer[]
}

/** Decodes RFC 2047 encoded words wherever they occur, inside quotes and words too. */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text
  const pieces: (string | WordRun)[] = []
  let position = 0
  for (const match of text.matchAll(encodedWord)) {
    const between = text.slice(position, match.index)
    position = match.index + match[0].length
    const charset = match[1]!.split('*')[0]!.toLowerCase()
    const bytes = decodeWordBytes(match[2]!, match[3]!)
    const before = pieces.at(-1)
    const adjacent = typeof before === 'object' && between.trim() === ''
    if (adjacent && before.charset === charset) {
      before.chunks.push(bytes)
    } else {
      if (!adjacent) pieces.push(between)
      pieces.push({ charset, chunks: [bytes] })
    }
  }
  pieces.push(text.slice(position))
  return pieces.map((piece) => (typeof piece === 'string' ? piece : decodeRun(piece))).join('')
}

/** Words that each contain whole characters may only decode separately (a stateful charset restarts in each). */
function decodeRun({ charset, chunks }: WordRun): string {
  const joined = decodeText(Buffer.concat(chunks), charset)
  if (chunks.length === 1 || !joined.includes('\ufffd')) return joined
  const apart = chunks.map((chunk) => decodeText(chunk, charset)).join('')
  return apart.includes('\ufffd') ? joined : apart
}

function decodeWordBytes(encoding: string, text: string): Buffer {
  if (encoding === 'B' || encoding === 'b') return Buffer.from(text, 'base64')
  const bytes = text
    .replace(/[_ ]/g, ' ')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return /[^\0-\xff]/.test(bytes) ? Buffer.from(bytes) : Buffer.from(bytes, 'latin1')
}
