import type { Mark } from '../normal-form/marks.ts'
import { spend } from '../work.ts'
import type { Attribution } from './attribution.ts'
import { isForwardMarker, looksLikeHeader } from './divider.ts'
import { fold, isQuoted, skipBlank, trimBlank } from './lines.ts'

/** What the lines and the marks of the sender's mail program show together. */
export type Hints = ReturnType<typeof readHints>

const mostSignatureLines = 20
const mostAttributionLines = 4

/** A mark counts only if its lines look like what it claims, so that no sender can fold their own words away. */
export function readHints(
  lines: readonly string[],
  end: number,
  found: readonly Attribution[],
  marks: readonly Mark[],
) {
  spend(4 * marks.length)
  const attributions = [...found]
  /** Lines at which the header of an older message begins. */
  const headers = new Set<number>()
  const signatures: Mark[] = []
  for (const mark of marks) {
    if (mark.kind === 'header' && looksLikeHeader(lines, mark.from, mark.to)) headers.add(mark.from)
    if (mark.kind === 'attribution') addAttribution(attributions, lines, end, mark)
    if (mark.kind === 'signature' && countWritten(lines, mark) <= mostSignatureLines) signatures.push(mark)
  }
  attributions.sort((one, other) => one.from - other.from)
  const quotes = marks.filter(({ kind }) => kind === 'quote' || kind === 'older')
  /** Whether quotes are HTML elements. */
  const isMarkup =
    quotes.length > 0 || marks.some(({ kind, from }) => kind === 'indent' && isQuoted(lines[from] ?? ''))
  const whole = withWholeQuotes(lines, attributions, headers, quotes)
  return { attributions: whole, headers, signatures, isMarkup }
}

/** Accepts any language: a few lines above a quote that end in a colon or contain an address and a time. */
function addAttribution(
  attributions: Attribution[],
  lines: readonly string[],
  end: number,
  mark: Mark,
): void {
  const { from } = mark
  const to = trimBlank(lines, from, mark.to)
  if (to - from > mostAttributionLines || to <= from) return
  if (attributions.some((each) => each.from < to && from < each.to)) return
  const next = skipBlank(lines, to, Math.min(end, to + 3))
  const sentence = fold(lines.slice(from, to).join(' ').slice(0, 500))
  if (isForwardMarker(lines[from]!) || isQuoted(lines[from]!)) return
  const speaks = /[:：]$/.test(sentence) || (sentence.includes('@') && /\d[:.h]\d\d/.test(sentence))
  if (speaks && next < end && isQuoted(lines[next]!))
    attributions.push({ from, to, certain: false, quoteFollows: true })
}

/** If no line of a marked quote has a `>`, the mark defines where the quote ends. */
function withWholeQuotes(
  lines: readonly string[],
  attributions: readonly Attribution[],
  headers: ReadonlySet<number>,
  quotes: readonly Mark[],
): Attribution[] {
  const whole: Attribution[] = []
  for (const { kind, from, to } of quotes) {
    if (whole.some((each) => each.from <= from && to <= each.to)) continue
    spend(2 * attributions.length + to - from)
    const start = introductionOf(lines, attributions, headers, from, to)
    if (start === null) continue
    if (kind === 'quote' && lines.slice(from, to).some((line) => isQuoted(line))) continue
    whole.push({ from: start, to, certain: false, quoteFollows: true })
  }
  if (whole.length === 0) return [...attributions]
  const outside = attributions.filter(
    ({ from }) => !whole.some((each) => each.from <= from && from < each.to),
  )
  return [...outside, ...whole].sort((one, other) => one.from - other.from)
}

/** The line where the introduction of a quote begins: right above the quote or in its first lines. */
function introductionOf(
  lines: readonly string[],
  attributions: readonly Attribution[],
  headers: ReadonlySet<number>,
  from: number,
  to: number,
): number | null {
  const first = skipBlank(lines, from, to)
  for (const attribution of attributions) {
    if (attribution.from === first) return first
    if (attribution.to <= from && skipBlank(lines, attribution.to, from) === from) return attribution.from
  }
  return headers.has(first) ? first : null
}

function countWritten(lines: readonly string[], { from, to }: Mark): number {
  spend(to - from)
  return lines.slice(from, to).filter((line) => line.trim() !== '').length
}
