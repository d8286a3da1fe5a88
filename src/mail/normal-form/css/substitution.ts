/** Functions that stand for other text in a value: `var()` and `env()`. */

import { splitTop } from './value.ts'
import { spend } from '../../work.ts'

const name = /(?<![\w-])(?:var|env)\(/g
const mostRounds = 24
const longest = 5000

export function isSubstituted(value: string): boolean {
  return value.includes('(') && value.search(name) !== -1
}

/** Null where something is missing and nothing stands in for it. */
export function substitute(text: string, custom: Map<string, string> | null): string | null {
  let result = text
  for (let round = 0; round < mostRounds; round += 1) {
    spend(10 + result.length)
    // The last to begin holds no other.
    const start = [...result.matchAll(name)].at(-1)?.index
    if (start === undefined) return result
    const open = result.indexOf('(', start)
    const end = closing(result, open)
    if (end === -1) return null
    const value = valueOf(result.slice(start, open), result.slice(open + 1, end).trim(), custom)
    if (value === null || result.length > longest) return null
    result = result.slice(0, start) + value + result.slice(end + 1)
  }
  return null
}

function closing(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')' && --depth === 0) return at
  }
  return -1
}

function valueOf(call: string, body: string, custom: Map<string, string> | null): string | null {
  const comma = splitTop(body, ',')[0]?.length ?? 0
  const first = body.slice(0, comma).trim()
  const fallback = body.length > comma ? body.slice(comma + 1).trim() : null
  if (call === 'env') return /^(?:safe-area|keyboard)-/.test(first) ? '0px' : fallback
  const value = custom?.get(first) ?? fallback
  return value === 'initial' ? null : value
}
