import { findAttributions, type Attribution } from './new-text/attribution.ts'
import {
  isForwardMarker,
  isHandOver,
  isRawHeader,
  readRoles,
  startsOlderMessage,
} from './new-text/divider.ts'
import { readHints, type Hints } from './new-text/hints.ts'
import { isBlank, isMarkedOtherwise, isQuoted, skipBlank, trimBlank } from './new-text/lines.ts'
import { introducesQuote, isTornOff, quotesWithoutAttribution } from './new-text/quotes.ts'
import { trimListFooter, trimRule, trimSignature } from './new-text/signature.ts'
import type { Mark } from './normal-form/marks.ts'
import { spend } from './work.ts'

/** A range of lines to keep: from `from` up to, not including, `to`. */
interface Stretch {
  from: number
  to: number
}

/**
 * In a forward, the message below is the content, not history. `either` is "VS:", a forward in Danish and Norwegian and a
 * reply in Finnish.
 */
export type SubjectSays = 'reply' | 'forward' | 'either' | null

export interface NewTextOptions {
  isReply?: boolean
  /** What a subject prefix such as "Re:" or "Fwd:" says. */
  subjectSays?: SubjectSays
  /** It has a subject of its own and refers to no other mail. */
  isFirst?: boolean
  /** What the sender's mail program says about lines of an HTML part. */
  marks?: readonly Mark[]
}

export interface NewLines {
  text: string
  forwards: boolean
  /** An older message without quote marks was left out. */
  hidesUnmarked: boolean
  /** Whether a line of the full text is part of the new text. */
  isNew: (line: number) => boolean
}

/**
 * What the sender wrote: `text` without quoted history and signature.
 *
 * In an interleaved reply the answers stay, each on its own lines, and the quotes they answer are removed. A forwarded
 * message stays, because it is new to the recipient. Text that is not certainly history stays; if nothing would remain,
 * the whole text stays. In a reply every `>` counts as a quote.
 */
export function findNewLines(text: string, options: NewTextOptions = {}): NewLines {
  const { isReply = false, subjectSays = null, isFirst = false, marks = [] } = options
  const written = text.split('\n')
  spend((text.length >> 2) + 8 * written.length)
  const lines = text.includes('\r') ? written.map((line) => line.replace(/\r$/, '')) : written
  const end = trimListFooter(lines, 0, lines.length)
  const attributions = findAttributions(lines, end)
  const hints = isFirst
    ? readHints(lines, end, attributions.filter(quotes(lines)), withoutHeaders(marks))
    : readHints(lines, end, attributions, marks)
  const border = findBorder(lines, hints, end, { subjectSays, isFirst })
  const own = ownStretches(lines, hints, border.at, isQuoting(lines, hints, border.at, isReply)).map(
    ({ from, to }) => ({ from, to: trimOwn(lines, hints, from, to) }),
  )
  if (border.kind === 'forward') own.push({ from: border.at, to: end })
  const kept = new Uint8Array(written.length)
  const found = join(text, written, own, kept)
  const forwards = subjectSays === 'forward' || border.kind === 'forward'
  if (isBlank(found)) return { text, forwards, hidesUnmarked: false, isNew: () => true }
  return { text: found, forwards, hidesUnmarked: border.kind === 'older', isNew: (line) => kept[line] === 1 }
}

/** A first mail may tell who wrote what: only a quote below or an address makes an attribution of it. */
function quotes(lines: readonly string[]): (attribution: Attribution) => boolean {
  return ({ from, to, quoteFollows }) =>
    quoteFollows || lines.slice(from, to).some((line) => line.includes('@'))
}

/** Below a line in a first mail stand orders and forms: only the labels that programs use make a header of them. */
function withoutHeaders(marks: readonly Mark[]): readonly Mark[] {
  return marks.filter(({ kind }) => kind !== 'header')
}

/** Whether `>` marks a quote even before any attribution. A blockquote may be the sender's own text, set off. */
function isQuoting(lines: readonly string[], { isMarkup }: Hints, to: number, isReply: boolean): boolean {
  if (isMarkup) return introducesQuote(lines, 0, to)
  return isReply || quotesWithoutAttribution(lines, 0, to)
}

/** The end of the sender's own lines, without the signature and without a rule above quoted text. */
function trimOwn(lines: readonly string[], { signatures }: Hints, from: number, to: number): number {
  let end = trimSignature(lines, from, trimRule(lines, from, to))
  const signature = signatures.find((mark) => mark.from > from && mark.from < end && mark.to >= end)
  if (signature) end = trimSignature(lines, from, trimRule(lines, from, signature.from))
  return end
}

interface Border {
  at: number
  kind: 'forward' | 'older' | 'end'
}

/** Where the sender's own part ends: at a forwarded message, at an older one, or at the end. */
function findBorder(
  lines: readonly string[],
  hints: Hints,
  end: number,
  { subjectSays, isFirst }: { subjectSays: SubjectSays; isFirst: boolean },
): Border {
  const isForward = subjectSays === 'forward'
  const { attributions, headers } = hints
  const roles = readRoles(lines)
  const skips = new Map(attributions.map(({ from, to }) => [from, to]))
  // An attribution with no quote below it covers everything that follows.
  const lastQuote = lines.findLastIndex((line, at) => at < end && isQuoted(line))
  const unquoted = attributions.find(
    ({ certain, to }) =>
      certain && to > lastQuote && !isMarkedOtherwise(lines[skipBlank(lines, to, end)] ?? ''),
  )
  const first = isForward ? attributions[0] : unquoted
  const limit = first?.from ?? end
  for (let at = 0; at < limit; at++) {
    const line = lines[at]!
    const skipped = skips.get(at)
    if (skipped !== undefined) at = skipped - 1
    if (skipped !== undefined || isBlank(line) || isQuoted(line)) continue
    if (isForwardMarker(line)) return { at, kind: 'forward' }
    if (!headers.has(at) && !startsOlderMessage(lines, roles, at, isFirst)) continue
    const forwards =
      isForward ||
      (subjectSays === 'either' && lines.slice(at, at + 4).some((each) => isFra.test(each))) ||
      isRawHeader(lines, roles, at) ||
      (subjectSays === null && isHandOver(lines.slice(0, at).join(' ').trim()))
    return { at, kind: forwards ? 'forward' : 'older' }
  }
  if (first && isForward) return { at: limit, kind: 'forward' }
  return { at: limit, kind: unquoted ? 'older' : 'end' }
}

/** "From:" in Danish and Norwegian. */
const isFra = /^\W{0,3}fra\W{0,3}:/i

/** The sender's lines between quotes. */
function ownStretches(
  lines: readonly string[],
  { attributions }: Hints,
  end: number,
  quotes: boolean,
): Stretch[] {
  const starts = new Map(attributions.map((attribution) => [attribution.from, attribution]))
  const stretches: Stretch[] = []
  let quoting = quotes
  let from = 0
  for (let at = 0; at < end; at++) {
    const attribution = starts.get(at)
    const isHistory = quoting && (isQuoted(lines[at]!) || isTornOff(lines, at))
    if (!attribution && !isHistory) continue
    if (at > from) stretches.push({ from, to: at })
    from = attribution?.to ?? at + 1
    at = from - 1
    quoting = true
  }
  if (from < end) stretches.push({ from, to: end })
  return stretches
}

/** Joins the stretches, with one blank line between them where the mail had any. */
function join(
  text: string,
  lines: readonly string[],
  stretches: readonly Stretch[],
  isKept: Uint8Array,
): string {
  let joined = ''
  let last = 0
  // Offset of line `last` in the text.
  let offset = 0
  for (const { from, to } of stretches) {
    const start = skipBlank(lines, from, to)
    const end = trimBlank(lines, start, to)
    if (start === end) continue
    const gap = joined === '' ? undefined : lines.slice(last, start).find(isBlank)
    if (joined !== '') joined += gap === undefined ? '\n' : `\n${gap}\n`
    for (; last < start; last++) offset += lines[last]!.length + 1
    const first = offset
    for (; last < end; last++) offset += lines[last]!.length + 1
    joined += text.slice(first, offset - 1)
    isKept.fill(1, start, end)
  }
  return joined
}
