import type { Status } from '../../model/thread.ts'
import { searchSql } from './search.ts'
import type { Dialect } from '../statement.ts'
import { between, itemSql } from './summary.ts'

/** What the SQL of a page of threads depends on; everything else is a value. */
export interface PageShape {
  dialect: Dialect
  inboxes: readonly number[]
  unread: boolean
  statuses: readonly Status[] | null
  assignee: 'anybody' | 'nobody' | 'somebody'
  /** Whether `:from` is an address or a domain. */
  from: 'address' | 'domain' | null
  terms: boolean
  updatedSince: boolean
  /** Whether it begins after `:timestamp` and `:id`. */
  after: boolean
  /** A filter that leaves so few threads that they are collected and sorted. */
  sparse: 'terms' | 'from' | 'updatedSince' | null
  /** Words that many threads have are looked for in this many of the list only. */
  walk: number | null
  /** Null: `:limit`. */
  limit: number | null
  /** With marks around what others wrote. */
  marked: boolean
}

/** A range is soon found, but each makes the statement longer. */
const mostRanges = 200
/** Each range collects the words that are searched for anew. */
const mostRangesOfTerms = 60

/**
 * The page as ranges: one range of one index for each inbox (and status, and person), each in the order of the list, so
 * that merging them reads little more than the page is long.
 */
export function writePage(shape: PageShape): string {
  const tails = shape.inboxes.map((inbox) => `WHEN ${inbox} THEN CAST(:tail${inbox} AS TEXT)`).join(' ')
  const unread = shape.unread ? `'true'` : `CASE WHEN u.thread IS NULL THEN 'false' ELSE 'true' END`
  const marks = shape.unread ? '' : 'LEFT JOIN unread u ON u.thread = p.number AND u.user_id = :userId'
  const item = itemSql(shape.marked, unread, `CASE p.inbox ${tails} END`)
  const items =
    shape.dialect === 'sqlite'
      ? `CAST(group_concat(${item}, '${between}') AS BLOB)`
      : `string_agg(${item}, '${between}' ORDER BY p.timestamp DESC, p.id DESC)`
  // SQLite prepares a statement anew whenever a limit bound by itself changes, but not for one it has to calculate.
  const limit = shape.limit ?? ':limit + 0'
  const page = writeInOrder(shape, limit)
  // CROSS JOIN is how SQLite is told to begin with the page.
  return `SELECT ${items} AS items, count(*) AS count FROM (${page}) AS p CROSS JOIN thread_summaries s ${marks} WHERE s.thread = p.number`
}

/** How many threads a list has, up to `most`; in no order, because none is read. */
export function writeCount(shape: PageShape, most: number): string {
  return `SELECT count(*) AS count FROM (${writeRanges(shape).join(' UNION ALL ')} LIMIT ${most}) AS counted`
}

function writeInOrder(shape: PageShape, limit: number | string): string {
  const inOrder = (ranges: string[], most: number | string): string => {
    const order = `ORDER BY timestamp DESC, id DESC LIMIT ${most}`
    // SQLite merges ranges as they are; PostgreSQL only where each says itself that it is in order, and else sorts them all.
    const isPlain = shape.dialect === 'sqlite' || ranges.length === 1
    const merged = isPlain ? ranges : ranges.map((range) => `(${range} ${order})`)
    return `${merged.join(' UNION ALL ')} ${order}`
  }
  if (shape.walk === null) return inOrder(writeRanges(shape), limit)
  const walked = inOrder(writeRanges({ ...shape, terms: false }), shape.walk)
  const matches = `EXISTS (SELECT 1 FROM messages m WHERE m.thread = w.number AND ${searchSql[shape.dialect].matches})`
  return `SELECT number, timestamp, id, inbox FROM (${walked}) AS w WHERE ${matches} ORDER BY timestamp DESC, id DESC LIMIT ${limit}`
}

function writeRanges(shape: PageShape): string[] {
  const { inboxes, statuses, assignee, unread, sparse } = shape
  // The index of assignees goes by status, so a person's threads are as many ranges as there are statuses.
  const byStatus =
    assignee === 'anybody'
      ? (statuses ?? [null])
      : (statuses ?? (['open', 'waiting', 'snoozed', 'closed', 'spam'] as const))
  const ranges = inboxes.length * (unread ? 1 : byStatus.length)
  const many = ranges > (shape.terms ? mostRangesOfTerms : mostRanges)
  if (many || (sparse !== null && !unread)) return [writeRange(shape, inboxes, statuses)]
  return inboxes.flatMap((inbox) =>
    unread
      ? [writeRange(shape, [inbox], statuses)]
      : byStatus.map((status) => writeRange(shape, [inbox], status && [status])),
  )
}

function writeRange(
  { dialect, unread, assignee, from: sender, terms, updatedSince, after, sparse }: PageShape,
  inboxes: readonly number[],
  statuses: readonly Status[] | null,
): string {
  // A list of unread threads walks the person's own index; its rows carry the order.
  const order = unread ? 'u' : 't'
  const conditions: string[] = []
  if (unread) conditions.push('u.user_id = :userId')
  // Where nearly every thread is one of the list they are walked through from the newest; a filter could make that long.
  const walksAll =
    inboxes.length > 1 &&
    !unread &&
    !statuses &&
    assignee === 'anybody' &&
    !terms &&
    !sender &&
    sparse === null
  // A plus keeps SQLite from collecting inbox by inbox what then had to be sorted.
  const isPlus = walksAll || (sparse === 'from' && !unread)
  conditions.push(oneOf(isPlus ? '+t.inbox' : `${order}.inbox`, inboxes))
  if (statuses)
    conditions.push(
      oneOf(
        't.status',
        statuses.map((status) => `'${status}'`),
      ),
    )
  if (assignee === 'nobody') conditions.push('t.assignee_id IS NULL')
  if (assignee === 'somebody') conditions.push('t.assignee_id = :assignee')
  if (updatedSince) conditions.push('t.updated_at >= :updatedSince')
  // Few are collected by their index; many are met on the way.
  if (sender && sparse === 'from')
    conditions.push(`t.number IN (SELECT f.number FROM threads f WHERE ${startedBy('f', sender)})`)
  else if (sender) conditions.push(startedBy('t', sender))
  if (terms) {
    const { numbers } = searchSql[dialect]
    conditions.push(`t.number IN (SELECT m.thread FROM messages m WHERE m.number IN (${numbers}))`)
  }
  // The index over all inboxes of PostgreSQL goes by this expression (see `listIndexes`).
  const time = walksAll && dialect === 'postgres' ? '(t.timestamp + 0)' : `${order}.timestamp`
  if (after) conditions.push(`(${time}, ${order}.id) < (:timestamp, :id)`)

  const narrow = unread && !statuses && assignee === 'anybody' && !updatedSince && !terms && !sender
  const from = narrow ? 'unread u' : unread ? 'unread u CROSS JOIN threads t' : 'threads t'
  if (unread && !narrow) conditions.push('t.number = u.thread')
  const number = unread ? 'u.thread' : 't.number'
  return `SELECT ${number} AS number, ${time} AS timestamp, ${order}.id AS id, ${order}.inbox AS inbox FROM ${from} WHERE ${conditions.join(' AND ')}`
}

export function kindOfSender(from: string): 'address' | 'domain' {
  return from.includes('@') ? 'address' : 'domain'
}

export function threadsFrom(from: string): string {
  return `SELECT 1 FROM threads t WHERE ${startedBy('t', kindOfSender(from))}`
}

/** What follows the last @, the same on both databases; the index `threads_by_sender` has these expressions. */
function domainOf(address: string): string {
  return `lower(substr(${address}, length(rtrim(${address}, replace(${address}, '@', ''))) + 1))`
}

function startedBy(threads: string, kind: 'address' | 'domain'): string {
  const address = `${threads}.sender_address`
  // In PostgreSQL a value needs a type before it is passed to a function.
  const from = 'CAST(:from AS TEXT)'
  if (kind === 'domain') return `${domainOf(address)} = lower(${from})`
  return `${domainOf(address)} = ${domainOf(from)} AND lower(${address}) = lower(${from})`
}

/** Numbers and words of our own, never text from outside. */
function oneOf(column: string, values: readonly (number | string)[]): string {
  return values.length === 1 ? `${column} = ${values[0]}` : `${column} IN (${values.join(', ')})`
}
