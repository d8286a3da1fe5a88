/** How much text nobody sees, and how much of it is a mail's ordinary furniture. */

import { countText } from '../../model/invisible.ts'

/** Of one preheader, before the first visible word. */
const longestPreheader = 250
/** Characters without width by which mails push the text after their preheader out of a list's preview. */
const padding = /[\u034F\u00AD\u061C\u180E\u200B-\u200F\u2060-\u2064\uFEFF]/g

export class Unseen {
  /** Left out, white space aside. */
  characters = 0
  /** Comments, title, styles and padding. */
  #furniture = 0
  #preheader: { holder: unknown; length: number; characters: number } | null = null

  /** What is more than furniture. */
  get unusual(): number {
    const preheader = this.#preheader
    const excused = preheader && preheader.length <= longestPreheader ? preheader.characters : 0
    return this.characters - this.#furniture - excused
  }

  addFurniture(characters: number): void {
    this.characters += characters
    this.#furniture += characters
  }

  /** Of a text that is shown. */
  addRemoved(removed: number, text: string): void {
    if (text.replaceAll(padding, '').trim() === '') this.addFurniture(removed)
    else this.characters += removed
  }

  /** `holder` is what hides it as a whole; null for what stands after the first visible word. */
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

/** Markup inside a comment (as for Outlook) is no text; what is left of it is. */
export function countComment(data: string): number {
  if (data === '') return 0
  const text = data
    .replaceAll(/\[if [^\][]*\]>?|<!\[endif\]|^\[endif\]$|<!-*$/gi, '')
    .replaceAll(/<style\b[^<]*<\/style>/gi, '')
    .replaceAll(/<[^<>]*>/g, '')
  return countText(text)
}

/** A style sheet is no text; something without a single rule in its place is. */
export function countStyleText(sheet: string): number {
  return sheet.includes('{') ? 0 : countText(sheet.replaceAll(/@[^;@]*;|<!--|-->|\/\*|\*\//g, ''))
}
