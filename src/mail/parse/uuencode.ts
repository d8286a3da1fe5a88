const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const graveAccent = 0x60
const beginLine = /^begin 0?[0-7]{3}(?: ([^\r\n]{0,200})|\r?\n)/
const endLine = Buffer.from('end')

/** A uuencoded file in the middle of plain text, as mail carried files before MIME. */
export interface UuFile {
  name: string
  content: Uint8Array<ArrayBuffer>
}

/** Decodes a part that is uuencoded as a whole: from its `begin` line to its `end`. */
export function decodeUuencoded(body: Buffer): Uint8Array<ArrayBuffer> {
  const begin = findBegin(body, 0)
  if (begin === null) return new Uint8Array(body)
  return decodeLines(body, begin.contentStart).content
}

/** Extracts complete files from a text; anything not uuencoded from `begin` to `end` stays text. */
export function extractUuFiles(text: Buffer): { text: Buffer; files: UuFile[] } {
  const files: UuFile[] = []
  const kept: Buffer[] = []
  let position = 0
  for (let begin = findBegin(text, 0); begin !== null && files.length < 100;) {
    const { content, end, isWhole } = decodeLines(text, begin.contentStart)
    if (isWhole) {
      files.push({ name: begin.name, content })
      kept.push(text.subarray(position, begin.start))
      position = end
    }
    begin = findBegin(text, isWhole ? end : begin.contentStart)
  }
  return files.length === 0
    ? { text, files }
    : { text: Buffer.concat([...kept, text.subarray(position)]), files }
}

function findBegin(body: Buffer, from: number): { start: number; contentStart: number; name: string } | null {
  for (let at = body.indexOf('begin ', from); at !== -1; at = body.indexOf('begin ', at + 1)) {
    if (at > 0 && body[at - 1] !== lineFeed) continue
    const match = beginLine.exec(body.toString('latin1', at, at + 220))
    const lineEnd = body.indexOf(lineFeed, at)
    if (match !== null && lineEnd !== -1)
      return { start: at, contentStart: lineEnd + 1, name: match[1]?.trim() ?? '' }
  }
  return null
}

/**
 * `isWhole` if the lines are those of an encoder and not of prose: only its characters, an empty line before `end`, and
 * at least one line as long as its first character states. Others may be shorter: trailing spaces are often lost.
 */
function decodeLines(
  body: Buffer,
  from: number,
): { content: Uint8Array<ArrayBuffer>; end: number; isWhole: boolean } {
  const { contentEnd, end } = findEnd(body, from)
  const content = new Uint8Array(Math.ceil(((contentEnd - from) * 3) / 4))
  let length = 0
  let [isEncoded, isFull, isEmpty] = [true, false, false]
  for (let line = from; line < contentEnd;) {
    const feed = lineBreak(body, line)
    const lineEnd = withoutReturn(body, line, feed)
    const count = (body[line]! - space) & 63
    isEmpty = lineEnd === line || count === 0
    isFull ||= !isEmpty && (lineEnd - line - 1) * 3 >= count * 4
    isEncoded &&= body.subarray(line, lineEnd).every((byte) => byte >= space && byte <= graveAccent)
    length = decodeLine(body, line + 1, lineEnd, count, content, length)
    line = feed + 1
  }
  const isWhole = end > contentEnd && isEncoded && isFull && isEmpty
  return { content: content.slice(0, length), end, isWhole }
}

/** Where the uuencoded lines stop, and the start of the line after `end`, if that is what stops them. */
function findEnd(body: Buffer, from: number): { contentEnd: number; end: number } {
  let line = from
  while (line < body.length) {
    if (body[line] === lineFeed) {
      line++
      continue
    }
    const feed = lineBreak(body, line)
    const lineEnd = withoutReturn(body, line, feed)
    if (lineEnd - line === 3 && body.compare(endLine, 0, 3, line, lineEnd) === 0) {
      return { contentEnd: line, end: Math.min(feed + 1, body.length) }
    }
    const count = (body[line]! - space) & 63
    // Trailing spaces are often lost; one extra character is the checksum of old encoders.
    const mostEncoded = Math.ceil(count / 3) * 4 + 1
    if (lineEnd > line && (body[line]! < space || lineEnd - line - 1 > mostEncoded)) break
    line = feed + 1
  }
  return { contentEnd: Math.min(line, body.length), end: Math.min(line, body.length) }
}

function lineBreak(body: Buffer, from: number): number {
  let i = from
  while (i < body.length && body[i] !== lineFeed) i++
  return i
}

const withoutReturn = (body: Buffer, line: number, end: number) =>
  end > line && body[end - 1] === carriageReturn ? end - 1 : end

function decodeLine(
  body: Buffer,
  from: number,
  end: number,
  count: number,
  into: Uint8Array,
  at: number,
): number {
  const value = (i: number) => (i < end ? (body[i]! - space) & 63 : 0)
  let length = at
  for (let i = from, left = count; left > 0 && i < end; i += 4, left -= 3) {
    into[length++] = (value(i) << 2) | (value(i + 1) >> 4)
    if (left > 1) into[length++] = ((value(i + 1) << 4) | (value(i + 2) >> 2)) & 255
    if (left > 2) into[length++] = ((value(i + 2) << 6) | value(i + 3)) & 255
  }
  return length
}
