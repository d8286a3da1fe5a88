import { normalForm } from '../normal-form.ts'

/**
 * How Spool splits text for search: letters and digits, with case and accents folded. Both databases index the same
 * terms, so both find the same mail. In scripts written without spaces each character is a term.
 */
export const notAscii = /[^\x00-\x7f]/
const asciiTerm = /[a-z0-9]+/g
const anyTerm = /[\p{L}\p{N}]+/gu
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
const marks = /\p{M}+/gu

export const longestTerm = 64
/** PostgreSQL holds at most 1 MB of terms per row; the same limit on SQLite keeps results identical. */
export const mostCharacters = 300_000

export function splitTerms(text: string): string[] {
  return [...termsOf([text])]
}

/** The distinct terms of several texts. */
export function termsOf(texts: readonly string[]): Set<string> {
  const terms = new Set<string>()
  let characters = 0
  for (const text of texts) {
    for (const match of splitText(text)) {
      const term = match.length > longestTerm ? cutTerm(match) : match
      if (terms.has(term)) continue
      characters += term.length
      if (characters > mostCharacters) return terms
      terms.add(term)
    }
  }
  return terms
}

/** The terms of a text in order, repetitions included. */
export function orderedTerms(text: string): string[] {
  return splitText(text.slice(0, mostCharacters)).map((term) =>
    term.length > longestTerm ? cutTerm(term) : term,
  )
}

function splitText(text: string): string[] {
  if (!notAscii.test(text)) return text.toLowerCase().match(asciiTerm) ?? []
  // Lower-casing can introduce new marks (İ), so strip them before and after.
  const bare = normalForm(text, 'NFKD').replace(marks, '')
  const folded = bare.toLowerCase().normalize('NFKD').replace(marks, '')
  return folded.replaceAll('ß', 'ss').replaceAll('ς', 'σ').replace(unspaced, ' $& ').match(anyTerm) ?? []
}

/** Never cuts a surrogate pair in half. */
function cutTerm(term: string): string {
  const last = term.charCodeAt(longestTerm - 1)
  return term.slice(0, last >= 0xd800 && last <= 0xdbff ? longestTerm - 1 : longestTerm)
}
