import { randomInt } from 'node:crypto'
import { readBlock, readHeader, rawField, type Header } from './header.ts'
import type { MailLimits } from '../limits.ts'
import { readParameters, type ParameterValue } from './parameters.ts'
import { decodeTransfer } from './transfer-encoding.ts'
import { spend } from '../work.ts'

/** One node of a message; a leaf has no children, and its body is in the message from `start` to `end`. */
export interface Part {
  header: Header
  contentType: ParameterValue
  disposition: ParameterValue
  encoding: string
  start: number
  end: number
  children: Part[]
}

export type LimitBroken = 'too_many_parts' | 'too_deep'

/** A multipart that is being read: a line with its boundary ends everything open inside it. */
interface OpenMultipart {
  part: Part
  boundary: Buffer
  hash: number
  closingHash: number
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const dash = 0x2d
const dashesOnNewLine = Buffer.from('\n--')
const longestPreamble = 2000
const firstBoundary = /^--(\S(?:.{0,68}\S)?)[ \t\r]*\nContent-/im

/** Unknown to senders, who could otherwise write lines that all look like their boundaries. */
const multiplier = randomInt(1 << 20, 1 << 30) | 1

/**
 * Finds the parts of a message in one pass over its bytes, without copying any. The cost is linear whatever the message
 * contains: a line that begins with `--` is hashed as it is read, and looked up among the open boundaries. `broken` are
 * the limits that were exceeded; anything beyond them is not read.
 */
export function splitParts(message: Buffer, limits: MailLimits) {
  return new Splitter(message, limits).split()
}

class Splitter {
  readonly #message: Buffer
  readonly #limits: MailLimits
  readonly #broken = new Set<LimitBroken>()
  readonly #open: OpenMultipart[] = []
  readonly #root = newPart()
  /** Null in an epilogue, which belongs to no part. */
  #current: Part | null = this.#root
  #inHeader = true
  #headerStart = 0
  #parts = 1
  #lineEnd = 0
  #lineHash = 0

  constructor(message: Buffer, limits: MailLimits) {
    this.#message = message
    this.#limits = limits
  }

  split() {
    let line = 0
    while (line < this.#message.length && (this.#inHeader || this.#open.length > 0)) {
      if (!this.#inHeader) line = this.#nextDashes(line)
      const mayBeBoundary = this.#readLine(line)
      const next = Math.min(this.#lineEnd + 1, this.#message.length)
      const index = mayBeBoundary ? this.#findBoundary(line) : -1
      if (index !== -1) {
        if (!this.#passBoundary(index, line, next)) break
      } else if (this.#inHeader && this.#isEmptyLine(line)) {
        this.#endHeader(line, next)
      }
      line = next
    }
    this.#closeAll(this.#message.length)
    return { root: this.#root, broken: this.#broken }
  }

  /** Inside a body, only a line that begins with dashes can be a boundary. */
  #nextDashes(line: number): number {
    const message = this.#message
    // With millions of short lines, a call of `indexOf` for each would take longer than this loop.
    const near = Math.min(line + 32, message.length - 2)
    for (let i = line; i < near; i++)
      if (message[i] === dash && message[i + 1] === dash && message[i - 1] === lineFeed) return i
    const found = message.indexOf(dashesOnNewLine, Math.max(line, near) - 1)
    return found === -1 ? message.length : found + 1
  }

  /** Sets the line's end and, if it may be a boundary, its hash without trailing white space. */
  #readLine(line: number): boolean {
    const message = this.#message
    let i = line
    const mayBeBoundary = this.#open.length > 0 && message[line] === dash && message[line + 1] === dash
    if (mayBeBoundary) {
      let hash = 0
      let blanks = 0
      for (i += 2; i < message.length && message[i] !== lineFeed; i++) {
        const byte = message[i]!
        if (isBlank(byte)) {
          blanks++
          continue
        }
        for (; blanks > 0; blanks--) hash = (Math.imul(hash, multiplier) + space) | 0
        hash = (Math.imul(hash, multiplier) + byte) | 0
      }
      this.#lineHash = hash
    } else {
      while (i < message.length && message[i] !== lineFeed) i++
    }
    this.#lineEnd = i
    return mayBeBoundary
  }

  #isEmptyLine(line: number): boolean {
    return this.#lineEnd === line || (this.#lineEnd === line + 1 && this.#message[line] === carriageReturn)
  }

  /** If two use the same boundary, the innermost wins. */
  #findBoundary(line: number): number {
    const hash = this.#lineHash
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const { boundary, hash: opening, closingHash } = this.#open[i]!
      if (hash !== opening && hash !== closingHash) continue
      if (this.#message.compare(boundary, 0, boundary.length, line + 2, line + 2 + boundary.length) === 0)
        return i
    }
    return -1
  }

  /** False when no further part may be read. */
  #passBoundary(index: number, line: number, next: number): boolean {
    const owner = this.#open[index]!
    const isClosing = this.#lineHash === owner.closingHash
    if (this.#inHeader) this.#endHeader(line, line)
    const end = this.#beforeLineBreak(line)
    if (this.#current !== null) closePart(this.#current, end)
    for (const inner of this.#open.splice(index + 1)) closePart(inner.part, end)
    this.#current = null
    if (isClosing) {
      closePart(owner.part, end)
      this.#open.pop()
      return true
    }
    if (this.#parts >= this.#limits.parts) {
      this.#broken.add('too_many_parts')
      return false
    }
    this.#parts++
    this.#current = newPart()
    owner.part.children.push(this.#current)
    this.#inHeader = true
    this.#headerStart = next
    return true
  }

  /** The line break before a boundary belongs to the boundary. */
  #beforeLineBreak(line: number): number {
    if (line === 0 || this.#message[line - 1] !== lineFeed) return line
    return this.#message[line - 2] === carriageReturn ? line - 2 : line - 1
  }

  #endHeader(headerEnd: number, bodyStart: number): void {
    const part = this.#current
    this.#inHeader = false
    if (part === null) return
    spend(2 * (headerEnd - this.#headerStart))
    const { headerSize, depth } = this.#limits
    const block = readBlock(this.#message, this.#headerStart, headerEnd, headerSize)
    const parent = this.#open.at(-1)?.part
    describePart(part, readHeader(block), parent?.contentType.value === 'multipart/digest')
    // A block without fields is text that has no header; an empty header is a header.
    part.start = part.header.size === 0 && block !== '' ? this.#headerStart : bodyStart
    if (!isMultipart(part)) return
    const boundary = part.contentType.parameters.get('boundary')?.trimEnd() || this.#guessBoundary(part.start)
    if (boundary === '') return
    if (this.#open.length >= depth) this.#broken.add('too_deep')
    else this.#open.push(openMultipart(part, Buffer.from(boundary, 'latin1')))
  }

  /** Where the header names none, the first line of the body that looks like one; else people would see the source. */
  #guessBoundary(start: number): string {
    spend(longestPreamble)
    const beginning = this.#message.toString('latin1', start, start + longestPreamble)
    const found = firstBoundary.exec(beginning)?.[1] ?? ''
    const isOpen = this.#open.some(({ boundary }) =>
      [found, found.replace(/--$/, '')].includes(boundary.toString('latin1')),
    )
    return isOpen ? '' : found
  }

  #closeAll(end: number): void {
    if (this.#inHeader) this.#endHeader(end, end)
    if (this.#current !== null) closePart(this.#current, end)
    for (const { part } of this.#open) closePart(part, end)
  }
}

/** The decoded bytes of a part, or of the first `most` of its encoded bytes. */
export function decodePart(message: Buffer, { start, end, encoding }: Part, most = Infinity) {
  return decodeTransfer(message.subarray(start, Math.min(end, start + most)), encoding)
}

export const isMultipart = (part: Part) => part.contentType.value.startsWith('multipart/')

const isBlank = (byte: number) => byte === space || byte === 0x09 || byte === carriageReturn

function closePart(part: Part, end: number): void {
  if (part.end === -1) part.end = Math.max(end, part.start)
}

function openMultipart(part: Part, boundary: Buffer): OpenMultipart {
  const hash = hashBytes(boundary, 0)
  return { part, boundary, hash, closingHash: hashBytes(Buffer.from('--'), hash) }
}

function hashBytes(bytes: Buffer, start: number): number {
  let hash = start
  for (const byte of bytes) hash = (Math.imul(hash, multiplier) + (isBlank(byte) ? space : byte)) | 0
  return hash
}

function newPart(): Part {
  const none: ParameterValue = { value: '', parameters: new Map() }
  return {
    header: new Map(),
    contentType: { value: 'text/plain', parameters: new Map() },
    disposition: none,
    encoding: '',
    start: 0,
    end: -1,
    children: [],
  }
}

/** An invalid type counts as plain text (RFC 2045, 5.2), so that a person can still read it. */
function describePart(part: Part, header: Header, inDigest: boolean): void {
  part.header = header
  const contentType = readParameters(rawField(header, 'content-type'))
  if (contentType.value === '') contentType.value = inDigest ? 'message/rfc822' : 'text/plain'
  else if (!/^[^/]+\/[^/]+$/.test(contentType.value)) contentType.value = 'text/plain'
  part.contentType = contentType
  part.disposition = readParameters(rawField(header, 'content-disposition'))
  part.encoding = rawField(header, 'content-transfer-encoding')
    .replace(/\([^()]*\)/g, '')
    .toLowerCase()
}
