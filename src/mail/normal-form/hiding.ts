/**
 * Text that the sender hides by the usual means (preheaders, texts for phones) is left out of every output. This is for
 * tidiness, not security: hidden text that is not detected here is shown to people and agents alike.
 */

import type { Declared } from './css/cascade.ts'
import { measuresOf, type Style } from './css/style.ts'
import { parseLength, splitTop, type Measures } from './css/value.ts'
import type { Display } from './looks.ts'

/** Text this small (in pixels) cannot be read. */
const unreadable = 2
const faint = 0.06
const away = -400

export function isHiddenBox(
  declared: Declared | null,
  style: Style,
  display: Display,
  quirks: boolean,
): boolean {
  if (style.opacity < faint && !style.doubtful) return true
  if (!declared || display.level === 'inline') return false
  const measures = measuresOf(style, quirks)
  const length = (name: string) => parseLength(declared.get(name) ?? '', measures)
  const cuts = (name: string) => /^(?:hidden|clip|scroll|auto)$/.test(declared.get(name) ?? '')
  const least = (...names: string[]) =>
    names.some((name) => {
      const size = length(name)
      return size !== null && size <= unreadable && !declared.get(name)?.endsWith('%')
    })
  const padded = (one: string, other: string) => (length(one) ?? 0) + (length(other) ?? 0) > 2 * unreadable
  // Table parts grow with their content.
  if (display.level === 'block' || display.level === 'inline-block') {
    const tall = declared.has('min-height') || padded('padding-top', 'padding-bottom')
    if (cuts('overflow-y') && least('height', 'max-height') && !tall) return true
    const wide = declared.has('min-width') || padded('padding-left', 'padding-right')
    if (cuts('overflow-x') && least('width', 'max-width') && !wide) return true
  }
  const position = declared.get('position') ?? 'static'
  const isOut = position === 'absolute' || position === 'fixed'
  // A box may be moved one way and back: `left: 50%; margin-left: -400px` centres it.
  const isAway = (side: 'left' | 'top') => {
    const moved = position === 'static' ? 0 : (length(side) ?? 0)
    return (isOut ? moved : Math.max(0, moved)) + (length(`margin-${side}`) ?? 0) <= away
  }
  if (isAway('left') || isAway('top') || (isOut && isCutOut(declared.get('clip') ?? '', measures)))
    return true
  return /^(?:inset\((?:50|100)%\s*\)|circle\(0(?:px|%)?[\s)])/.test(declared.get('clip-path') ?? '')
}

/** Whether `rect(top, right, bottom, left)` leaves nothing to see. */
function isCutOut(clip: string, measures: Measures): boolean {
  const [, sides = ''] = /^rect\((.*)\)$/s.exec(clip) ?? []
  const [top, right, bottom, left] = splitTop(sides.replaceAll(',', ' '), ' ').map((side) =>
    parseLength(side, measures),
  )
  const isThin = (from: number | null | undefined, to: number | null | undefined) =>
    typeof to === 'number' && to - (from ?? 0) <= unreadable
  return isThin(top, bottom) || isThin(left, right)
}

/** `indent` is that of the block around: one on an inline element does nothing. */
export function areHiddenWords(style: Style, indent: number): boolean {
  return !style.visible || style.fontSize <= unreadable || indent <= away
}
