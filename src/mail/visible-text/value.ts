/** Small readers of CSS values: lists, lengths, numbers. */

/** Splits at a separator that stands outside parentheses and quotes; `' '` stands for any white space. */
export function splitTop(text: string, separator: ',' | ' ' | '/'): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? ''
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if (char === '(') depth += 1
    else if (char === ')') depth -= 1
    else if (depth === 0 && (separator === ' ' ? /\s/.test(char) : char === separator)) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  const trimmed = parts.map((part) => part.trim())
  return separator === ' ' ? trimmed.filter((part) => part !== '') : trimmed
}

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

const lengthPattern = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*|%)$/i

/** Pixels, or null for what is no length (`auto`, a percentage of nothing known, nonsense). */
export function parseLength(text: string, measures: Measures): number | null {
  const match = lengthPattern.exec(text)
  if (!match) return text.includes('(') ? computeMath(text, measures, 0) : null
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
    case 'ic':
      return value * fontSize
    case 'lh':
      return value * fontSize * 1.2
    case 'rlh':
      return value * rootFontSize * 1.2
    case 'cap':
      return value * fontSize * 0.7
  }
  const window = /^[sld]?v(w|h|i|b|min|max)$/.exec(unit)?.[1] ?? /^cq(w|h|i|b|min|max)$/.exec(unit)?.[1]
  if (window === undefined) return null
  const { width, height } = viewport
  const side = window === 'w' || window === 'i' || window === 'max' ? width : height
  return (value * side) / 100
}

/** A plain number or percentage (of 1), also inside `calc()`. */
export function parseNumber(text: string): number | null {
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%?)$/i.exec(text.trim())
  if (match) return Number(match[1]) / (match[2] === '%' ? 100 : 1)
  if (!text.includes('(')) return null
  return computeMath(text.trim(), { fontSize: 16, rootFontSize: 16, percent: 1, quirks: true }, 0)
}

/** `calc()`, `min()`, `max()`, `clamp()` and a few more; null when something in it is unknown. */
function computeMath(text: string, measures: Measures, depth: number): number | null {
  if (depth > 16 || text.length > 500) return null
  const call = /^(-webkit-calc|calc|min|max|clamp|abs|round|sign|)\((.*)\)$/is.exec(text.trim())
  if (!call) return parseTerm(text.trim(), measures)
  const name = (call[1] ?? '').toLowerCase()
  const values = splitTop(call[2] ?? '', ',').map((part) => computeSum(part, measures, depth + 1))
  if (values.some((value) => value === null)) return null
  const known = values as number[]
  const [first = 0, second = 0, third = 0] = known
  if (name === 'min') return Math.min(...known)
  if (name === 'max') return Math.max(...known)
  if (name === 'clamp') return Math.max(first, Math.min(second, third))
  if (name === 'abs') return Math.abs(first)
  if (name === 'sign') return Math.sign(first)
  return first
}

function parseTerm(text: string, measures: Measures): number | null {
  const match = lengthPattern.exec(text)
  if (!match) return null
  const unit = (match[2] ?? '').toLowerCase()
  return unit === '' ? Number(match[1]) : toPixels(Number(match[1]), unit, measures)
}

function computeSum(text: string, measures: Measures, depth: number): number | null {
  let total: number | null = 0
  let sign = 1
  let product: number | null = null
  let operator = '*'
  const terms = splitTop(text.replaceAll('*', ' * ').replaceAll('/', ' / '), ' ')
  for (const term of terms) {
    if (term === '+' || term === '-') {
      total = total === null || product === null ? null : total + sign * product
      product = null
      operator = '*'
      sign = term === '-' ? -1 : 1
    } else if (term === '*' || term === '/') operator = term
    else {
      const value = computeMath(term, measures, depth)
      if (value === null) return null
      product = product === null ? value : operator === '*' ? product * value : product / value
    }
  }
  return total === null || product === null ? null : total + sign * product
}
