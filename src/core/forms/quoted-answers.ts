/**
 * Finds answers typed inside a quote, on lines that the mail program marks as quoted: between lines that follow each
 * other in an earlier message. Only the quote of the mail that is answered counts; others may have answered in the
 * quotes inside it.
 */

import type { ParsedMail } from '../../model/mail/mail.ts'
import { hasWords, readRuns, readWords, runLength, textAfter } from '../../model/mail/shingles.ts'
import { findLines, isHeader } from './quoted-history.ts'

type Body = Pick<ParsedMail, 'text' | 'newText'>

/** A quoted line, or the rest of one: words `from` up to `to` of the mail. */
interface Line {
  number: number
  /** Without the quote mark. */
  text: string
  from: number
  to: number
  /** Words before them on this line: "Order number: 4711" may be quoted and answered. */
  quoted: number
}

/** Words of an earlier message that its quote must have. */
const fewestQuoted = 5
const mostAnswerLines = 30
/** Words left out of the quote where an answer stands. */
const mostDeleted = 1000
/** Places of a word that are looked at: one that is frequent begins many lines. */
const mostTries = 30
const patch = /^[> ]*(?:diff |@@ |\+\+\+ )/m

/**
 * An answer has a line above and a line below it. In a patch too many lines are alike, and in plain text somebody who
 * writes below quoted lines does so without a mark.
 */
export function mayAnswerInQuote({ text, newText, html }: Body & Pick<ParsedMail, 'html'>): boolean {
  if (text.length <= newText.length || (html === null && !text.startsWith(newText))) return false
  return (text.match(/^ {0,3}>[ \t]?[^\s>]/gm)?.length ?? 0) > 2 && !patch.test(text)
}

export class QuotedAnswers {
  readonly #words: Int32Array
  readonly #kept: ReadonlySet<number>
  /** Null for lines that are not in this quote. */
  readonly #lines: (Line | null)[]
  readonly #found: Line[][] = []

  constructor({ text, newText }: Body) {
    const written = text.split('\n')
    const { hashes, lines } = readWords(text)
    this.#words = hashes
    this.#kept = findLines(written, newText) ?? new Set(written.keys())
    this.#lines = readQuote(written, lines, this.#kept)
  }

  get areNone(): boolean {
    return this.#found.length === 0
  }

  /** Compares the quote with an earlier message. Returns whether it goes on where the message ends. */
  compare(text: string): boolean {
    const source = readWords(text).hashes
    let goesOn = false
    const found: Line[][] = []
    let quoted = 0
    /** The word of the source that should come next, and the lines since the one before it. */
    let next = 0
    let since: Line[] | null = null
    for (const line of [...this.#lines, null]) {
      const place = line && this.#find(line, source, next)
      if (place) {
        if (since && this.#isAnswer(since, source, next, place.at)) found.push(since)
        quoted += place.length
        next = place.at + place.length
        const rest = { ...line!, from: line!.from + place.length, quoted: place.length }
        since = rest.from < rest.to ? [rest] : []
      } else if (line) since?.push(line)
      else {
        const [last] = next === source.length ? (since ?? []) : []
        if (last) goesOn = true
        // Somebody who answered nowhere else has left the other person's signature there.
        if (last && found.length > 0 && !/[:：]\s*$|@/.test(last.text)) found.push([last])
        since = null
      }
    }
    if (quoted < fewestQuoted) return false
    this.#found.push(...found)
    return goesOn
  }

  /** Numbers of all new lines; null if the full texts of earlier messages have the answers too. */
  newLines(texts: readonly string[]): Set<number> | null {
    const said = new Set(texts.flatMap((text) => [...readRuns(readWords(text).hashes)]))
    const known = new Uint8Array(this.#words.length)
    for (const [at, run] of readRuns(this.#words).entries())
      if (said.has(run)) known.fill(1, at, at + runLength)
    const isNew = ({ from, to }: Line) =>
      2 * known.subarray(from, to).filter((one) => one === 1).length < to - from
    const answers = this.#found.filter((lines) => lines.every(isNew)).flat()
    return answers.length === 0 ? null : new Set([...this.#kept, ...answers.map(({ number }) => number)])
  }

  /** Where the source has the line or its beginning: at the next word, or where five words are the same. */
  #find(line: Line, source: Int32Array, next: number): { at: number; length: number } | null {
    const length = this.#countSame(line, source, next)
    if (
      length > 2 ||
      length === line.to - line.from ||
      (length > 0 && /^\s?[:?.!)：？。]/.test(textAfter(line.text, length)))
    )
      return { at: next, length }
    const first = this.#words[line.from]!
    const run = { ...line, to: line.from + runLength }
    let at = source.indexOf(first)
    for (let tries = 0; at !== -1 && tries < mostTries; tries += 1) {
      if (this.#countSame(run, source, at) === runLength)
        return { at, length: this.#countSame(line, source, at) }
      at = source.indexOf(first, at + 1)
    }
    return null
  }

  #countSame({ from, to }: Line, source: Int32Array, at: number): number {
    let count = 0
    while (
      from + count < to &&
      at + count < source.length &&
      this.#words[from + count] === source[at + count]
    )
      count += 1
    return count
  }

  /** Whether these lines were added between two words of the source, or stand where some were deleted. */
  #isAnswer(lines: readonly Line[], source: Int32Array, from: number, to: number): boolean {
    const [first] = lines
    if (!first || lines.length > mostAnswerLines || to < from || to > from + mostDeleted) return false
    const texts = lines.map(({ text }) => text.trim())
    const isRest = first.quoted > 0
    if (isRest ? !hasWords(withoutLabels(textAfter(first.text, first.quoted))) : isHeader(texts)) return false
    if (to === from) return true
    // A rewritten link, a remark such as "[snip]", or the deleted words in another form.
    if (isRest || texts.every((text) => /^\S*$|^[[<(].*[\])>]$/.test(text))) return false
    const deleted = new Set(source.subarray(from, to))
    const added = lines.flatMap((line) => [...this.#words.subarray(line.from, line.to)])
    return 2 * added.filter((word) => deleted.has(word)).length < added.length
  }
}

/** The new text of a message, and what stands right below it: an answer to its last question is above a signature. */
export function withSignature({ text, newText }: Body): string {
  const lines = text.split('\n')
  const last = [...(findLines(lines, newText) ?? [])].at(-1) ?? lines.length
  const below = lines.slice(last + 1)
  const end = below.findIndex(
    (line, at) => /^ {0,3}>|[:：]\s*$/.test(line) || isHeader([line, below[at + 1] ?? '']),
  )
  return [newText, ...(end === -1 ? below : below.slice(0, end))].join('\n')
}

function readQuote(
  written: readonly string[],
  lineOf: Int32Array,
  kept: ReadonlySet<number>,
): (Line | null)[] {
  const lines: (Line | null)[] = []
  let to = 0
  for (const [number, line] of written.entries()) {
    const from = to
    while (lineOf[to] === number) to += 1
    if (from === to) continue
    const text = kept.has(number) ? undefined : /^ {0,3}>(?!\s{0,3}>)(.*)/.exec(line)?.[1]
    if (text === undefined) lines.push(null)
    else if (!/[[<(]/.test(text) || hasWords(withoutLabels(text)))
      lines.push({ number, text, from, to, quoted: 0 })
  }
  return lines
}

/** How programs write a picture or the address of a link into plain text. */
const label =
  /[[<(](?:https?:|mailto:|cid:|picture:|image:|[^\s\])>]{0,200}\.(?:png|jpe?g|gif)\b)[^\])>]*[\])>]?/gi
const withoutLabels = (text: string) => text.slice(0, 500).replaceAll(label, '')
