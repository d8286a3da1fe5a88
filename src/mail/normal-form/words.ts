/** Adds runs of text to the form. */

import type { Style } from './css/style.ts'
import { sizeOf } from './declarations.ts'
import type { Box } from './tree.ts'

/** Longer words get break opportunities. */
export const longestWord = 24
/** Width of the widest letters, as a factor of the font size. */
const widestLetter = 1.2

export function addWords(box: Box, text: string, style: Style): void {
  const collapsed =
    style.spaces === 'keep' ? text : text.replaceAll(/[\t\n\f\r][ \t\n\f\r]*| [ \t\n\f\r]+/g, ' ')
  if (collapsed === '') return
  const { r, g, b } = style.color
  if (r * 0.3 + g * 0.6 + b * 0.1 > 140) box.light += collapsed.length
  else box.dark += collapsed.length
  box.least = Math.max(box.least, leastWidth(collapsed, style))
  box.children.push({
    kind: 'words',
    text: applyCase(collapsed, style),
    style,
    ink: style.color,
    gone: false,
    line: -1,
    folded: false,
  })
}

/** Approximate width of the longest word, in pixels. */
function leastWidth(text: string, style: Style): number {
  let widest = 0
  let width = 0
  let letters = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // Lines may break at white space, around letters of East Asian scripts, and where a word is too long.
    if (code <= 0x20 || code >= 0x2e80 || letters === longestWord) width = letters = 0
    if (code <= 0x20) continue
    width += widthOf(code)
    letters += 1
    widest = Math.max(widest, width)
  }
  return widest === 0 ? 0 : Math.max(widestLetter, widest * (style.bold ? 1.14 : 1)) * sizeOf(style)
}

const wideLetters = new Set([...'MWmw@%'].map((letter) => letter.charCodeAt(0)))

/** As a factor of the font size. */
function widthOf(code: number): number {
  if (wideLetters.has(code)) return 0.95
  const isSmall = (code > 0x60 && code < 0x7f) || code < 0x41
  return isSmall ? 0.58 : 0.72
}

function applyCase(text: string, { letters }: Style): string {
  if (letters === 'upper') return text.toUpperCase()
  if (letters === 'lower') return text.toLowerCase()
  if (letters === 'capital')
    return text.replaceAll(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase())
  return text
}
