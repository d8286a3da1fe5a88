import { spend } from '../work.ts'

/** Helpers for single lines. Each spends work for what it reads, so a mail that makes them repeat is given up. */

export function isBlank(line: string): boolean {
  spend(1 + (line.length >> 6))
  return line === '' || line.trim() === ''
}

/** `>` at the start, as mail programs mark quotes; `>From` is how mbox files write a line of the mail itself. */
export function isQuoted(line: string): boolean {
  spend(1)
  let start = 0
  while (start < 3 && line[start] === ' ') start++
  return line[start] === '>' && !line.startsWith('>From ', start)
}

/** "| " and "CB> ", as a few programs mark quotes: answers between such lines have no mark. */
export function isMarkedOtherwise(line: string): boolean {
  return /^\s{0,3}(?:\||\p{L}{1,4}>) ?\S/u.test(line.slice(0, 40))
}

const oddSigns = /[*\u00a0\u202f\u2009\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/
const otherDigits = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g

/** The line in lower case with Western digits, without emphasis marks and special spaces. */
export function fold(line: string): string {
  spend(1 + (line.length >> 3))
  const plain = oddSigns.test(line)
    ? line
        .replaceAll(/[\u00a0\u202f\u2009]/g, ' ')
        .replaceAll('*', '')
        .replaceAll(otherDigits, westernDigit)
    : line
  return plain.trim().toLowerCase()
}

function westernDigit(digit: string): string {
  const code = digit.charCodeAt(0)
  return String(code >= 0x966 ? code - 0x966 : code & 15)
}

/** The index of the next line that is not blank, or `to`. */
export function skipBlank(lines: readonly string[], from: number, to: number): number {
  let at = from
  while (at < to && isBlank(lines[at]!)) at++
  return at
}

/** `to` without the blank lines before it. */
export function trimBlank(lines: readonly string[], from: number, to: number): number {
  let end = to
  while (end > from && isBlank(lines[end - 1]!)) end--
  return end
}

/** The phrases of a table in which bars separate them. */
export function phrases(table: string): string[] {
  return table.trim().split(/\s*\|\s*/)
}
