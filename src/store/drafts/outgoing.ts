import type { Db, Tx } from '../db.ts'
import { deleteRows, findRow, updateRows, upsert } from '../rows.ts'

/** Saves the letter as it was when a person pressed send; every attempt sends the same one. */
export async function saveOutgoing(db: Tx, draft: string, letter: string): Promise<void> {
  await upsert(db, 'outgoing', { draft }, { letter, source: null })
}

export async function loadOutgoing(db: Db, draft: string) {
  const row = await findRow(db, 'outgoing', { draft })
  if (!row) throw new Error(`Draft ${draft} has no outgoing letter.`)
  return row
}

export async function saveSource(db: Tx, draft: string, source: Uint8Array): Promise<void> {
  await updateRows(db, 'outgoing', { draft }, { source })
}

/** Once sent, the source is stored with its message; a draft that goes back to editing needs none. */
export async function forgetOutgoing(db: Tx, draft: string): Promise<void> {
  await deleteRows(db, 'outgoing', { draft })
}

/**
 * Drafts that need work now. A claimed one is due again when its lease expires; if it is due later than a full lease
 * from now, it was claimed by a wrong clock.
 */
export async function dueDrafts(db: Db, now: number, leaseLife: number, limit: number): Promise<string[]> {
  const rows = await db.all(
    db.build
      .selectFrom('drafts')
      .select('id')
      .where((where) =>
        where.or([
          where('due_at', '<=', now),
          where.and([
            where('due_at', '>', now + leaseLife),
            where('status', '=', 'sending'),
            where('phase', 'in', ['ready', 'over', 'believed']),
          ]),
        ]),
      )
      .orderBy('due_at')
      .limit(limit),
  )
  return rows.map(({ id }) => id)
}

/** The draft that was sent under this Message-ID, if any. */
export async function findDraftByMessageId(db: Db, inbox: number, messageId: string) {
  return findRow(db, 'drafts', { message_id: messageId, inbox })
}
