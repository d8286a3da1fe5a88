/** Counts invisible text, and how much of it is usual in mail. */

import { countDirections, countText, handful, type Cleaned } from '../../model/invisible.ts'

/** Length of one preheader, before the first visible word. */
const longestPreheader = 250
/** Zero-width characters with which mails push the text after their preheader out of a list's preview. */
const padding = /[\u034F\u00AD\u061C\u180E\u200B-\u200F\u2060-\u2064\uFEFF]/g
/** A telephone number as it is copied from the contacts of a Mac. */
const markedNumber = /[\u202A\u202D][\d\s+()./-]{3,40}\u202C/g

export class Unseen {
  /** Characters left out, not counting white space. */
  characters = 0
  /** Characters of comments, title, styles and padding. */
  #furniture = 0
  /** Of the texts that had unseen characters. */
  #directions = { marks: 0, letters: 0 }
  /** Joiners and selectors. */
  #strays = 0
  #preheader: { holder: unknown; length: number; characters: number } | null = null

  /**
   * Characters that are neither furniture, nor part of a short preheader, nor a handful of joiners and selectors. Gmail sets direction marks around the names and
   * addresses of right-to-left mail.
   */
  get unusual(): number {
    const preheader = this.#preheader
    const excused = preheader && preheader.length <= longestPreheader ? preheader.characters : 0
    const { marks, letters } = this.#directions
    const strays = this.#strays <= handful ? this.#strays : 0
    return this.characters - this.#furniture - excused - strays - Math.min(marks, letters)
  }

  addFurniture(characters: number): void {
    this.characters += characters
    this.#furniture += characters
  }

  /** Counts characters removed from a text that is shown. */
  addRemoved({ removed, strays }: Cleaned, text: string): void {
    if (removed === 0) return
    if (text.replaceAll(padding, '').trim() === '') return this.addFurniture(removed)
    this.characters += removed
    this.#strays += strays
    const numbers = text.match(markedNumber) ?? []
    this.#furniture += 2 * numbers.length
    const { marks, letters } = countDirections(text.replaceAll(markedNumber, ''))
    this.#directions.marks += marks
    this.#directions.letters += letters
  }

  /** Counts characters that blank space pushed out of sight. */
  addBehind(characters: number): void {
    this.characters += characters
  }

  /** `holder` is the element or box that hides all of it; null after the first visible word. */
  addHidden(text: string, holder: object | null): void {
    const words = text.replaceAll(padding, '')
    this.addFurniture(text.length - words.length)
    const characters = countText(words)
    this.characters += characters
    if (holder === null || characters === 0) return
    this.#preheader ??= { holder, length: 0, characters: 0 }
    if (this.#preheader.holder !== holder) return
    this.#preheader.length += words.replaceAll(/\s+/g, ' ').length
    this.#preheader.characters += characters
  }
}

/** Markup inside a comment (as for Outlook) is not text; the rest of it is. */
export function countComment(data: string): number {
  if (data === '') return 0
  const text = data
    .replaceAll(/\[if [^\][]*\]>?|<!\[endif\]|^\[endif\]$|<!-*$/gi, '')
    .replaceAll(/<style\b[^<]*<\/style>/gi, '')
    .replaceAll(/<[^<>]*>/g, '')
  return countText(text)
}

/** A style sheet is not text, but content without a single rule in its place is. */
export function countStyleText(sheet: string): number {
  return sheet.includes('{') ? 0 : countText(sheet.replaceAll(/@[^;@]*;|<!--|-->|\/\*|\*\//g, ''))
}
