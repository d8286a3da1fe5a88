/**
 * Detects quoted history by comparing a message with earlier ones of its thread. This covers mail programs and
 * languages that no rule knows, and finds answers written into a quoted message without any mark.
 */

import { hasWords, readRuns, readWords, runLength } from '../../model/mail/shingles.ts'
import { legal, personal } from './legal-words.ts'
import { Prints } from './thread-prints.ts'

/** A message older than the one being examined. */
export interface EarlierWords {
  /** The end of its new text, where a repeated footer would be. */
  ending: string
  /** Hashes of the word runs in its new text. */
  runs: Int32Array
  name: string | null
  address: string
}

export interface Question {
  text: string
  newText: string
  /** Address of the author, whose own words may recur at the end, as a signature. */
  address: string
  earlier: readonly EarlierWords[]
}

interface Line {
  text: string
  kept: boolean
  /** Weight of its words, and of those that occur in an earlier message. */
  weight: number
  known: number
  /** Weight of the known words that also occur in lines that are not kept. */
  again: number
  /** Index of an earlier message that contains words of this line; -1 for none. */
  source: number
}

/** Share of the weight of a line that must be known. */
const mostly = 0.8
/** Minimum known weight of a stretch, by the other evidence that it is history. */
const [quotedWeight, introducedWeight, tailWeight, footerWeight, looseWeight] = [4, 5, 8, 12, 25]

/** A patch that is sent again is the content of the mail, not history. */
const patch = /^(?:diff |@@ |\+\+\+ )/m

/** Whether comparing with the thread could change anything, before its words are read: for most patches it cannot. */
export function mayBeHistory({ text, newText }: Pick<Question, 'text' | 'newText'>): boolean {
  if (!patch.test(text) || newText.split('\n').some(isMarked)) return true
  const written = text.split('\n')
  const isKept = findLines(written, newText)
  if (isKept === null) return false
  const hidden = written.filter((line, at) => !isKept.has(at) && !isQuoted(line) && hasWords(line))
  // An answer among them has at least a line above and a line below.
  return hidden.length > 2
}

/** Numbers of the new lines of `text`; null if the thread changes nothing. */
export function findNewByThread(question: Question): Set<number> | null {
  const lines = readLines(question)
  if (lines === null) return null
  const before = lines.filter(({ kept }) => kept).length
  const changed = dropHistory(lines, question)
  const answered = keepAnswers(lines, question.earlier)
  if (!changed && !answered) return null
  const kept = new Set(lines.flatMap((line, at) => (line.kept ? [at] : [])))
  const says = lines.some(({ kept: isKept, weight }) => isKept && weight > 0)
  return says && (answered || kept.size < before) ? kept : null
}

function readLines({ text, newText, earlier }: Question): Line[] | null {
  const written = text.split('\n')
  const isKept = findLines(written, newText)
  if (isKept === null) return null
  const lines: Line[] = written.map((line, at) => ({
    text: line,
    kept: isKept.has(at),
    weight: 0,
    known: 0,
    again: 0,
    source: -1,
  }))
  const words = readWords(text)
  const runs = readRuns(words.hashes)
  const { length } = words.hashes
  const sources = new Int16Array(length).fill(-1)
  const repeated = new Uint8Array(length)
  const said = runsOf(earlier)
  const hidden = new Set(runs.filter((_, at) => !isKept.has(words.lines[at]!)))
  for (let at = 0; at < runs.length; at += 1) {
    const source = said.get(runs[at]!)
    if (source === undefined) continue
    sources.fill(source, at, at + runLength)
    if (hidden.has(runs[at]!)) repeated.fill(1, at, at + runLength)
  }
  for (let at = 0; at < length; at += 1) {
    const line = lines[words.lines[at]!]
    if (!line) break
    line.weight += words.weights[at]!
    if (sources[at]! < 0) continue
    line.known += words.weights[at]!
    line.source = sources[at]!
    if (repeated[at] === 1) line.again += words.weights[at]!
  }
  return lines
}

/** The runs of all earlier messages; a run in several messages belongs to the first. */
function runsOf(earlier: readonly EarlierWords[]): Prints<number> {
  const said = new Prints<number>(earlier.reduce((sum, { runs }) => sum + runs.length, 0))
  for (let source = earlier.length - 1; source >= 0; source -= 1) said.add(earlier[source]!.runs, source)
  return said
}

/** Numbers of the lines that make up the new text; null if it does not consist of these lines. */
export function findLines(lines: readonly string[], newText: string): Set<number> | null {
  const found = new Set<number>()
  let next = 0
  for (const kept of newText.split('\n')) {
    while (next < lines.length && lines[next] !== kept) next += 1
    if (next === lines.length) return null
    found.add(next++)
  }
  return found
}

const isKnown = ({ weight, known }: Line) => weight > 0 && known >= weight * mostly
const isQuoted = (text: string) => /^ {0,3}>/.test(text)
/** How some programs and people mark quotes: "| ", "CB> ". */
const isMarked = (text: string) => /^\s{0,3}(?:\p{L}{0,8}>|\|)/u.test(text)

/** Drops kept lines that occur in an earlier message. */
function dropHistory(lines: Line[], question: Question): boolean {
  let changed = false
  const sendsPatch = patch.test(question.text)
  const last = lines.findLastIndex(({ kept, weight }) => kept && weight > 0)
  for (let from = 0; from < lines.length; from += 1) {
    if (!lines[from]!.kept || !isKnown(lines[from]!)) continue
    const to = endOfKnown(lines, from)
    const stretch = lines.slice(from, to)
    const start = introductionOf(lines, from, question.earlier)
    if (isHistory(stretch, { introduced: start < from, tail: to > last, sendsPatch }, question)) {
      for (let at = start; at < to; at += 1) lines[at]!.kept = false
      changed = true
    }
    from = to - 1
  }
  return changed
}

/** Index after the last known line; blank or unkept lines and one short line may separate it from the previous one. */
function endOfKnown(lines: readonly Line[], from: number): number {
  let to = from + 1
  let strange = 0
  for (let at = from + 1; at < lines.length; at += 1) {
    const line = lines[at]!
    if (line.kept && isKnown(line)) {
      to = at + 1
      strange = 0
    } else if (line.kept && line.weight > 0 && (line.weight > 3 || ++strange > 1)) break
  }
  return to
}

function isHistory(
  stretch: readonly Line[],
  { introduced, tail, sendsPatch }: { introduced: boolean; tail: boolean; sendsPatch: boolean },
  { earlier, address }: Question,
): boolean {
  const kept = stretch.filter((line) => line.kept && isKnown(line))
  const weight = kept.reduce((sum, line) => sum + line.known, 0)
  if (kept.every(({ text }) => isMarked(text))) return weight >= quotedWeight
  if (sendsPatch) return false
  // Authors may repeat their own words; the words of somebody else are a quote.
  const own = kept.filter(({ source }) => earlier[source]?.address === address)
  if (introduced && own.length === 0) return weight >= introducedWeight
  // The quote is elsewhere in the mail: "Yes, please cancel my subscription" was written again on purpose.
  if (kept.reduce((sum, line) => sum + line.again, 0) >= weight * mostly) return false
  if (own.length === 0) {
    // Whole messages are quoted; of one line out of a longer message, somebody makes a choice or a promise.
    const isMost = weight * 2 >= (earlier[kept[0]!.source]?.runs.length ?? 0)
    return weight >= (tail && isMost ? tailWeight : looseWeight)
  }
  return tail && weight >= footerWeight && own.length === kept.length && isFooter(kept, earlier)
}

const mostFooterLines = 12

/** Legal text or the lines of a signature, at the end of that person's mails; a request may be sent twice. */
function isFooter(lines: readonly Line[], earlier: readonly EarlierWords[]): boolean {
  const last = lines.at(-1)!
  const isCard = lines.every(({ text, weight }) => weight <= 6 && !/[.!?]\s*$/.test(text))
  const isLegal = lines.some(({ text }) => legal.test(text)) && !lines.some(({ text }) => personal.test(text))
  if (!isCard && !isLegal) return false
  return lines.length <= mostFooterLines && earlier[last.source]!.ending.trimEnd().endsWith(last.text.trim())
}

const mostIntroduction = 8

/** Start of the lines right above that name the author of the earlier message, such as an attribution or its header. */
function introductionOf(lines: readonly Line[], from: number, earlier: readonly EarlierWords[]): number {
  const source = earlier[lines[from]!.source]
  if (!source) return from
  let start = from
  for (let at = from - 1, seen = 0; at >= 0 && seen < mostIntroduction; at -= 1) {
    const { text, kept, weight } = lines[at]!
    if (weight === 0) {
      if (kept && /[^\s>]/.test(text) && start === from && seen > 0) break
      continue
    }
    if (!kept || text.length > 300) break
    seen += 1
    const introduction = lines.slice(at, from).map((line) => line.text)
    if (names(text, source) && introduces(introduction.join(' '), text)) start = at
    else if (!/^[^:：]{1,40}[:：]/.test(text) && !/[:：]\s*$/.test(text)) break
  }
  return start < from ? withRule(lines, start) : from
}

/** Contains a date or time and no sentence: "Dear Carla, order 4711 left today. You asked:" is an answer. */
function introduces(introduction: string, line: string): boolean {
  return (
    /\d[./:-] ?\d|\b(?:19|20)\d\d\b|\d[年月日]/.test(introduction) && !/\p{Ll}{4,}[.!?](?:\s|$)/u.test(line)
  )
}

function withRule(lines: readonly Line[], start: number): number {
  let at = start - 1
  while (at >= 0 && lines[at]!.text.trim() === '') at -= 1
  return at > 0 && lines[at]!.weight === 0 && /^[\s\-_=*]+$/.test(lines[at]!.text) ? at : start
}

function names(text: string, { name, address }: EarlierWords): boolean {
  const small = text.toLowerCase()
  return (
    (address !== '' && small.includes(address.toLowerCase())) ||
    (name !== null && name.length > 2 && small.includes(name.toLowerCase()))
  )
}

/** Keeps text written between two lines of the same earlier message, or after its last line by who answers in it. */
function keepAnswers(lines: Line[], earlier: readonly EarlierWords[]): boolean {
  let found = false
  let above = -1
  let answered = -1
  const finish = (): void => {
    if (above >= 0 && keepLastAnswer(lines, above, earlier, lines[above]!.source === answered)) found = true
    above = -1
  }
  for (const [at, line] of lines.entries()) {
    if (line.kept || isQuoted(line.text)) {
      if (line.weight > 0) finish()
      continue
    }
    if (!isKnown(line) || line.known < quotedWeight) continue
    const between = above === -1 ? [] : lines.slice(above + 1, at)
    if (lines[above]?.source !== line.source) finish()
    else if (areAnswers(between)) {
      for (const answer of between) answer.kept = true
      answered = line.source
      found = true
    }
    above = at
  }
  finish()
  return found
}

const mostAnswerLines = 30

/**
 * An answer to the last question has no known line below it, at most a closing ("Regards"). Without that, it may be the
 * other person's signature: it is kept if the author has answered further up.
 */
function keepLastAnswer(
  lines: Line[],
  last: number,
  earlier: readonly EarlierWords[],
  hasAnswered: boolean,
): boolean {
  const after = lines.slice(last + 1, last + 1 + 3 * mostAnswerLines)
  const stop = after.findIndex((line, at) => endsAnswers(line, after[at + 1]))
  const rest = stop === -1 ? after : after.slice(0, stop)
  if (rest.every(({ weight }) => weight === 0)) return false
  const closing = new Set(earlier[lines[last]!.source]!.ending.split('\n').map((line) => line.trim()))
  const isClosing = ({ text, weight }: Line) => weight > 0 && closing.has(text.trim())
  const end = rest.findLastIndex(isClosing)
  if (end === -1 && !hasAnswered) return false
  const answers = (end === -1 ? rest : rest.slice(0, end)).filter(
    (line) => line.weight > 0 && !isClosing(line),
  )
  if (!areAnswers(answers)) return false
  for (const answer of answers) answer.kept = true
  return true
}

/** Whether something else begins: new or quoted text, another known message, a header, or a sentence above a quote. */
function endsAnswers({ text, kept, weight, known }: Line, next: Line | undefined): boolean {
  if (weight > 0 && (kept || known >= quotedWeight)) return true
  return isQuoted(text) || /^\s*[-_=*]{5,}/.test(text.slice(0, 40)) || isHeader([text, next?.text ?? ''])
}

function areAnswers(between: readonly Line[]): boolean {
  const written = between.filter(({ weight }) => weight > 0)
  return (
    written.length > 0 &&
    written.length <= mostAnswerLines &&
    written.every(({ known, weight }) => known < weight * mostly) &&
    !isHeader(written.map(({ text }) => text)) &&
    written.some(({ known, weight }) => weight - known >= 1)
  )
}

const label = /^[^:：]{1,30}[:：]/
const addressOrTime = /@|\d[:.]\d\d/

/** "Bob: it left at 10:42." is an answer; a header has a bracketed address, a date with its time, or several labels. */
export function isHeader(texts: readonly string[]): boolean {
  const labelled = texts.map((text) => text.slice(0, 300)).filter((text) => label.test(text))
  if (labelled.length > 1) return labelled.some((text) => addressOrTime.test(text))
  return labelled.some(
    (text) =>
      /[<[][^\s<>]*@/.test(text) ||
      (addressOrTime.test(text) && (/\b(?:19|20)\d\d\b/.test(text) || /[:：]\s*$/.test(text))),
  )
}
