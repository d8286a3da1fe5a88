/** Small parsers for CSS values: lists, lengths, numbers. Calculations are not evaluated and give no value. */

/** What relative units refer to. `percent` is what 100 % means, or null where it means nothing. */
export interface Measures {
  fontSize: number
  rootFontSize: number
  percent: number | null
  /** Without a doctype, browsers take bare numbers as pixels. */
  quirks: boolean
}

/** The window size in which mail is assumed to be read. */
export const viewport = { width: 800, height: 600 }

const units = new Map<string | undefined, number>(
  Object.entries({ px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 9.6 / 2.54, vw: 8, vh: 6 }),
)

const lengthPattern = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z]*|%)$/i

/** Pixels, or null if it is no length (`auto`, a percentage of an unknown size, a calculation, nonsense). */
export function parseLength(
  text: string,
  { fontSize, rootFontSize, percent, quirks }: Measures,
): number | null {
  const match = lengthPattern.exec(text)
  if (!match) return null
  // Larger values are nonsense, and sums of them could become NaN.
  const value = Math.max(-1e6, Math.min(1e6, Number(match[1])))
  const unit = match[2]!.toLowerCase()
  switch (unit) {
    case '':
      return value === 0 || quirks ? value : null
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
  const pixels = units.get(unit)
  return pixels === undefined ? null : value * pixels
}

/** A plain number or percentage (of 1). */
export function parseNumber(text: string): number | null {
  const match = lengthPattern.exec(text)
  if (!match || (match[2] !== '' && match[2] !== '%')) return null
  return Number(match[1]) / (match[2] === '%' ? 100 : 1)
}

/** Splits at separators outside parentheses and quotes; `' '` means any white space. */
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
