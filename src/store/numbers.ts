import type { Db } from './db.ts'
import { quarterMilliseconds } from './closings.ts'
import { textQuery } from './statement.ts'

/** Of these inboxes, from a time until before another. */
export interface Span {
  inboxes: readonly number[]
  from: number
  until: number
}

const places = ({ inboxes }: Span): string => inboxes.map(() => '?').join(', ')

/** By quarter of an hour, so that every time zone can make its days of them. All of it stands in `threads_by_beginning`. */
export async function countBegun(db: Db, span: Span): Promise<Map<number, number>> {
  const rows = await db.all(
    textQuery<{ quarter: number; count: number }>(
      `SELECT created_at / ${quarterMilliseconds} AS quarter, count(*) AS count FROM threads
       WHERE inbox IN (${places(span)}) AND created_at >= ? AND created_at < ? GROUP BY created_at / ${quarterMilliseconds}`,
      [...span.inboxes, span.from, span.until],
    ),
  )
  return new Map(rows.map(({ quarter, count }) => [Number(quarter), Number(count)]))
}

export async function countClosed(db: Db, span: Span): Promise<Map<number, number>> {
  const rows = await db.all(
    textQuery<{ quarter: number; count: number }>(
      `SELECT quarter, sum(count) AS count FROM closings
       WHERE inbox IN (${places(span)}) AND quarter >= ? AND quarter < ? GROUP BY quarter`,
      [...span.inboxes, span.from / quarterMilliseconds, span.until / quarterMilliseconds],
    ),
  )
  return new Map(rows.map(({ quarter, count }) => [Number(quarter), Number(count)]))
}

/** How many threads that began then were first answered after so many seconds; beyond an hour, full minutes. */
export async function countReplySeconds(db: Db, span: Span): Promise<Map<number, number>> {
  const rows = await db.all(
    textQuery<{ seconds: number; count: number }>(
      `SELECT CASE WHEN seconds < 3600 THEN seconds ELSE seconds / 60 * 60 END AS seconds, count(*) AS count
       FROM (SELECT (answered_at - asked_at) / 1000 AS seconds FROM threads
         WHERE inbox IN (${places(span)}) AND created_at >= ? AND created_at < ? AND answered_at IS NOT NULL) AS replies
       GROUP BY CASE WHEN seconds < 3600 THEN seconds ELSE seconds / 60 * 60 END`,
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
