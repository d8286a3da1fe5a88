/** Conditions of `@media` and `@supports`, for a light desktop window 800 pixels wide. */

import { lexer } from 'css-tree'
import { parseLength, parseNumber, splitTop, viewport } from './value.ts'
import { spend } from '../../work.ts'

const measures = { fontSize: 16, rootFontSize: 16, percent: null, quirks: false }

const lengths: Record<string, number | undefined> = {
  width: viewport.width,
  height: viewport.height,
  'device-width': viewport.width,
  'device-height': viewport.height,
}
const numbers: Record<string, number | undefined> = { color: 8, monochrome: 0, 'device-pixel-ratio': 1 }
const words: Record<string, string | undefined> = {
  orientation: 'landscape',
  'prefers-color-scheme': 'light',
  'prefers-reduced-motion': 'no-preference',
  'forced-colors': 'none',
  hover: 'hover',
  pointer: 'fine',
}
const offWords = new Set(['none', 'no-preference'])

export function mediaApplies(prelude: string): boolean {
  const text = prelude.trim().toLowerCase()
  return text === '' || splitTop(text, ',').some((query) => queryApplies(query))
}

function queryApplies(query: string): boolean {
  const match = /^(?:(not|only)\s+)?([a-z-]+)(?:\s+and\s+(.*))?$/s.exec(query)
  const type = match?.[2] ?? ''
  if (!match || query.startsWith('not(') || type === 'not') return evaluate(query, feature, 0) === true
  const typeApplies = type === 'all' || type === 'screen'
  const applies = typeApplies && (match[3] === undefined || evaluate(match[3], feature, 0) === true)
  return match[1] === 'not' ? !applies : applies
}

/** `a and b`, `a or b`, `not a`, brackets; null when something is unknown, which never applies. */
function evaluate(text: string, leaf: (text: string) => boolean | null, depth: number): boolean | null {
  if (depth > 20) return null
  spend(60 + 8 * text.length)
  const parts = splitTop(text.replace(/\)(and|or)\b/g, ') $1'), ' ')
  if (parts[0] === 'not') {
    const value = evaluate(parts.slice(1).join(' '), leaf, depth + 1)
    return value === null ? null : !value
  }
  if (parts.length > 1) {
    const values = new Set(
      parts.filter((_, at) => at % 2 === 0).map((part) => evaluate(part, leaf, depth + 1)),
    )
    const joint = parts[1]
    if (joint === 'and') return values.has(false) ? false : values.has(null) ? null : true
    if (joint === 'or') return values.has(true) ? true : values.has(null) ? null : false
    return null
  }
  const only = parts[0] ?? ''
  if (only.startsWith('(') && only.endsWith(')')) {
    const inside = only.slice(1, -1).trim()
    const grouped = inside.startsWith('(') || /^not[\s(]/.test(inside)
    return grouped ? evaluate(inside, leaf, depth + 1) : leaf(inside)
  }
  return leaf(only)
}

function feature(text: string): boolean | null {
  if (/[<>=]/.test(text)) return rangeApplies(text)
  const [rawName = '', value] = text.split(':').map((part) => part.trim())
  const name = rawName.replace(/^-webkit-/, '')
  const bound = /^(-?min-|-?max-)/.exec(name)?.[1]
  const plain = name.replace(/^-?(?:min|max)-/, '').replace(/^resolution$/, 'device-pixel-ratio')
  if (value === undefined) {
    const word = words[plain]
    if (word !== undefined) return !offWords.has(word)
    const amount = lengths[plain] ?? numbers[plain]
    return amount === undefined ? null : amount !== 0
  }
  const word = words[plain]
  if (word !== undefined) return word === value
  const has = lengths[plain] ?? numbers[plain]
  const wanted = amountOf(value, plain)
  if (has === undefined || wanted === null) return null
  if (bound?.includes('min')) return has >= wanted
  return bound ? has <= wanted : has === wanted
}

function amountOf(value: string, name: string): number | null {
  if (lengths[name] !== undefined) return parseLength(value, measures)
  const resolution = /^([\d.]+)(dpi|dpcm|dppx|x)$/.exec(value)
  if (resolution) {
    const scale = resolution[2] === 'dpi' ? 1 / 96 : resolution[2] === 'dpcm' ? 2.54 / 96 : 1
    return Number(resolution[1]) * scale
  }
  return parseNumber(value)
}

/** `width >= 600px` and `400px < width <= 700px`. */
function rangeApplies(text: string): boolean | null {
  const parts = text.split(/(<=|>=|<|>|=)/).map((part) => part.trim())
  if (parts.length !== 3 && parts.length !== 5) return null
  const name = parts.find((part) => lengths[part] !== undefined || numbers[part] !== undefined)
  if (name === undefined) return null
  const has = lengths[name] ?? numbers[name] ?? 0
  for (let at = 0; at + 2 < parts.length; at += 2) {
    const [left, operator, right] = parts.slice(at, at + 3).map((part) => part)
    const a = left === name ? has : amountOf(left ?? '', name)
    const b = right === name ? has : amountOf(right ?? '', name)
    if (a === null || b === null) return null
    if (!compare(a, operator ?? '', b)) return false
  }
  return true
}

function compare(a: number, operator: string, b: number): boolean {
  if (operator === '<') return a < b
  if (operator === '<=') return a <= b
  if (operator === '>') return a > b
  return operator === '>=' ? a >= b : a === b
}

export function supportsApplies(prelude: string): boolean {
  return evaluate(prelude.trim(), declarationSupported, 0) === true
}

function declarationSupported(text: string): boolean | null {
  spend(100 + 30 * text.length)
  if (/^selector\(/i.test(text)) return true
  const colon = text.indexOf(':')
  if (colon < 0) return null
  const name = text.slice(0, colon).trim().toLowerCase()
  if (name.startsWith('--')) return true
  if (/^-(?:moz|ms|o)-/.test(name)) return false
  return lexer.matchProperty(name, text.slice(colon + 1).trim()).error === null
}
