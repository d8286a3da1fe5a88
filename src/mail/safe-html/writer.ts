import {
  barrierOf,
  formatting,
  impliedEndsOf,
  isHeading,
  isTablePart,
  unseen,
  voidElements,
  writtenName,
} from './elements.ts'
import { escapeText } from './escape.ts'

const deepest = 256
const mostReopened = 8

interface OpenElement {
  name: string
  /** Empty for an element whose content is not shown. */
  startTag: string
}

/**
 * Writes tags that are always closed and rightly nested, stops at a number of bytes, and never nests deeper than
 * browsers do. What it is given must be harmless already: names come from the allowlist, attributes are clean.
 */
export class TagWriter {
  truncated = false
  #pieces: string[] = []
  /** Bytes that may still be written; those of `#uncounted` have not been taken off it yet. */
  #left: number
  #uncounted: string[] = []
  /** No fewer than the bytes of `#uncounted`: most mail ends before they need to be counted. */
  #atMost = 0
  #open: OpenElement[] = []
  #openCount = new Map<string, number>()
  #tooDeep = new Map<string, number>()
  #unseen = 0

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** Room for something that is written elsewhere, such as the style sheet. */
  reserve(bytes: number): boolean {
    this.#settle()
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  text(text: string): void {
    if (this.#unseen > 0 || this.truncated) return
    if (this.#write(escapeText(text))) return
    for (const character of text) {
      if (!this.#write(escapeText(character))) break
    }
    this.truncated = true
  }

  /** `attributes` is asked for only when the tag will be written. */
  start(tagName: string, attributes: (name: string) => string | null): void {
    if (this.truncated) return
    const name = unseen.has(tagName) ? tagName : writtenName(tagName)
    if (name === null || (isTablePart(name) && !this.#openCount.get('table'))) return
    if (this.#unseen === 0) this.#closeImplied(name)
    if (unseen.has(name)) return this.#push({ name, startTag: '' })
    if (this.#unseen > 0) return voidElements.has(name) ? undefined : this.#push({ name, startTag: '' })
    if (!voidElements.has(name) && this.#open.length >= deepest) {
      this.#tooDeep.set(name, (this.#tooDeep.get(name) ?? 0) + 1)
      return
    }
    const written = attributes(name)
    if (written === null) return
    const startTag = `<${name}${written}>`
    const isVoid = voidElements.has(name)
    // The end tag's bytes are paid for now; it is written when its time comes.
    if (!this.#write(startTag, isVoid ? 0 : name.length + 3)) {
      this.truncated = true
      return
    }
    if (!isVoid) this.#push({ name, startTag })
  }

  end(tagName: string): void {
    if (this.truncated) return
    const name = unseen.has(tagName) ? tagName : writtenName(tagName)
    if (name === null || voidElements.has(name)) return
    const tooDeep = this.#tooDeep.get(name) ?? 0
    if (tooDeep > 0) {
      this.#tooDeep.set(name, tooDeep - 1)
      return
    }
    const at = this.#find([name], barrierOf(name))
    if (at !== -1) this.#closeDownTo(at, !isTablePart(name) && name !== 'table')
  }

  finish(): string {
    this.#closeDownTo(0, false)
    return this.#pieces.join('')
  }

  #closeImplied(name: string): void {
    for (const { names, barrier } of impliedEndsOf(name)) {
      const at = this.#find(names, barrier)
      if (at !== -1) this.#closeDownTo(at, true)
    }
    const top = this.#open.at(-1)
    if (top && isHeading(name) && isHeading(top.name)) this.#closeDownTo(this.#open.length - 1, true)
  }

  /** The outermost open element of these names above the barrier. */
  #find(names: readonly string[], barrier: ReadonlySet<string>): number {
    if (!names.some((name) => this.#openCount.get(name))) return -1
    let found = -1
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const { name } = this.#open[i]!
      if (names.includes(name)) {
        found = i
        if (names.length === 1) return found
      } else if (barrier.has(name)) return found
    }
    return found
  }

  #closeDownTo(at: number, reopen: boolean): void {
    const closed = this.#open.splice(at)
    for (const element of closed.toReversed()) {
      this.#count(element, -1)
      if (element.startTag) this.#pieces.push(`</${element.name}>`)
    }
    if (!reopen || this.#unseen > 0) return
    const cutOff = closed.slice(1).filter((element) => element.startTag && formatting.has(element.name))
    for (const element of cutOff.slice(-mostReopened)) {
      const inner = element.startTag.slice(element.name.length + 1, -1)
      this.start(element.name, () => inner)
    }
  }

  #push(element: OpenElement): void {
    // Unseen elements cost no depth in the output, but the list of them must stay short as well.
    if (this.#open.length >= deepest * 2) return
    this.#open.push(element)
    this.#count(element, 1)
  }

  #count(element: OpenElement, step: 1 | -1): void {
    this.#openCount.set(element.name, (this.#openCount.get(element.name) ?? 0) + step)
    if (!element.startTag) this.#unseen += step
  }

  #write(piece: string, more = 0): boolean {
    const atMost = piece.length * 3
    if (this.#atMost + atMost + more > this.#left) {
      this.#settle()
      if (Buffer.byteLength(piece) + more > this.#left) return false
    }
    this.#left -= more
    this.#atMost += atMost
    this.#uncounted.push(piece)
    this.#pieces.push(piece)
    return true
  }

  #settle(): void {
    for (const piece of this.#uncounted) this.#left -= Buffer.byteLength(piece)
    this.#uncounted = []
    this.#atMost = 0
  }
}
