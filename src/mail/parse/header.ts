import { guessText, decodeText, storableText } from './charset.ts'
import { decodeWords } from './encoded-words.ts'
import { handful, removeInvisible } from '../../model/invisible.ts'

/** Field values by lower-case name, each unfolded and trimmed, one character per byte. */
export type Header = Map<string, string[]>

/** Counts the invisible characters that were removed from text that others wrote. */
export interface Hidden {
  characters: number
  /** Of these, joiners and selectors. */
  strays: number
}

export const nothingHidden = (): Hidden => ({ characters: 0, strays: 0 })

/** How many are more than a handful of joiners and selectors. */
export function unusualOf({ characters, strays }: Hidden): number {
  return strays <= handful ? characters - strays : characters
}

const fieldStart = /^([!-9;-~]+)[ \t]*:/

/**
 * Parses a header block. Lines that are not fields are skipped, as in mail programs; a block without a single field is
 * not a header, and the caller treats it as text.
 */
export function readHeader(block: string): Header {
  const header: Header = new Map()
  let name = ''
  let lines: string[] = []
  const keep = () => {
    if (name === '') return
    const value = lines.join('').trim()
    const values = header.get(name)
    if (values === undefined) header.set(name, [value])
    else values.push(value)
  }
  for (const ended of block.split('\n')) {
    const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended
    if (line.startsWith(' ') || line.startsWith('\t')) {
      lines.push(' ', line.trim())
      continue
    }
    const field = fieldStart.exec(line)
    if (field === null) continue
    keep()
    name = field[1]!.toLowerCase()
    lines = [line.slice(field[0].length)]
  }
  keep()
  return header
}

const longestHeader = 256 * 1024

/** The header of a mail, as far as its first bytes, by default 256 KB. */
export function readTopHeader(mail: Uint8Array, longest = longestHeader): Header {
  const size = Math.min(mail.byteLength, longest)
  const text = Buffer.from(mail.buffer, mail.byteOffset, size).toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  return readHeader(end ? text.slice(0, end.index + 1) : text)
}

/** The offset after the first empty line; -1 if there is none. */
export function findBody(message: Buffer, from = 0): number {
  const unix = message.indexOf('\n\n', from)
  const dos = message.subarray(0, unix === -1 ? message.length : unix).indexOf('\n\r\n', from)
  if (dos !== -1) return dos + 3
  return unix === -1 ? -1 : unix + 2
}

const telling =
  /^(?:from|sender|reply-to|date|subject|message-id|in-reply-to|references|content-[\w-]+|mime-version)[ \t]*:/i
const longestTelling = 32 * 1024
const mostLooked = 4

/**
 * The header's bytes, at most `size` of them. In a longer header (10,000 recipients) the fields that identify a mail
 * come first, wherever they are, followed by the others as far as they fit.
 */
export function readBlock(message: Buffer, start: number, end: number, size: number): string {
  if (end - start <= size) return message.toString('latin1', start, end)
  const all = message.toString('latin1', start, Math.min(end, start + mostLooked * size))
  const fields = all.split(/\n(?![ \t])/)
  const known = fields.filter((field) => telling.test(field)).map((field) => field.slice(0, longestTelling))
  const others = fields.filter((field) => !telling.test(field))
  return [...known, ...others].join('\n').slice(0, size)
}

/** The value as bytes; if a field occurs twice, the first wins. */
export function rawField(header: Header, name: string): string {
  return header.get(name)?.[0] ?? ''
}

/** Raw 8-bit text violates the standard but is common: UTF-8 if valid, else the message's own charset. */
export function decodeField(value: string, charset = ''): string {
  if (!/[\x80-\xff]/.test(value)) return storableText(value)
  const bytes = Buffer.from(value, 'latin1')
  const guess = guessText(bytes)
  const isUtf8 = Buffer.byteLength(guess) === bytes.length && Buffer.from(guess).equals(bytes)
  return storableText(isUtf8 || charset === '' ? guess : decodeText(bytes, charset))
}

/** For display: encoded words are decoded, folding white space is collapsed. */
export function fieldText(header: Header, name: string, charset = '', hidden?: Hidden): string {
  return oneLine(decodeWords(decodeField(rawField(header, name), charset)), hidden)
}

/** Text that others wrote, on one line and without invisible characters, which are counted. */
export function oneLine(text: string, hidden?: Hidden): string {
  const seen = removeInvisible(storableText(text).replace(/[\u0001-\u001f\u007f]+/g, ' '), 'mail')
  if (hidden) {
    hidden.characters += seen.removed
    hidden.strays += seen.strays
  }
  return seen.text.replace(/[^\S ]\s*| \s+/g, ' ').trim()
}
