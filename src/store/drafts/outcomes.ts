import type { Db } from '../db.ts'
import { textQuery } from '../statement.ts'

export interface OutcomeCount {
  token: string
  status: string
  edited: boolean
  count: number
}

interface Row {
  token_id: string
  status: string
  edited: number
  count: number
}

/** Counts the drafts that agents proposed since then, by token. */
export async function countOutcomesOfTokens(
  db: Db,
  tokens: readonly string[],
  since: number,
): Promise<OutcomeCount[]> {
  if (tokens.length === 0) return []
  const rows = await db.all(
    textQuery<Row>(
      `SELECT token_id, status, edited, count(*) AS count FROM drafts
       WHERE token_id IN (${tokens.map(() => '?').join(', ')}) AND created_at >= ? GROUP BY token_id, status, edited`,
      [...tokens, since],
    ),
  )
  return rows.map(readRow)
}

/** Counts the drafts that agents proposed in these inboxes between two times. */
export async function countOutcomesOfInboxes(
  db: Db,
  inboxes: readonly number[],
  from: number,
  until: number,
): Promise<OutcomeCount[]> {
  if (inboxes.length === 0) return []
  const rows = await db.all(
    textQuery<Row>(
      `SELECT '' AS token_id, status, edited, count(*) AS count FROM drafts
       WHERE inbox IN (${inboxes.map(() => '?').join(', ')}) AND token_id IS NOT NULL
         AND created_at >= ? AND created_at < ? GROUP BY status, edited`,
      [...inboxes, from, until],
    ),
  )
  return rows.map(readRow)
}

function readRow({ token_id, status, edited, count }: Row): OutcomeCount {
  return { token: token_id, status, edited: edited === 1, count: Number(count) }
}
