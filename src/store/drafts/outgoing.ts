import type { DraftStatus } from '../../model/draft.ts'
import type { Db, Tx } from '../db.ts'

/** What was sealed when a person pressed send; it stays the same for every attempt. */
export async function saveOutgoing(db: Tx, draft: string, letter: string): Promise<void> {
  await db.run(
    db.build
      .insertInto('outgoing')
      .values({ draft, letter, source: null })
      .onConflict((conflict) => conflict.column('draft').doUpdateSet({ letter, source: null })),
  )
}

export async function loadOutgoing(
  db: Db,
  draft: string,
): Promise<{ letter: string; source: Uint8Array | null }> {
  const row = await db.first(db.build.selectFrom('outgoing').selectAll().where('draft', '=', draft))
  if (!row) throw new Error(`Nothing is kept to be sent of draft ${draft}.`)
  return row
}

export async function saveSource(db: Tx, draft: string, source: Uint8Array): Promise<void> {
  await db.run(db.build.updateTable('outgoing').set({ source }).where('draft', '=', draft))
}

/** It stands with its message from now on. */
export async function forgetOutgoing(db: Tx, draft: string): Promise<void> {
  await db.run(db.build.deleteFrom('outgoing').where('draft', '=', draft))
}

/**
 * Drafts that something is to be done with by now, whatever it is. One that somebody works on is due again when its lease
 * is over; due later than that, it was taken up by a clock that was wrong.
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
export async function findDraftByMessageId(
  db: Db,
  inbox: number,
  messageId: string,
): Promise<{ id: string; status: DraftStatus } | undefined> {
  const row = await db.first(
    db.build
      .selectFrom('drafts')
      .select(['id', 'status'])
      .where('message_id', '=', messageId)
      .where('inbox', '=', inbox),
  )
  return row && { id: row.id, status: row.status as DraftStatus }
}
