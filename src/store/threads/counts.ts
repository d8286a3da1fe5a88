import { mostCounted } from '../../model/thread-views.ts'
import type { Db } from '../db.ts'
import { textQuery } from '../statement.ts'

/** Each is one range of one index. */
export type CountedRange =
  | { of: 'status'; inbox: number; status: string }
  | { of: 'assignee'; inbox: number; status: string; assignee: string | null }
  | { of: 'unread'; inbox: number; userId: string }
  | { of: 'proposal'; inbox: number; status: string }

/** SQLite allows at most 500 selects in one compound statement. */
const rangesAtOnce = 200

/** Counts each range up to `mostCounted`, in the order given. */
export async function countRanges(db: Db, ranges: readonly CountedRange[]): Promise<number[]> {
  const counts: number[] = []
  for (let at = 0; at < ranges.length; at += rangesAtOnce) {
    const some = ranges.slice(at, at + rangesAtOnce).map(writeRange)
    const sql = some.map(
      (range, index) =>
        `SELECT ${index} AS ordinal, count(*) AS count FROM (${range.sql} LIMIT ${mostCounted}) AS l${index}`,
    )
    const rows = await db.all(
      textQuery<{ ordinal: number; count: number }>(
        sql.join(' UNION ALL '),
        some.flatMap(({ values }) => values),
      ),
    )
    for (const { ordinal, count } of rows) counts[at + ordinal] = Number(count)
  }
  return counts
}

/** ORDER BY the index, so that the planner walks it and stops at the limit. */
function writeRange(range: CountedRange): { sql: string; values: unknown[] } {
  const inOrder = 'ORDER BY timestamp DESC, id DESC'
  switch (range.of) {
    case 'status':
      return {
        sql: `SELECT 1 FROM threads WHERE inbox = ? AND status = ? ${inOrder}`,
        values: [range.inbox, range.status],
      }
    case 'assignee': {
      const [test, values] = range.assignee === null ? ['IS NULL', []] : ['= ?', [range.assignee]]
      return {
        sql: `SELECT 1 FROM threads WHERE inbox = ? AND assignee_id ${test} AND status = ? ${inOrder}`,
        values: [range.inbox, ...values, range.status],
      }
    }
    case 'unread':
      return {
        sql: `SELECT 1 FROM unread u CROSS JOIN threads t WHERE u.user_id = ? AND u.inbox = ? AND t.number = u.thread AND t.status <> 'spam' ORDER BY u.timestamp DESC, u.id DESC`,
        values: [range.userId, range.inbox],
      }
    case 'proposal':
      return {
        sql: `SELECT 1 FROM drafts WHERE inbox = ? AND status = ? AND token_id IS NOT NULL ORDER BY updated_at DESC, id DESC`,
        values: [range.inbox, range.status],
      }
  }
}
