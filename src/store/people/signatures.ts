import type { Db, Tx } from '../db.ts'

/** Appended to a person's mail from an inbox; empty if not set. */
export async function readSignature(db: Db, userId: string, inbox: number): Promise<string> {
  const row = await db.first(
    db.build.selectFrom('signatures').select('text').where('user_id', '=', userId).where('inbox', '=', inbox),
  )
  return row?.text ?? ''
}

export async function saveSignature(db: Tx, userId: string, inbox: number, text: string): Promise<void> {
  await db.run(
    db.build
      .insertInto('signatures')
      .values({ user_id: userId, inbox, text })
      .onConflict((conflict) => conflict.columns(['user_id', 'inbox']).doUpdateSet({ text })),
  )
}
