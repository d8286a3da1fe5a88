/** Small readers of CSS values: lists, lengths, numbers. */

import { computeMath } from './math.ts'

export { splitTop } from './list.ts'

/** What relative units refer to. `percent` is what 100 % means, or null where it means nothing. */
export interface Measures {
  fontSize: number
  rootFontSize: number
  percent: number | null
  /** Without a doctype, browsers take bare numbers as pixels. */
  quirks: boolean
}

/** The window in which mail is taken to be read. */
export const viewport = { width: 800, height: 600 }

const units: Record<string, number> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 9.6 / 2.54,
  q: 2.4 / 2.54,
}

const lengthPattern = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z]*|%)$/i

/** Pixels, or null for what is no length (`auto`, a percentage of nothing known, nonsense). */
export function parseLength(text: string, measures: Measures): number | null {
  if (text === '') return null
  const match = lengthPattern.exec(text)
  if (!match) return text.includes('(') ? computeMath(text, (term) => parseTerm(term, measures)) : null
  const value = Number(match[1])
  const unit = (match[2] ?? '').toLowerCase()
  if (unit === '') return value === 0 || measures.quirks ? value : null
  return toPixels(value, unit, measures)
}

function toPixels(value: number, unit: string, { fontSize, rootFontSize, percent }: Measures): number | null {
  const fixed = units[unit]
  if (fixed !== undefined) return value * fixed
  switch (unit) {
    case '%':
      return percent === null ? null : (value * percent) / 100
    case 'em':
      return value * fontSize
    case 'rem':
      return value * rootFontSize
    case 'ex':
    case 'ch':
      return value * fontSize * 0.5
  }
  const window = /^[sld]?v(w|h|i|b|min|max)$/.exec(unit)?.[1]
  if (window === undefined) return null
  const { width, height } = viewport
  const side = window === 'w' || window === 'i' || window === 'max' ? width : height
  return (value * side) / 100
}

const plain: Measures = { fontSize: 16, rootFontSize: 16, percent: 1, quirks: true }

/** A plain number or percentage (of 1), also inside `calc()`. */
export function parseNumber(text: string): number | null {
  const match = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(%?)$/i.exec(text.trim())
  if (match) return Number(match[1]) / (match[2] === '%' ? 100 : 1)
  if (!text.includes('(')) return null
  return computeMath(text, (term) => parseTerm(term, plain))
}

function parseTerm(text: string, measures: Measures): number | null {
  const match = lengthPattern.exec(text)
  if (!match) return null
  const unit = (match[2] ?? '').toLowerCase()
  return unit === '' ? Number(match[1]) : toPixels(Number(match[1]), unit, measures)
}
