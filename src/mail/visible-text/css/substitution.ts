/** Functions that stand for other text in a value: `var()`, `env()`, `attr()`, `if()` and the place among siblings. */

import { attribute, positionOf } from '../../html-document.ts'
import type { Element } from '../../html-document.ts'
import { mediaApplies, supportsApplies } from './media.ts'
import { splitTop } from './value.ts'
import { spend } from '../../work.ts'

export interface Surroundings {
  custom: Map<string, string> | null
  /** Given by `@property`. */
  initials: Map<string, string>
  element: Element
}

const name = /(?<![\w-])(?:var|env|attr|if|sibling-index|sibling-count)\(/g
const mostRounds = 24
const longest = 5000

export function isSubstituted(value: string): boolean {
  return value.includes('(') && value.search(name) !== -1
}

/** Null where something is missing and nothing stands in for it. */
export function substitute(text: string, around: Surroundings): string | null {
  let result = text
  for (let round = 0; round < mostRounds; round += 1) {
    spend(10 + result.length)
    // The last to begin holds no other.
    const start = [...result.matchAll(name)].at(-1)?.index
    if (start === undefined) return result
    const open = result.indexOf('(', start)
    const end = closing(result, open)
    if (end === -1) return null
    const value = valueOf(result.slice(start, open), result.slice(open + 1, end).trim(), around)
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

function valueOf(call: string, body: string, around: Surroundings): string | null {
  const comma = splitTop(body, ',')[0]?.length ?? 0
  const [first, rest] = [body.slice(0, comma).trim(), body.slice(comma + 1).trim()]
  const fallback = body.length > comma ? rest : null
  switch (call) {
    case 'var': {
      const value = around.custom?.get(first) ?? around.initials.get(first) ?? fallback
      return value === 'initial' ? null : value
    }
    case 'env':
      return /^(?:safe-area|keyboard)-/.test(first) ? '0px' : fallback
    case 'attr':
      return readAttribute(first, around.element) ?? fallback
    case 'if':
      return choose(body, around)
    case 'sibling-index':
      return String(positionOf(around.element).position)
    case 'sibling-count':
      return String(positionOf(around.element).count)
    default:
      return null
  }
}

/** `data-x px` adds a unit, `data-x type(…)` takes the value as it is; without either it is a string. */
function readAttribute(text: string, element: Element): string | null {
  const [key = '', kind = ''] = splitTop(text, ' ')
  const value = attribute(element, key)?.trim() ?? null
  if (value === null) return null
  if (kind === '' || kind === 'raw-string' || kind === 'string') return JSON.stringify(value)
  if (kind.startsWith('type(')) return value
  if (!/^[+-]?[\d.]+(?:e[+-]?\d+)?$/i.test(value)) return null
  return kind === 'number' ? value : value + kind
}

/** `if(media(print): a; else: b)` */
function choose(body: string, around: Surroundings): string | null {
  for (const branch of splitAtSemicolons(body)) {
    const colon = /^(?:[^():]|\([^()]*(?:\([^()]*\)[^()]*)*\))*/.exec(branch)?.[0].length ?? 0
    if (applies(branch.slice(0, colon).trim(), around)) return branch.slice(colon + 1).trim()
  }
  return null
}

function splitAtSemicolons(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')') depth -= 1
    else if (text[at] === ';' && depth === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim())
}

function applies(condition: string, around: Surroundings): boolean {
  if (condition === 'else') return true
  const either = condition.split(/\)\s+or\s+/)
  if (either.length > 1) return either.some((part) => applies(close(part), around))
  const both = condition.split(/\)\s+and\s+/)
  if (both.length > 1) return both.every((part) => applies(close(part), around))
  const negated = /^not\s+(.*)$/s.exec(condition)?.[1]
  if (negated !== undefined) return !applies(negated, around)
  const call = /^(media|supports|style)\((.*)\)$/s.exec(condition)
  if (!call) return false
  const [, kind, body = ''] = call
  if (kind === 'media') return mediaApplies(/^[a-z-]+$/.test(body.trim()) ? body : `(${body})`)
  if (kind === 'supports') return supportsApplies(`(${body})`)
  const [key = '', value] = body.split(':').map((part) => part.trim())
  const known = around.custom?.get(key)?.trim()
  return value === undefined ? known !== undefined : known?.toLowerCase() === value.toLowerCase()
}

const close = (part: string) => (part.endsWith(')') ? part : `${part})`)
