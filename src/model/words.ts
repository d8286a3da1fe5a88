import { normalForm } from './normal-form.ts'

/**
 * How Spool splits text for search: letters and digits, case and accents folded. Both databases get the same words,
 * so that both find the same mail. Scripts written without spaces give one word a character.
 */
const notAscii = /[^\x00-\x7f]/
const asciiWord = /[a-z0-9]+/g
const anyWord = /[\p{L}\p{N}]+/gu
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
const marks = /\p{M}+/gu

const longestWord = 64
/** PostgreSQL holds at most 1 MB of words in a row; the same bound for both keeps their answers alike. */
const mostCharacters = 300_000

export function splitWords(text: string): string[] {
  return [...wordsOf([text])]
}

/** The distinct words of several texts. */
export function wordsOf(texts: readonly string[]): Set<string> {
  const words = new Set<string>()
  let characters = 0
  for (const text of texts) {
    for (const match of splitText(text)) {
      const word = match.length > longestWord ? cutWord(match) : match
      if (words.has(word)) continue
      characters += word.length
      if (characters > mostCharacters) return words
      words.add(word)
    }
  }
  return words
}

function splitText(text: string): string[] {
  if (!notAscii.test(text)) return text.toLowerCase().match(asciiWord) ?? []
  // Lower case can bring forth new marks (İ), so they are taken off before and after.
  const bare = normalForm(text, 'NFKD').replace(marks, '')
  const folded = bare.toLowerCase().normalize('NFKD').replace(marks, '')
  return folded.replaceAll('ß', 'ss').replaceAll('ς', 'σ').replace(unspaced, ' $& ').match(anyWord) ?? []
}

/** Never through the middle of a surrogate pair. */
function cutWord(word: string): string {
  const last = word.charCodeAt(longestWord - 1)
  return word.slice(0, last >= 0xd800 && last <= 0xdbff ? longestWord - 1 : longestWord)
}
