import { findBody } from '../parse/header.ts'
import { readFromLine } from './from-line.ts'
import { countFromLines, unescapeFromLines } from './mbox-escape.ts'

export type MboxFormat = 'mboxrd' | 'mboxo' | 'mboxcl' | 'auto'

export type MboxItem =
  | { tooLarge?: false; raw: Uint8Array; fromLineDate: number | null; offset: number }
  | { tooLarge: true; offset: number; size: number }

const lineFeed = 0x0a
const carriageReturn = 0x0d
const fromAfterLine = Buffer.from('\nFrom ')
const longestFromLine = 500
const longestHeader = 256 * 1024
const defaultMaxSize = 50 * 1024 * 1024

/**
 * Reads a mailbox as a stream with one message in memory at a time; a message larger than `maxSize` is reported and
 * skipped. A line begins a message if it is a complete From_ line, because bodies contain "From here on" too, and is at
 * the start of the file, after an empty line, or before a header field: mailboxes are joined without an empty line too.
 *
 * `auto` is mboxrd, except for messages whose Content-Length leads exactly to the next From_ line.
 */
export async function* readMbox(
  chunks: AsyncIterable<Uint8Array>,
  format: MboxFormat = 'auto',
  maxSize = defaultMaxSize,
): AsyncGenerator<MboxItem> {
  const reader = new MboxReader(format, maxSize)
  for await (const chunk of chunks) {
    reader.append(chunk)
    yield* reader.readMessages(false)
  }
  yield* reader.readMessages(true)
}

class MboxReader {
  readonly #format: MboxFormat
  readonly #maxSize: number
  #buffer = Buffer.alloc(256 * 1024)
  #length = 0
  /** Offset of the buffer in the mailbox. */
  #base = 0
  /** Where the current message starts in the buffer, at its From_ line; -1 before the first. */
  #start = -1
  #scan = 0
  /** Bytes already discarded from a message that is too large. */
  #dropped = 0
  /** Whether the current message's Content-Length may still determine its end. */
  #mayMeasure = true

  constructor(format: MboxFormat, maxSize: number) {
    this.#format = format
    this.#maxSize = maxSize
  }

  append(chunk: Uint8Array): void {
    const kept = this.#start === -1 ? 0 : this.#start
    if (this.#length + chunk.length > this.#buffer.length) {
      const size = this.#length - kept
      const needed = size + chunk.length
      const target =
        needed > this.#buffer.length / 2 ? Buffer.alloc(Math.max(needed, size * 2)) : this.#buffer
      this.#buffer.copy(target, 0, kept, this.#length)
      this.#buffer = target
      this.#forget(kept)
    }
    this.#buffer.set(chunk, this.#length)
    this.#length += chunk.length
  }

  *readMessages(isEnd: boolean): Generator<MboxItem> {
    if (this.#start === -1 && !this.#skipToFirst(isEnd)) return
    for (;;) {
      const next = this.#findNext(isEnd)
      if (next === -1) break
      yield this.#take(next.end, next.measured)
      if (next.start >= this.#length && isEnd) return
      this.#begin(next.start)
    }
    if (this.#length - this.#start > this.#maxSize + longestFromLine) this.#drop()
  }

  /** Skips empty lines before the first message, which belong to no message. */
  #skipToFirst(isEnd: boolean): boolean {
    let at = 0
    while (at < this.#length && (this.#buffer[at] === lineFeed || this.#buffer[at] === carriageReturn)) at++
    if (at >= this.#length) {
      this.#forget(at)
      this.#length = 0
      return false
    }
    if (!isEnd && this.#length - at < longestFromLine && this.#buffer.indexOf(lineFeed, at) === -1)
      return false
    this.#begin(at)
    return true
  }

  #begin(start: number): void {
    this.#start = start
    this.#scan = start
    this.#dropped = 0
    this.#mayMeasure = this.#format === 'mboxcl' || this.#format === 'auto'
  }

  /** Where this message ends and the next begins; -1 while that is not known yet. */
  #findNext(isEnd: boolean): { end: number; start: number; measured: boolean } | -1 {
    if (this.#mayMeasure) {
      const measured = this.#measure(isEnd)
      if (measured === 'wait') return -1
      if (measured !== null) return { ...measured, measured: true }
      this.#mayMeasure = false
    }
    const bytes = this.#buffer.subarray(0, this.#length)
    for (;;) {
      const at = bytes.indexOf(fromAfterLine, this.#scan)
      if (at === -1) {
        this.#scan = Math.max(this.#scan, this.#length - fromAfterLine.length + 1)
        break
      }
      this.#scan = at
      const isFrom = this.#isFromLine(at + 1, isEnd, !this.#isEmptyBefore(at))
      if (isFrom === 'wait') return -1
      if (isFrom) return { end: this.#withoutEmptyLine(at + 1), start: at + 1, measured: false }
      this.#scan = at + 1
    }
    return isEnd ? { end: this.#withoutEmptyLine(this.#length), start: this.#length, measured: false } : -1
  }

  /** Whether the line that ends at this line feed is empty. */
  #isEmptyBefore(feed: number): boolean {
    const before = this.#buffer[feed - 1] === carriageReturn ? feed - 2 : feed - 1
    return before < this.#start || this.#buffer[before] === lineFeed
  }

  #isFromLine(at: number, isEnd: boolean, needsHeader = false): boolean | 'wait' {
    const limit = Math.min(this.#length, at + longestFromLine)
    const [line, next] = this.#buffer.toString('latin1', at, limit).split('\n', 2)
    const isShort = limit < at + longestFromLine && !isEnd
    if (isShort && (needsHeader || next === undefined)) return 'wait'
    return readFromLine(line!) !== undefined && (!needsHeader || /^[!-9;-~]+:/.test(next ?? ''))
  }

  /** The empty line before a From_ line is a separator and not part of the message. */
  #withoutEmptyLine(end: number): number {
    if (end - 1 <= this.#start || this.#buffer[end - 1] !== lineFeed) return end
    const isDos = this.#buffer[end - 2] === carriageReturn
    const before = isDos ? end - 2 : end - 1
    return before > this.#start && this.#buffer[before - 1] === lineFeed ? before : end
  }

  /** Uses Content-Length if it leads to the end of a message; null if it does not. */
  #measure(isEnd: boolean): { end: number; start: number } | null | 'wait' {
    const most = Math.min(this.#length, this.#start + longestHeader)
    const bodyStart = findBody(this.#buffer.subarray(0, most), this.#start)
    if (bodyStart === -1) return isEnd || this.#length - this.#start > longestHeader ? null : 'wait'
    const header = this.#buffer.toString('latin1', this.#start, bodyStart)
    const length = /\ncontent-length:[ \t]*(\d{1,12})[ \t]*\r?\n/i.exec(header)?.[1]
    if (length === undefined || Number(length) > this.#maxSize) return null
    const end = bodyStart + Number(length)
    if (end + longestFromLine > this.#length && !isEnd) return 'wait'
    if (end > this.#length) return null
    let next = end
    if (this.#buffer[next] === carriageReturn && next < this.#length) next++
    if (this.#buffer[next] === lineFeed && next < this.#length) next++
    if (next >= this.#length) return { end, start: this.#length }
    const isAtLineStart = this.#buffer[next - 1] === lineFeed
    return isAtLineStart && this.#isFromLine(next, true) === true ? { end, start: next } : null
  }

  #take(end: number, measured: boolean): MboxItem {
    const offset = this.#base + this.#start - this.#dropped
    const message = this.#buffer.subarray(this.#start, end)
    const hasFromLine = message.subarray(0, 5).equals(fromAfterLine.subarray(1))
    const feed = message.indexOf(lineFeed)
    const lineEnd = !hasFromLine ? 0 : feed === -1 ? message.length : feed + 1
    const size = message.length - lineEnd
    if (this.#dropped > 0 || size > this.#maxSize)
      return { tooLarge: true, offset, size: size + this.#dropped }
    const fromLineDate = hasFromLine ? (readFromLine(message.toString('latin1', 0, lineEnd)) ?? null) : null
    return { raw: this.#unescape(message.subarray(lineEnd), measured), fromLineDate, offset }
  }

  /** Of the programs that write lengths, some escape and some do not: an unescaped From_ line inside shows which. */
  #unescape(message: Buffer, measured: boolean): Uint8Array {
    if (measured && countFromLines(message) > 0) return new Uint8Array(message)
    return unescapeFromLines(message, this.#format === 'mboxrd' || this.#format === 'auto')
  }

  /** Discards a message that is too large, except for the bytes needed to find its end. */
  #drop(): void {
    this.#mayMeasure = false
    const kept = Math.max(this.#start, this.#scan - 2 * fromAfterLine.length)
    this.#dropped += kept - this.#start
    this.#start = kept
    this.#buffer.copyWithin(0, kept, this.#length)
    this.#forget(kept)
  }

  #forget(count: number): void {
    this.#base += count
    this.#length -= Math.min(count, this.#length)
    this.#scan = Math.max(0, this.#scan - count)
    if (this.#start !== -1) this.#start -= count
  }
}
