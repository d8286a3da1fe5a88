/** Lists in CSS values. */

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
