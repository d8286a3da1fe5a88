import type { Status } from '../../model/thread.ts'
import { matchingNumbers } from './search.ts'
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
  /** Conditions on the messages, if any; `:since` and `:until` are times. */
  search: { since: boolean; until: boolean; withFiles: boolean } | null
  updatedSince: boolean
  /** Whether the page begins after `:timestamp` and `:id`. */
  after: boolean
  /** A filter that leaves so few threads that they are collected and sorted; `words`: messages that match `:match`. */
  sparse: 'words' | 'from' | 'updatedSince' | null
  /** For PostgreSQL, which plans for a literal limit but not for a parameter: at least `:limit`. Null on SQLite. */
  most: number | null
}

/** Finding a range is fast, but each one makes the statement longer. */
const mostRanges = 200

/**
 * The page as index ranges: one for each inbox (and status, and person), each in list order, so that merging them reads
 * little more than the page itself.
 */
export function writePage(shape: PageShape): string {
  return writeItems(shape, writeThreads(shape))
}

/** The same threads, but only their number, position and inbox. */
export function writeThreads(shape: PageShape): string {
  const order = 'ORDER BY timestamp DESC, id DESC'
  const ranges = writeRanges(shape)
  // SQLite prepares a statement again when a bare bound limit changes, but not when the limit is an expression.
  if (shape.most === null) return `${ranges.join(' UNION ALL ')} ${order} LIMIT :limit + 0`
  // SQLite merges ranges as they are; PostgreSQL only if each has its own ORDER BY, otherwise it sorts them all.
  const merged = ranges.map((range) => `(${range} ${order} LIMIT ${shape.most})`)
  const all = merged.length === 1 ? `SELECT * FROM ${merged[0]} AS range` : merged.join(' UNION ALL ')
  return `${all} ${order} LIMIT :limit`
}

/** The threads `:numbers` as items of a list. */
export function writeNumbered(shape: PageShape): string {
  const order = 'ORDER BY timestamp DESC, id DESC LIMIT 1000'
  return writeItems(
    { ...shape, unread: false },
    `SELECT number, timestamp, id, inbox FROM threads WHERE number ${among(shape.dialect, 'numbers')} ${order}`,
  )
}

/** Condition that a number is one of a list of any length. */
export function among(dialect: Dialect, name: string): string {
  return dialect === 'sqlite'
    ? `IN (SELECT value FROM json_each(:${name}))`
    : `= ANY (CAST(:${name} AS BIGINT[]))`
}

function writeItems(shape: PageShape, page: string): string {
  const unread = shape.unread ? `'true'` : `CASE WHEN u.thread IS NULL THEN 'false' ELSE 'true' END`
  const marks = shape.unread ? '' : 'LEFT JOIN unread u ON u.thread = p.number AND u.user_id = :userId'
  const item = itemSql(shape.dialect, unread)
  const items =
    shape.dialect === 'sqlite'
      ? `CAST(group_concat(${item}, '${between}') AS BLOB)`
      : `string_agg(${item}, '${between}' ORDER BY p.timestamp DESC, p.id DESC)`
  // CROSS JOIN makes SQLite start with the page.
  return `SELECT ${items} AS items, count(*) AS count FROM (${page}) AS p
    CROSS JOIN thread_summaries s CROSS JOIN inboxes i ${marks} WHERE s.thread = p.number AND i.number = p.inbox`
}

/** How many threads a list has, up to `:most`; unordered, because no thread is read. */
export function writeListCount(shape: PageShape): string {
  return `SELECT count(*) AS count FROM (${writeRanges(shape).join(' UNION ALL ')} LIMIT :most) AS counted`
}

/** How many threads have a message that matches, up to `:most`. */
export function writeCount(shape: PageShape): string {
  const unread = shape.unread ? 'CROSS JOIN unread u' : ''
  const conditions = [
    ...conditionsOf(shape, shape.inboxes, shape.statuses),
    'm.number = f.number',
    't.number = m.thread',
  ]
  if (shape.unread) conditions.push('u.thread = t.number')
  const found = `SELECT DISTINCT t.number FROM (${matchingNumbers[shape.dialect]}) AS f
    CROSS JOIN messages m CROSS JOIN threads t ${unread} WHERE ${[...conditions, ...messageConditions(shape)].join(' AND ')}`
  return `SELECT count(*) AS count FROM (${found} LIMIT :most) AS found`
}

/** Conditions on a message `m`, apart from words. */
export function messageConditions({ search }: Pick<PageShape, 'search'>): string[] {
  return [
    ...(search?.since ? ['m.timestamp >= :since'] : []),
    ...(search?.until ? ['m.timestamp < :until'] : []),
    ...(search?.withFiles ? ['m.attachment_count > 0'] : []),
  ]
}

function writeRanges(shape: PageShape): string[] {
  const { inboxes, statuses, assignee, unread, sparse } = shape
  // The assignee index sorts by status before time, so a person's threads need one range per status.
  const byStatus =
    assignee === 'anybody'
      ? (statuses ?? [null])
      : (statuses ?? (['open', 'waiting', 'snoozed', 'closed', 'spam'] as const))
  const ranges = inboxes.length * (unread ? 1 : byStatus.length)
  if (ranges > mostRanges || sparse === 'words' || (sparse !== null && !unread))
    return [writeRange(shape, inboxes, statuses)]
  return inboxes.flatMap((inbox) =>
    unread
      ? [writeRange(shape, [inbox], statuses)]
      : byStatus.map((status) => writeRange(shape, [inbox], status && [status])),
  )
}

function writeRange(
  shape: PageShape,
  inboxes: readonly number[],
  statuses: readonly Status[] | null,
): string {
  const { dialect, unread, assignee, from: sender, search, updatedSince, after, sparse } = shape
  // A list of unread threads walks the person's own index, whose rows carry the list order.
  const order = unread ? 'u' : 't'
  const conditions = conditionsOf(shape, inboxes, statuses)
  if (sparse === 'words') {
    const where = [`m.number IN (${matchingNumbers[dialect]})`, ...messageConditions(shape)].join(' AND ')
    const found = `SELECT m.thread FROM messages m WHERE ${where}`
    // PostgreSQL plans for any cursor and expects it to leave few threads: it would test each message of every thread.
    // An array is collected first.
    conditions.push(dialect === 'sqlite' ? `t.number IN (${found})` : `t.number = ANY (ARRAY(${found}))`)
  }
  // PostgreSQL's index over all inboxes is on this expression (see `listIndexes`).
  const time =
    walksAll(shape, inboxes, statuses) && dialect === 'postgres' ? '(t.timestamp + 0)' : `${order}.timestamp`
  if (after) conditions.push(`(${time}, ${order}.id) < (:timestamp, :id)`)

  const narrow = unread && !statuses && assignee === 'anybody' && !updatedSince && !search && !sender
  const from = narrow ? 'unread u' : unread ? 'unread u CROSS JOIN threads t' : 'threads t'
  if (unread && !narrow) conditions.push('t.number = u.thread')
  const number = unread ? 'u.thread' : 't.number'
  return `SELECT ${number} AS number, ${time} AS timestamp, ${order}.id AS id, ${order}.inbox AS inbox FROM ${from} WHERE ${conditions.join(' AND ')}`
}

/** A list with nearly every thread is walked from the newest across all inboxes; a filter could make that slow. */
function walksAll(
  { unread, assignee, from, sparse }: PageShape,
  inboxes: readonly number[],
  statuses: readonly Status[] | null,
): boolean {
  return inboxes.length > 1 && !unread && !statuses && assignee === 'anybody' && !from && sparse === null
}

/** Conditions on a thread `t`; in a list of unread threads also on `u`. */
function conditionsOf(
  shape: PageShape,
  inboxes: readonly number[],
  statuses: readonly Status[] | null,
): string[] {
  const { unread, assignee, from: sender, search, updatedSince, sparse } = shape
  const conditions: string[] = []
  if (unread) conditions.push('u.user_id = :userId')
  // The plus keeps SQLite from reading inbox by inbox and having to sort the result.
  const isPlus = walksAll(shape, inboxes, statuses) || sparse === 'words' || (sparse === 'from' && !unread)
  conditions.push(oneOf(isPlus ? '+t.inbox' : `${unread ? 'u' : 't'}.inbox`, inboxes))
  const quoted = statuses?.map((status) => `'${status}'`)
  if (quoted) conditions.push(oneOf('t.status', quoted))
  if (assignee === 'nobody') conditions.push('t.assignee_id IS NULL')
  if (assignee === 'somebody') conditions.push('t.assignee_id = :assignee')
  if (updatedSince) conditions.push('t.updated_at >= :updatedSince')
  // Few matches are collected through their index; many are found while walking the list.
  if (sender && sparse === 'from')
    conditions.push(`t.number IN (SELECT f.number FROM threads f WHERE ${startedBy('f', sender)})`)
  else if (sender) conditions.push(startedBy('t', sender))
  // A thread has no message after its newest or before its first.
  if (search?.since) conditions.push('t.timestamp >= :since')
  if (search?.until) conditions.push('t.created_at < :until')
  if (search?.withFiles) conditions.push('t.attachment_count > 0')
  return conditions
}

export function kindOfSender(from: string): 'address' | 'domain' {
  return from.includes('@') ? 'address' : 'domain'
}

export function threadsFrom(from: string): string {
  return `SELECT 1 FROM threads t WHERE ${startedBy('t', kindOfSender(from))}`
}

/** The part after the last @, with SQL for both databases; the index `threads_by_sender` has these expressions. */
export function domainOf(address: string): string {
  return `lower(substr(${address}, length(rtrim(${address}, replace(${address}, '@', ''))) + 1))`
}

function startedBy(threads: string, kind: 'address' | 'domain'): string {
  const address = `${threads}.sender_address`
  // In PostgreSQL a value needs a type before it is passed to a function.
  const from = 'CAST(:from AS TEXT)'
  if (kind === 'domain') return `${domainOf(address)} = lower(${from})`
  return `${domainOf(address)} = ${domainOf(from)} AND lower(${address}) = lower(${from})`
}

/** For numbers and Spool's own constants, never for text from outside. */
function oneOf(column: string, values: readonly (number | string)[]): string {
  return values.length === 1 ? `${column} = ${values[0]}` : `${column} IN (${values.join(', ')})`
}
