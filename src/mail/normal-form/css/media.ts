/** Evaluates `@media` conditions for a light desktop window 800 pixels wide. Unknown conditions do not apply. */

import { parseLength, splitTop, viewport } from './value.ts'
import { spend } from '../../work.ts'

const measures = { fontSize: 16, rootFontSize: 16, percent: null, quirks: true }

const features = new Map<string, number | string>([
  ['width', viewport.width],
  ['height', viewport.height],
  ['device-width', viewport.width],
  ['device-pixel-ratio', 1],
  ['orientation', 'landscape'],
  ['prefers-color-scheme', 'light'],
  ['prefers-reduced-motion', 'no-preference'],
  ['hover', 'hover'],
  ['color', 8],
])

export function mediaApplies(query: string | undefined): boolean {
  if (query === undefined) return false
  spend(60 + 8 * query.length)
  const text = query.trim().toLowerCase()
  return text === '' || splitTop(text, ',').some(queryApplies)
}

function queryApplies(query: string): boolean {
  const [, word, rest = ''] = /^(?:(not|only)\s+)?(.*)$/s.exec(query)!
  const parts = rest.split(/(?<=[\s)])and(?=[\s(])/).map((part) => partApplies(part.trim()))
  if (parts.includes(null)) return false
  return parts.every(Boolean) !== (word === 'not')
}

/** A media type, or a feature in brackets; null for anything else. */
function partApplies(part: string): boolean | null {
  if (/^[a-z]+$/.test(part)) return part === 'all' || part === 'screen'
  const [, bound, name = '', value] =
    /^\((?:-webkit-)?(?:(min|max)-)?([a-z-]+)\s*(?::\s*([^)]*))?\)$/.exec(part) ?? []
  const has = features.get(name)
  if (has === undefined || value === undefined || typeof has === 'string')
    return has === undefined ? null : value === undefined || has === value.trim()
  const wanted = parseLength(value.trim(), measures)
  if (wanted === null) return null
  return bound === 'min' ? has >= wanted : bound === 'max' ? has <= wanted : has === wanted
}
