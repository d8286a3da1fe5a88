import type { Db, Tx } from '../db.ts'
import { upsert } from '../upsert.ts'

/** Appended to a person's mail from an inbox; empty if not set. */
export async function readSignature(db: Db, userId: string, inbox: number): Promise<string> {
  const row = await db.first(
    db.build.selectFrom('signatures').select('text').where('user_id', '=', userId).where('inbox', '=', inbox),
  )
  return row?.text ?? ''
}

export async function saveSignature(db: Tx, userId: string, inbox: number, text: string): Promise<void> {
  await upsert(db, 'signatures', { user_id: userId, inbox }, { text })
}
