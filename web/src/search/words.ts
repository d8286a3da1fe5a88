import { readSearch } from '../../../src/model/search/query.ts'
import { orderedTerms } from '../../../src/model/search/terms.ts'

export interface Piece {
  text: string
  found: boolean
}

// Splits text like the server does: in scripts written without spaces, each character is a word.
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+/gv

/** Finds the words of a search in the shown text, with the same rules as the server. */
export class FoundWords {
  readonly key: string
  readonly #terms: ReadonlySet<string>
  readonly #beginning: string | null

  constructor(terms: ReadonlySet<string>, beginning: string | null) {
    this.#terms = terms
    this.#beginning = beginning
    this.key = `${[...terms].join(' ')} ${beginning ?? ''}`
  }

  /** Null if the search contains no words. */
  static of(search: string): FoundWords | null {
    const { words, from, to, cc, subject } = readSearch(search, { typing: true })
    const terms = new Set<string>()
    let beginning: string | null = null
    for (const { value, not, begun } of [words, from, to, cc, subject].flat()) {
      if (not) continue
      const all = orderedTerms(value)
      if (begun) beginning = all.at(-1)!
      for (const term of all) terms.add(term)
    }
    return terms.size === 0 ? null : new FoundWords(terms, beginning)
  }

  isIn(text: string): boolean {
    for (const [each] of text.matchAll(word)) if (this.#isFound(each)) return true
    return false
  }

  /** Splits the text into matching and other pieces. */
  cut(text: string): Piece[] {
    const pieces: Piece[] = []
    let at = 0
    for (const { 0: each, index } of text.matchAll(word)) {
      if (!this.#isFound(each)) continue
      if (index > at) pieces.push({ text: text.slice(at, index), found: false })
      pieces.push({ text: each, found: true })
      at = index + each.length
    }
    if (at < text.length) pieces.push({ text: text.slice(at), found: false })
    return pieces
  }

  #isFound(each: string): boolean {
    return orderedTerms(each).some(
      (term) => this.#terms.has(term) || (this.#beginning !== null && term.startsWith(this.#beginning)),
    )
  }
}
