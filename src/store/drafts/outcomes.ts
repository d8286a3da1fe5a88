import type { Db } from '../db.ts'
import { textQuery } from '../statement.ts'

/** Counts the drafts that agents proposed since then, by token. */
export async function countOutcomesOfTokens(db: Db, tokens: readonly string[], since: number) {
  if (tokens.length === 0) return []
  const among = `token_id IN (${tokens.map(() => '?').join(', ')}) AND created_at >= ?`
  return countOutcomes(db, 'token_id', among, [...tokens, since])
}

/** Counts the drafts that agents proposed in these inboxes between two times. */
export async function countOutcomesOfInboxes(
  db: Db,
  inboxes: readonly number[],
  from: number,
  until: number,
) {
  if (inboxes.length === 0) return []
  const among = `inbox IN (${inboxes.map(() => '?').join(', ')}) AND token_id IS NOT NULL
    AND created_at >= ? AND created_at < ?`
  return countOutcomes(db, `''`, among, [...inboxes, from, until])
}

export type OutcomeCount = Awaited<ReturnType<typeof countOutcomes>>[number]

async function countOutcomes(db: Db, token: string, among: string, values: readonly unknown[]) {
  const rows = await db.all(
    textQuery<{ token: string; status: string; edited: number; count: number }>(
      `SELECT ${token} AS token, status, edited, count(*) AS count FROM drafts WHERE ${among}
       GROUP BY token, status, edited`,
      values,
    ),
  )
  return rows.map((row) => ({ ...row, edited: row.edited === 1 }))
}
