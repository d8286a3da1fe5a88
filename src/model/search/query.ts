import { orderedTerms } from './terms.ts'
import type { Status } from '../thread.ts'

/**
 * What people type into the search field: words, "exact words", -excluded ones, and operators such as `from:anna`. This
 * is the only parser for it: the server searches by its result, and the page shows the same parts as chips. No input is
 * rejected: anything but an operator with a valid value is treated as plain words.
 */
const statuses = ['open', 'waiting', 'snoozed', 'closed', 'spam'] as const satisfies readonly Status[]
export const isValues = [...statuses, 'unread'] as const
export const hasValues = ['attachment'] as const

const words = { takes: (value: string) => orderedTerms(value).length > 0, negates: true }
const text = { takes: (value: string) => value !== '', negates: false }
const oneOf = (values: readonly string[]) => ({
  takes: (value: string) => values.includes(value.toLowerCase()),
  negates: false,
})
const day = { takes: (value: string) => isDay(value) || dayNames.test(value), negates: false }
const age = { takes: (value: string) => ageForm.test(value), negates: false }

/** An operator declared here must be wired in `core/search/search`, or the code does not compile. */
export const searchOperators = {
  from: words,
  to: words,
  cc: words,
  subject: words,
  filename: words,
  in: text,
  is: oneOf(isValues),
  assignee: text,
  has: oneOf(hasValues),
  before: day,
  after: day,
  on: day,
  older_than: age,
  newer_than: age,
}
export type SearchOperator = keyof typeof searchOperators
export const operatorNames = Object.keys(searchOperators) as SearchOperator[]

/** Former operator names, which still work. */
const formerNames: Readonly<Record<string, SearchOperator>> = { inbox: 'in', status: 'is', since: 'after' }

const dayForm = /^(?:19|2\d)\d{2}(?:[-/](?:0?[1-9]|1[0-2])(?:[-/](?:0?[1-9]|[12]\d|3[01]))?)?$/
const dayNames = /^(?:today|yesterday)$/i
const ageForm = /^[1-9]\d{0,3}[hdwmy]$/i

/** The form, and that the month has such a day. */
function isDay(value: string): boolean {
  const [year = 0, month = 1, day = 1] = value.split(/[-/]/).map(Number)
  return dayForm.test(value) && new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
}

/** A part of a search, and where it is in the text. */
export interface SearchPart {
  /** Null: plain words. */
  operator: SearchOperator | null
  value: string
  /** With a minus: must not occur. */
  not: boolean
  /** In quotes: the words must be next to each other. */
  exact: boolean
  start: number
  end: number
}

/** Longer text is cut off; more parts are left out. */
export const longestSearch = 1_000
const mostParts = 50

// A minus, an operator, and a value that ends with its quote or at white space.
const part = /(-?)(?:([a-z_]+):)?(?:["“”]([^"“”]*)["“”]?|([^\s"“”]*))/iy

export function readParts(given: string): SearchPart[] {
  const typed = given.slice(0, longestSearch)
  const parts: SearchPart[] = []
  for (let at = 0; at < typed.length && parts.length < mostParts;) {
    part.lastIndex = at
    const [whole, minus = '', name, quoted, bare = ''] = part.exec(typed)!
    const start = at
    at += Math.max(1, whole.length)
    if (whole === '') continue
    const read = readPart(minus === '-', name ?? null, quoted ?? null, bare)
    if (read) parts.push({ ...read, start, end: start + whole.length })
  }
  return parts
}

function readPart(
  not: boolean,
  name: string | null,
  quoted: string | null,
  bare: string,
): Omit<SearchPart, 'start' | 'end'> | null {
  const value = quoted ?? bare
  const exact = quoted !== null
  const operator = name === null ? null : operatorNamed(name)
  // The operator has no value yet.
  if (operator !== null && value === '') return null
  if (operator !== null && searchOperators[operator].takes(value))
    if (!not || searchOperators[operator].negates) return { operator, value, not, exact }
  const plain = name === null ? value : `${name}:${value}`
  return orderedTerms(plain).length === 0 ? null : { operator: null, value: plain, not, exact }
}

export function operatorNamed(name: string): SearchOperator | null {
  const lower = name.toLowerCase()
  return (
    operatorNames.find((each) => each === lower) ??
    (Object.hasOwn(formerNames, lower) ? formerNames[lower]! : null)
  )
}

export type Wanted = Pick<SearchPart, 'value' | 'not' | 'exact'> & {
  /** The last word may be incomplete. */
  begun: boolean
}
export type SearchQuery = Record<SearchOperator | 'words', Wanted[]>

/** Minimum number of letters for a last word that is still being typed to be matched as a prefix. */
const shortestBeginning = 3

/** The parts by operator. `typing`: the text may end within a word. */
export function readSearch(given: string, { typing = false } = {}): SearchQuery {
  const query = Object.fromEntries(
    ['words', ...operatorNames].map((name) => [name, [] as Wanted[]]),
  ) as SearchQuery
  const parts = readParts(given)
  for (const { operator, value, not, exact, end } of parts) {
    const last = orderedTerms(value).at(-1) ?? ''
    const isBegun = typing && !not && !exact && end === given.length && last.length >= shortestBeginning
    query[operator ?? 'words'].push({ value, not, exact, begun: isBegun && /[\p{L}\p{N}]$/u.test(value) })
  }
  return query
}

/** The text without one of its parts. */
export function withoutPart(given: string, { start, end }: SearchPart): string {
  return `${given.slice(0, start)}${given.slice(end)}`.replace(/\s+/g, ' ').trim()
}
