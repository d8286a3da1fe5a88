import type { Reads } from '../../model/reads.ts'
import type { Db, Tx } from '../db.ts'
import { updateRows } from '../rows.ts'
import { textQuery } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { sql } from '../kysely.ts'

/** Adds to what this and other nodes have counted. */
export async function addTokenReads(db: Tx, row: Tables['token_reads']): Promise<void> {
  await db.run(
    db.build
      .insertInto('token_reads')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['token_id', 'day']).doUpdateSet({
          calls: sql`token_reads.calls + excluded.calls`,
          threads: sql`token_reads.threads + excluded.threads`,
          messages: sql`token_reads.messages + excluded.messages`,
          notes: sql`token_reads.notes + excluded.notes`,
        }),
      ),
  )
}

/** Sums per token, from this day on. */
export async function sumTokenReads(db: Db, since: number): Promise<Map<string, Reads & { calls: number }>> {
  const rows = await db.all(
    textQuery<{ token_id: string; calls: number } & Reads>(
      `SELECT token_id, CAST(sum(calls) AS BIGINT) AS calls, CAST(sum(threads) AS BIGINT) AS threads,
         CAST(sum(messages) AS BIGINT) AS messages, CAST(sum(notes) AS BIGINT) AS notes
       FROM token_reads WHERE day >= ? GROUP BY token_id`,
      [since],
    ),
  )
  return new Map(rows.map(({ token_id, ...reads }) => [token_id, reads]))
}

/** Does not overwrite earlier values. */
export async function noteFirstCall(db: Tx, tokenId: string, at: number, call: string | null): Promise<void> {
  await updateRows(db, 'tokens', { id: tokenId }, { first_used_at: sql`coalesce(first_used_at, ${at})` })
  if (call === null) return
  await updateRows(db, 'tokens', { id: tokenId, first_call: null }, { first_call: call })
}
