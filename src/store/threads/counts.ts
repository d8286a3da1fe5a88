import type { Db } from '../db.ts'
import { textQuery } from '../statement.ts'

/** What is counted, one range of one index each. */
export type CountedLane =
  | { of: 'status'; inbox: number; status: string }
  | { of: 'assignee'; inbox: number; status: string; assignee: string | null }
  | { of: 'unread'; inbox: number; userId: string }
  | { of: 'proposal'; inbox: number; status: string }

/** Counting stops here, so that it costs the same whatever the store holds. */
export const mostCounted = 999

/** SQLite joins at most 500 selects into one. */
const lanesAtOnce = 200

/** Each up to `mostCounted + 1`, in the order asked. */
export async function countLanes(db: Db, lanes: readonly CountedLane[]): Promise<number[]> {
  const counts: number[] = []
  for (let at = 0; at < lanes.length; at += lanesAtOnce) {
    const some = lanes.slice(at, at + lanesAtOnce).map(writeLane)
    const sql = some.map(
      (lane, index) =>
        `SELECT ${index} AS lane, count(*) AS count FROM (${lane.sql} LIMIT ${mostCounted + 1}) AS l${index}`,
    )
    const rows = await db.all(
      textQuery<{ lane: number; count: number }>(
        sql.join(' UNION ALL '),
        some.flatMap(({ values }) => values),
      ),
    )
    for (const { lane, count } of rows) counts[at + lane] = Number(count)
  }
  return counts
}

/** In the order of the index: that is how a planner is told to walk it and to stop. */
function writeLane(lane: CountedLane): { sql: string; values: unknown[] } {
  const inOrder = 'ORDER BY timestamp DESC, id DESC'
  switch (lane.of) {
    case 'status':
      return {
        sql: `SELECT 1 FROM threads WHERE inbox = ? AND status = ? ${inOrder}`,
        values: [lane.inbox, lane.status],
      }
    case 'assignee':
      return lane.assignee === null
        ? {
            sql: `SELECT 1 FROM threads WHERE inbox = ? AND assignee_id IS NULL AND status = ? ${inOrder}`,
            values: [lane.inbox, lane.status],
          }
        : {
            sql: `SELECT 1 FROM threads WHERE inbox = ? AND assignee_id = ? AND status = ? ${inOrder}`,
            values: [lane.inbox, lane.assignee, lane.status],
          }
    case 'unread':
      return {
        sql: `SELECT 1 FROM unread u CROSS JOIN threads t WHERE u.user_id = ? AND u.inbox = ? AND t.number = u.thread AND t.status <> 'spam' ORDER BY u.timestamp DESC, u.id DESC`,
        values: [lane.userId, lane.inbox],
      }
    case 'proposal':
      return {
        sql: `SELECT 1 FROM drafts WHERE inbox = ? AND status = ? AND token_id IS NOT NULL ORDER BY updated_at DESC, id DESC`,
        values: [lane.inbox, lane.status],
      }
  }
}
