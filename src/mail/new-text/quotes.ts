import { spend } from '../work.ts'
import { isAttribution } from './attribution.ts'
import { isHeaderLine } from './divider.ts'
import { isQuoted, skipBlank, trimBlank } from './lines.ts'

const mostLinesLooked = 200

/**
 * Whether `>` marks quotes in a text that has no "… wrote:" above them. It also marks prompts, comparisons and
 * citations, so it must look like mail history: sentences at the very start or the very end, or nested quotes.
 */
export function quotesWithoutAttribution(lines: readonly string[], from: number, to: number): boolean {
  const first = skipBlank(lines, from, to)
  if (first === to) return false
  const head = readRun(lines, first, to, 1)
  if (head.length > 0 && isProse(head)) return true
  const tail = readRun(lines, trimBlank(lines, from + 1, to) - 1, from - 1, -1)
  return isProse(tail) || speaks(tail) || nests(lines, from, to) || introducesQuote(lines, from, to)
}

/** Consecutive quoted lines, from `at` in the direction of `step`. */
function readRun(lines: readonly string[], at: number, stop: number, step: 1 | -1): string[] {
  const run: string[] = []
  for (let i = at; i !== stop && run.length < mostLinesLooked && isQuoted(lines[i]!); i += step) {
    run.push(lines[i]!)
  }
  return run
}

function isProse(run: readonly string[]): boolean {
  const filled = run.filter((line) => contentOf(line) !== '')
  const prose = filled.filter((line) => isSentence(contentOf(line)))
  return filled.length > 0 && prose.length * 2 >= filled.length
}

/** Short lines that are speech rather than commands: "> Where is my order?" */
function speaks(run: readonly string[]): boolean {
  const filled = run.map(contentOf).filter((content) => content !== '')
  return (
    filled.length > 0 &&
    filled.every((content) => /^[\p{Lu}"'„“«(¿¡]/u.test(content)) &&
    /[.!?…]$/.test(filled[0]!)
  )
}

/** Commands and comparisons contain symbols, have few words, or do not start with a letter. */
function isSentence(content: string): boolean {
  if (content.length > 1000) return true
  if (!/^[\p{L}"'„“«(¿¡]/u.test(content) || /[$|{}=\\;]|--|^[a-z]+ -/.test(content)) return false
  return (
    content.split(' ').filter((word) => /\p{L}/u.test(word)).length >= 4 || /[\u3040-\u9fff]{6}/.test(content)
  )
}

function contentOf(line: string): string {
  spend(5 + (Math.min(line.length, 1000) >> 2))
  return line
    .slice(0, 1001)
    .replace(/^[> \t]+/, '')
    .trim()
}

/** Whether a quote begins with "On … wrote:" or with the header of a message. */
export function introducesQuote(lines: readonly string[], from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    if (!isQuoted(lines[i]!) || (i > from && isQuoted(lines[i - 1]!))) continue
    const contents = lines
      .slice(i, Math.min(to, i + 4))
      .map((line) => (isQuoted(line) ? contentOf(line) : ''))
    if (isAttribution(contents[0]!) || isAttribution(`${contents[0]} ${contents[1]}`)) return true
    if (contents.length > 3 && contents.slice(0, 3).every(isHeaderLine)) return true
  }
  return false
}

/** Lines of two depths: a prompt such as `>>>` has one. */
function nests(lines: readonly string[], from: number, to: number): boolean {
  let nested = 0
  let isFlat = true
  for (let i = from; i < to; i++) {
    const line = lines[i]!
    if (!isQuoted(line) || line.length < 3) continue
    if (!/^ {0,3}> ?>/.test(line)) isFlat = false
    else if (/^[> ]*\p{L}/u.test(line.slice(0, 40))) nested++
    if (nested >= 2 && !isFlat) return true
  }
  return false
}

const longestTorn = 1000

/** The rest of a quoted line that was wrapped in transit, without a mark: it closes a bracket or quote opened above. */
export function isTornOff(lines: readonly string[], at: number): boolean {
  const [above, line] = [lines[at - 1] ?? '', lines[at]!]
  if (!isQuoted(above) || !isQuoted(lines[at + 1] ?? '')) return false
  spend(20 + ((above.length + line.length) >> 2))
  if (above.length + line.length > longestTorn) return false
  const [open, rest] = [above.replaceAll(smiley, ''), line.replaceAll(smiley, '')]
  if (count(open, '(') > count(open, ')')) {
    // A closing bracket near the start belongs to a label such as "a)".
    const close = rest.indexOf(')')
    return close > 2 && !rest.slice(0, close).includes('(')
  }
  const isOpen = count(open, '"') % 2 === 1 && /[\s(]"\S[^"]*$/.test(open)
  return isOpen && count(rest, '"') % 2 === 1 && /^[^"]*[^"\s]"(?![\p{L}\p{N}])/u.test(rest)
}

const smiley = /[:;=][-o']?[()]/g
const count = (text: string, sign: string) => text.split(sign).length - 1
