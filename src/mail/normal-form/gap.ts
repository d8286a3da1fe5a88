/**
 * Bounds the empty height between two words: blank space pushes what follows out of sight of people, while programs read
 * on. What stood behind a longer gap is counted as hidden text, although it is seen now.
 */

import { countText } from '../../model/invisible.ts'
import { spend } from '../work.ts'
import { lineHeightOf, sizeOf } from './declarations.ts'
import type { Box, FormNode, Picture, Sides, Words } from './tree.ts'

/** In pixels; with the space above and below the letters of a line it is at most 600. */
const longestGap = 540
/** In lines of plain text. */
const mostEmptyLines = 40
/** In pixels. Pictures without words show something, so several may be higher together. */
const longestPictures = 3000
const usualPicture = 100
/** In pixels. A narrower or lower picture is there for the space. */
const leastPicture = 16
/** In pixels: blanks wrap in the narrowest columns that are written, and on the narrowest screens. */
const [narrowestColumn, narrowestScreen] = [60, 300]

const blanks = /[\s\u2800]{2,}|[^\S\t\n\f\r ]|\u2800/g
/** White space that takes room; ordinary spaces collapse, or hang at the end of a line. */
const fixed = /[^\S\t\n\f\r ]|\u2800/
const wideBlanks = /[\u2001\u2003\u2800\u3000]/g

/** Shortens longer gaps. Returns the number of characters that stood behind one. */
export function boundGaps(root: Box): number {
  const gaps = new Gaps()
  gaps.readBox(root)
  return gaps.behind
}

class Gaps {
  behind = 0
  /** Empty pixels since the last word. */
  #gap = 0
  /** Empty pixels that the mail has in addition, and the form has not. */
  #beyond = 0
  /** The margin at their end, which the next one overlaps. */
  #margin = 0
  #pictures = 0
  /** Whether something did not fit since the last word. */
  #isFull = false
  #isBehind = false
  #spacing = 0

  /** Recursion is safe: the reader limits how deep boxes nest. */
  readBox(box: Box): void {
    spend(1 + (box.children.length >> 1))
    const { level, tag, style } = box
    const spacing = this.#spacing
    if (level === 'table') this.#spacing = box.looks.spacing
    this.#readEdge(box, 0)
    const isCell = level === 'cell' || level === 'row'
    if (isCell) this.#readHeight(box)
    if (level === 'inline-block' || tag === 'li') this.#fits(lineHeightOf(style))
    box.children = box.children.filter((child) => this.#keeps(child, box))
    this.#readHeight(box)
    this.#readEdge(box, 2)
    this.#spacing = spacing
  }

  #keeps(node: FormNode, box: Box): boolean {
    switch (node.kind) {
      case 'words':
        this.#readWords(node)
        return true
      case 'break':
        this.#addBeyond(node.skipped * lineHeightOf(box.style))
        return this.#fits(lineHeightOf(box.style))
      case 'rule':
        return this.#fits(lineHeightOf(box.style))
      case 'picture':
        return this.#readPicture(node)
      case 'box':
        if (this.#isFull && isEmpty(node)) return false
        this.readBox(node)
        return true
    }
  }

  /** Whether there is room for this many more empty pixels. */
  #fits(height: number): boolean {
    this.#margin = 0
    if (this.#gap + height <= longestGap) {
      this.#gap += height
      return true
    }
    this.#isFull = this.#isBehind = true
    return false
  }

  #addBeyond(height: number): void {
    this.#beyond += height
    if (height > 0 && this.#gap + this.#beyond > longestGap) this.#isBehind = true
  }

  /** Margin, border and padding above or below the content. */
  #readEdge(box: Box, side: 0 | 2): void {
    const { level, looks } = box
    if (level === 'inline') return
    this.#addBeyond(looks.beyond[side])
    const margin = level === 'cell' || level === 'row' ? 0 : looks.margin[side]
    const rest =
      looks.padding[side] + (looks.border[side]?.width ?? 0) + (level === 'row' ? this.#spacing : 0)
    const collapses = level === 'block' && (side === 0 || rest === 0)
    const overlap = collapses ? Math.min(margin, this.#margin) : 0
    const last = rest > 0 && side === 0 ? 0 : margin
    const left = Math.max(collapses && rest === 0 ? this.#margin : 0, last)
    if (margin + rest === 0) {
      if (level !== 'block') this.#margin = 0
    } else if (this.#fits(margin + rest - overlap)) this.#margin = level === 'block' ? left : 0
    else {
      const none = (sides: Sides) => sides.with(side, 0) as Sides
      box.looks = { ...looks, margin: none(looks.margin), padding: none(looks.padding) }
    }
  }

  #readHeight(box: Box): void {
    const { height, beyond } = box.looks
    // Content may fill the rest of it.
    if (isEmpty(box)) this.#addBeyond(beyond[1])
    if (height !== null && box.level !== 'inline' && !this.#fits(height))
      box.looks = { ...box.looks, height: null }
  }

  #readWords(words: Words): void {
    if (words.gone) return
    const { text, style } = words
    spend(text.length >> 5)
    const [size, line] = [sizeOf(style), lineHeightOf(style)]
    let seen = 0
    const isBlank = !hasInk(text)
    const kept = text.replaceAll(blanks, (run, at: number) => {
      this.#see(text.slice(seen, at))
      seen = at + run.length
      const lines = linesOf(run, size, narrowestColumn)
      if (lines === 0) return run
      return this.#fits(line * (isBlank ? Math.max(1, Math.ceil(lines)) : Math.floor(lines))) ? run : ' '
    })
    this.#see(text.slice(seen))
    words.text = kept
  }

  #see(text: string): void {
    if (!hasInk(text)) return
    this.#gap = this.#beyond = this.#margin = this.#pictures = 0
    this.#isFull = false
    if (this.#isBehind) this.behind += countText(text)
  }

  #readPicture({ width, height }: Picture): boolean {
    const pixels = height ?? usualPicture
    if (pixels < leastPicture || (width ?? usualPicture) < leastPicture) return this.#fits(pixels)
    this.#gap = this.#beyond = this.#margin = 0
    this.#isFull = false
    this.#pictures += pixels
    if (this.#pictures > longestPictures) this.#isBehind = true
    return true
  }
}

function isEmpty(node: FormNode): boolean {
  spend(1)
  if (node.kind === 'box') return node.children.every(isEmpty)
  return node.kind === 'break' || (node.kind === 'words' && (node.gone || !hasInk(node.text)))
}

const hasInk = (text: string) => /[^\s\u2800]/.test(text)

/** How many lines these blanks fill. */
function linesOf(run: string, size: number, width: number): number {
  if (!fixed.test(run)) return 0
  return ((run.length + (run.match(wideBlanks)?.length ?? 0)) * 0.5 * size) / width
}

const plainSize = 14

/** Shortens runs of empty lines. `behind`: the number of characters that stood behind a longer one. */
export function boundEmptyLines(text: string): { text: string; behind: number } {
  let empty = 0
  let [behind, isBehind] = [0, false]
  const bound = (lines: number): boolean => {
    empty += lines
    if (empty > mostEmptyLines) isBehind = true
    return empty <= mostEmptyLines
  }
  const see = (words: string): void => {
    if (!hasInk(words)) return
    empty = 0
    if (isBehind) behind += countText(words)
  }
  const kept = text.split('\n').flatMap((line) => {
    spend(2)
    let seen = 0
    if (!hasInk(line)) {
      const run = line.match(blanks)?.[0] ?? ''
      return bound(Math.max(1, Math.ceil(linesOf(run, plainSize, narrowestScreen)))) ? [line] : []
    }
    const shorter = line.replaceAll(blanks, (run, at: number) => {
      see(line.slice(seen, at))
      seen = at + run.length
      return bound(Math.floor(linesOf(run, plainSize, narrowestScreen))) ? run : ' '
    })
    see(line.slice(seen))
    return [shorter]
  })
  return { text: kept.join('\n'), behind }
}
