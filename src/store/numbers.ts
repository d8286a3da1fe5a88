import type { Db } from './db.ts'
import { quarterMilliseconds } from './threads/closings.ts'
import { textQuery } from './statement.ts'

/** Inboxes and a time range: `from` is inclusive, `until` exclusive. */
export interface Span {
  inboxes: readonly number[]
  from: number
  until: number
}

const placeholders = ({ inboxes }: Span): string => inboxes.map(() => '?').join(', ')

/** Threads that began in each interval between two consecutive times; each count uses `threads_by_beginning`. */
export async function countBegun(db: Db, inboxes: readonly number[], times: readonly number[]) {
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

/** Threads closed per quarter of an hour, so that days can be summed in any time zone. */
export async function countClosed(db: Db, span: Span): Promise<Map<number, number>> {
  const rows = await db.all(
    textQuery<{ quarter: number; count: number }>(
      `SELECT quarter, sum(count) AS count FROM closings
       WHERE inbox IN (${placeholders(span)}) AND quarter >= ? AND quarter < ? GROUP BY quarter`,
      [...span.inboxes, quarterOf(span.from), quarterOf(span.until)],
    ),
  )
  return new Map(rows.map(({ quarter, count }) => [Number(quarter), Number(count)]))
}

const answered = (span: Span): string =>
  `FROM threads WHERE inbox IN (${placeholders(span)}) AND created_at >= ? AND created_at < ? AND answered_at IS NOT NULL`

/** How many of the threads that began in the span were answered. */
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
 * First replies by delay in seconds, beyond an hour in whole minutes. Samples one thread in `step`, by the second it
 * began: grouping is expensive, and a large sample gives the same answer.
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

/** Counting stops here: a larger number would not be useful. */
const mostOpen = 100_000

export async function countOpenOf(db: Db, inboxes: readonly number[], assignee: string | null) {
  const row = await db.first(
    textQuery<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM threads WHERE inbox IN (${inboxes.map(() => '?').join(', ')})
         AND assignee_id ${assignee === null ? 'IS NULL' : '= ?'} AND status = 'open' LIMIT ${mostOpen}) AS open`,
      assignee === null ? [...inboxes] : [...inboxes, assignee],
    ),
  )
  return Number(row?.count ?? 0)
}
