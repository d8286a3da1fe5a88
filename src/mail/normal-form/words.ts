/** Adds runs of text to the form. */

import type { Style } from './css/style.ts'
import type { Box } from './tree.ts'

/** Longer words get break opportunities. */
export const longestWord = 24

export function addWords(box: Box, text: string, style: Style): void {
  const collapsed =
    style.spaces === 'keep' ? text : text.replaceAll(/[\t\n\f\r][ \t\n\f\r]*| [ \t\n\f\r]+/g, ' ')
  if (collapsed === '') return
  const { r, g, b } = style.color
  if (r * 0.3 + g * 0.6 + b * 0.1 > 140) box.light += collapsed.length
  else box.dark += collapsed.length
  box.least = Math.max(box.least, leastWidth(collapsed, style))
  const cased = applyCase(collapsed, style)
  box.children.push({
    kind: 'words',
    text: cased,
    style,
    ink: style.color,
    gone: false,
    line: -1,
    folded: false,
  })
}

/** Approximate width of the longest word, in pixels. */
function leastWidth(text: string, { fontSize, bold }: Style): number {
  let longest = 0
  let from = 0
  for (let at = 0; at <= text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 0x20 && code < 0x2e80) continue
    longest = Math.max(longest, at - from)
    from = at + 1
  }
  return Math.min(longest, longestWord) * fontSize * (bold ? 0.66 : 0.58)
}

function applyCase(text: string, { letters }: Style): string {
  if (letters === 'upper') return text.toUpperCase()
  if (letters === 'lower') return text.toLowerCase()
  if (letters === 'capital')
    return text.replaceAll(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase())
  return text
}
