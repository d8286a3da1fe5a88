/** The position of a quote in the shown text, matched by words: white space and Unicode composition may differ. */

export interface Place {
  start: number
  end: number
}

/** What is between two characters: nothing, the edge of an element that may or may not be a space, or a space. */
type Gap = 0 | 1 | 2

/** Marks that `text` has at the start of a line and the screen draws itself: for quotes and list items. */
const lineMark = /^(?:>+|-|\d+\.)$/

export class QuoteSearch {
  #characters = ''
  readonly #gaps: Gap[] = []
  /** Where each character comes from: offsets in all text added so far. */
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  #length = 0
  #gap: Gap = 2

  add(text: string): void {
    for (const { 0: part, index } of text.matchAll(/\s+|\P{M}\p{M}*|\p{M}+/gu)) {
      if (part.trim() === '') {
        this.#gap = 2
        continue
      }
      const composed = part.normalize('NFC')
      for (let at = 0; at < composed.length; at += 1) {
        this.#gaps.push(at === 0 ? this.#gap : 0)
        this.#starts.push(this.#length + index)
        this.#ends.push(this.#length + index + part.length)
      }
      this.#characters += composed
      this.#gap = 0
    }
    this.#length += text.length
  }

  /** An element begins or ends here. */
  addEdge(isBlock: boolean): void {
    if (this.#gap !== 2) this.#gap = isBlock ? 2 : 1
  }

  find(quote: string): Place | null {
    const words = quote.normalize('NFC').split(/\s+/).filter(Boolean)
    return this.#findWords(words) ?? this.#findWords(words.filter((word) => !lineMark.test(word)))
  }

  #findWords(words: readonly string[]): Place | null {
    const wanted = words.join('')
    if (wanted === '') return null
    const begins = new Set<number>()
    for (let at = 0, word = 0; word < words.length; at += words[word]!.length, word += 1) begins.add(at)
    for (let at = this.#characters.indexOf(wanted); at >= 0; at = this.#characters.indexOf(wanted, at + 1))
      if (this.#fits(at, wanted.length, begins))
        return { start: this.#starts[at]!, end: this.#ends[at + wanted.length - 1]! }
    return null
  }

  #fits(from: number, length: number, begins: ReadonlySet<number>): boolean {
    for (let at = 1; at < length; at += 1) {
      const gap = this.#gaps[from + at]!
      if (begins.has(at) ? gap === 0 : gap === 2) return false
    }
    return true
  }
}

export function findQuote(text: string, quote: string): Place | null {
  const search = new QuoteSearch()
  search.add(text)
  return search.find(quote)
}
