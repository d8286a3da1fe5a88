/** CSS mathematics: `calc()` and the functions that may stand in it. */

import { splitTop } from './list.ts'

/** The value of one term, such as `2em` or the name of a channel; null when it is unknown. */
export type Term = (text: string) => number | null

const deepest = 16
const longest = 500

const functions: Record<string, ((...values: number[]) => number) | undefined> = {
  '': (value) => value,
  calc: (value) => value,
  '-webkit-calc': (value) => value,
  'calc-size': (_basis, value) => value ?? Number.NaN,
  min: Math.min,
  max: Math.max,
  clamp: (least, value, most) => Math.max(least, Math.min(value ?? 0, most ?? 0)),
  abs: Math.abs,
  sign: Math.sign,
  mod: (value, step = 1) => value - step * Math.floor(value / step),
  rem: (value, step = 1) => value % step,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  atan2: Math.atan2,
  pow: Math.pow,
  sqrt: Math.sqrt,
  hypot: Math.hypot,
  exp: Math.exp,
  log: (value, base) => (base === undefined ? Math.log(value) : Math.log(value) / Math.log(base)),
  progress: (value, from = 0, to = 1) => Math.min(1, Math.max(0, (value - from) / (to - from))),
}

const roundings: Record<string, ((value: number) => number) | undefined> = {
  nearest: Math.round,
  up: Math.ceil,
  down: Math.floor,
  'to-zero': Math.trunc,
}

const constants: Record<string, number | undefined> = {
  pi: Math.PI,
  e: Math.E,
  infinity: Number.POSITIVE_INFINITY,
  '-infinity': Number.NEGATIVE_INFINITY,
  nan: 0,
}

/** Angles count in radians, as the functions take them. */
const angles: Record<string, number | undefined> = {
  deg: Math.PI / 180,
  grad: Math.PI / 200,
  rad: 1,
  turn: 2 * Math.PI,
}

export const isMath = (text: string) =>
  /^(?:-webkit-calc|calc(?:-size)?|min|max|clamp|round|mod|rem|abs|sign|a?sin|a?cos|a?tan2?|pow|sqrt|hypot|log|exp|progress)\(/i.test(
    text,
  )

export function computeMath(text: string, term: Term, depth = 0): number | null {
  const bare = text.trim().toLowerCase()
  if (depth > deepest || bare.length > longest) return null
  const call = /^([a-z0-9-]*)\((.*)\)$/s.exec(bare)
  if (!call) return constants[bare] ?? readAngle(bare) ?? term(bare)
  const [, name = '', body = ''] = call
  const parts = splitTop(body, ',')
  if (name === 'round') return computeRound(parts, term, depth)
  const work = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (!work) return null
  const values = parts.map((part, at) =>
    // `clamp(none, 1px, none)`: no bound.
    name === 'clamp' && part === 'none'
      ? at === 0
        ? -Infinity
        : Infinity
      : computeSum(part, term, depth + 1),
  )
  if (values.some((value) => value === null)) return null
  const result = work(...(values as number[]))
  return Number.isNaN(result) ? 0 : result
}

function computeRound(parts: string[], term: Term, depth: number): number | null {
  const strategy = roundings[parts[0] ?? '']
  const [value, step = 1] = parts.slice(strategy ? 1 : 0).map((part) => computeSum(part, term, depth + 1))
  if (value === null || value === undefined || step === null) return null
  return step === 0 ? 0 : (strategy ?? Math.round)(value / step) * step
}

function readAngle(text: string): number | null {
  const match = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(deg|grad|rad|turn)$/.exec(text)
  return match ? Number(match[1]) * (angles[match[2]!] ?? 1) : null
}

function computeSum(text: string, term: Term, depth: number): number | null {
  let total = 0
  let sign = 1
  let product: number | null = null
  let operator = '*'
  for (const part of splitTop(spaceProducts(text), ' ')) {
    if ((part === '+' || part === '-') && product !== null) {
      total += sign * product
      product = null
      operator = '*'
      sign = part === '-' ? -1 : 1
    } else if (part === '*' || part === '/') operator = part
    else {
      const value = computeMath(part, term, depth)
      if (value === null) return null
      product = product === null ? value : operator === '*' ? product * value : product / value
    }
  }
  return product === null ? null : total + sign * product
}

/** Around `*` and `/` no blanks are needed. */
const spaceProducts = (text: string) => text.replaceAll('*', ' * ').replaceAll('/', ' / ')
