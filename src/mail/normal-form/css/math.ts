/** CSS mathematics: `calc()`, `min()`, `max()` and `clamp()`. What else there is has no effect. */

import { splitTop } from './list.ts'

/** The value of one term, such as `2em`; null when it is unknown. */
export type Term = (text: string) => number | null

const deepest = 16
const longest = 500

const functions: Record<string, ((...values: number[]) => number) | undefined> = {
  '': (value) => value,
  calc: (value) => value,
  '-webkit-calc': (value) => value,
  min: Math.min,
  max: Math.max,
  clamp: (least, value, most) => Math.max(least, Math.min(value ?? 0, most ?? 0)),
}

export const isMath = (text: string) => /^(?:-webkit-calc|calc|min|max|clamp)\(/i.test(text)

export function computeMath(text: string, term: Term, depth = 0): number | null {
  const bare = text.trim().toLowerCase()
  if (depth > deepest || bare.length > longest) return null
  const call = /^([a-z0-9-]*)\((.*)\)$/s.exec(bare)
  if (!call) return term(bare)
  const [, name = '', body = ''] = call
  const work = Object.hasOwn(functions, name) ? functions[name] : undefined
  const values = splitTop(body, ',').map((part) => computeSum(part, term, depth + 1))
  if (!work || values.includes(null)) return null
  const result = work(...(values as number[]))
  return Number.isNaN(result) ? 0 : result
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
