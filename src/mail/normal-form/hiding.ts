/**
 * Text that the sender hides by the usual means (preheaders, texts for phones) is left out of every output. This is for
 * tidiness, not security: hidden text that is not detected here is shown to people and agents alike.
 */

import type { Declared } from './css/cascade.ts'
import { measuresOf } from './css/style.ts'
import type { Style } from './css/style.ts'
import { parseLength } from './css/value.ts'
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
  const position = declared.get('position')
  if (position === 'absolute' || position === 'fixed') {
    if ((length('left') ?? 0) <= away || (length('top') ?? 0) <= away) return true
    if (/rect\(\s*(?:0|1px)/.test(declared.get('clip') ?? '')) return true
  }
  if ((length('margin-left') ?? 0) <= away || (length('margin-top') ?? 0) <= away) return true
  return /^(?:inset\((?:50|100)%|circle\(0)/.test(declared.get('clip-path') ?? '')
}

export function areHiddenWords(style: Style): boolean {
  return !style.visible || style.fontSize <= unreadable || style.indent <= away
}
