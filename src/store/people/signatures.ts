import type { Db, Tx } from '../db.ts'
import { findRow, upsert } from '../rows.ts'

/** Appended to a person's mail from an inbox; empty if not set. */
export async function readSignature(db: Db, userId: string, inbox: number): Promise<string> {
  return (await findRow(db, 'signatures', { user_id: userId, inbox }))?.text ?? ''
}

export async function saveSignature(db: Tx, userId: string, inbox: number, text: string): Promise<void> {
  await upsert(db, 'signatures', { user_id: userId, inbox }, { text })
}
