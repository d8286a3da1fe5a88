import type { Db } from './db.ts'
import { quarterMilliseconds } from './threads/closings.ts'
import { textQuery } from './statement.ts'

/** Of these inboxes, from a time until before another. */
export interface Span {
  inboxes: readonly number[]
  from: number
  until: number
}

const places = ({ inboxes }: Span): string => inboxes.map(() => '?').join(', ')

/** How many threads began between each of these times and the next: a count along `threads_by_beginning` each. */
export async function countBegun(
  db: Db,
  inboxes: readonly number[],
  times: readonly number[],
): Promise<number[]> {
  const range = `FROM threads WHERE inbox IN (${inboxes.map(() => '?').join(', ')}) AND created_at >= ? AND created_at < ?`
  const ranges = times.slice(1).map((until, index) => ({ index, values: [...inboxes, times[index]!, until] }))
  const rows = await db.all(
    textQuery<{ ordinal: number; count: number }>(
      ranges.map(({ index }) => `SELECT ${index} AS ordinal, count(*) AS count ${range}`).join(' UNION ALL '),
      ranges.flatMap(({ values }) => values),
    ),
  )
  const counts = ranges.map(() => 0)
  for (const { ordinal, count } of rows) counts[ordinal] = Number(count)
  return counts
}

const quarterOf = (time: number): number => Math.floor(time / quarterMilliseconds)

/** By quarter of an hour, so that every time zone can make its days of them. */
export async function countClosed(db: Db, span: Span): Promise<Map<number, number>> {
  const rows = await db.all(
    textQuery<{ quarter: number; count: number }>(
      `SELECT quarter, sum(count) AS count FROM closings
       WHERE inbox IN (${places(span)}) AND quarter >= ? AND quarter < ? GROUP BY quarter`,
      [...span.inboxes, quarterOf(span.from), quarterOf(span.until)],
    ),
  )
  return new Map(rows.map(({ quarter, count }) => [Number(quarter), Number(count)]))
}

const answered = (span: Span): string =>
  `FROM threads WHERE inbox IN (${places(span)}) AND created_at >= ? AND created_at < ? AND answered_at IS NOT NULL`

/** Of the threads that began then. */
export async function countAnswered(db: Db, span: Span): Promise<number> {
  const row = await db.first(
    textQuery<{ count: number }>(`SELECT count(*) AS count ${answered(span)}`, [
      ...span.inboxes,
      span.from,
      span.until,
    ]),
  )
  return Number(row!.count)
}

const seconds = 'CASE WHEN seconds < 3600 THEN seconds ELSE seconds / 60 * 60 END'

/**
 * How many of them were first answered after so many seconds; beyond an hour, full minutes. One in `step`, chosen by the
 * second in which it began: grouping is what costs, and a share of very many tells the same.
 */
export async function countReplySeconds(db: Db, span: Span, step: number): Promise<Map<number, number>> {
  const rows = await db.all(
    textQuery<{ seconds: number; count: number }>(
      `SELECT ${seconds} AS seconds, count(*) AS count
       FROM (SELECT (answered_at - asked_at) / 1000 AS seconds ${answered(span)} AND created_at / 1000 % ${step} = 0) AS replies
       GROUP BY ${seconds}`,
      [...span.inboxes, span.from, span.until],
    ),
  )
  return new Map(rows.map(({ seconds, count }) => [Number(seconds), Number(count)]))
}

/** Counting stops here: more than that is no number to act on. */
const mostOpen = 100_000

export async function countOpenOf(
  db: Db,
  inboxes: readonly number[],
  assignee: string | null,
): Promise<number> {
  const row = await db.first(
    textQuery<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM threads WHERE inbox IN (${inboxes.map(() => '?').join(', ')})
         AND assignee_id ${assignee === null ? 'IS NULL' : '= ?'} AND status = 'open' LIMIT ${mostOpen}) AS open`,
      assignee === null ? [...inboxes] : [...inboxes, assignee],
    ),
  )
  return Number(row?.count ?? 0)
}
