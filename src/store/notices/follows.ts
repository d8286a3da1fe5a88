import type { Following } from '../../model/notices/notices.ts'
import { announce } from '../database.ts'
import type { Db, Tx } from '../db.ts'
import { deleteRows, findRow, insertRow } from '../rows.ts'
import { touch } from '../log/versions.ts'
import { textQuery } from '../statement.ts'

/** Who follows or has muted these threads. */
export async function followsOf(db: Db, threads: readonly number[]) {
  if (threads.length === 0) return []
  const rows = await db.all(db.build.selectFrom('follows').selectAll().where('thread', 'in', threads))
  return rows.map(({ thread, user_id, state }) => ({ thread, userId: user_id, state: state as Following }))
}

export async function followingOf(db: Db, thread: number, userId: string): Promise<Following | null> {
  const row = await findRow(db, 'follows', { thread, user_id: userId })
  return (row?.state as Following | undefined) ?? null
}

export async function setFollowing(
  db: Tx,
  thread: number,
  userId: string,
  state: Following | null,
): Promise<void> {
  touch(db, `notices:${userId}`)
  announce(db)
  await deleteRows(db, 'follows', { thread, user_id: userId })
  if (state) await insertRow(db, 'follows', { thread, user_id: userId, state })
}

/** For merged threads: a person's choice for the surviving thread takes precedence. */
export async function joinNotices(db: Tx, from: number, to: number): Promise<void> {
  await db.queue(db.build.updateTable('notices').set({ thread: to }).where('thread', '=', from))
  await db.queue(
    textQuery(
      `INSERT INTO follows (thread, user_id, state) SELECT ?, user_id, state FROM follows AS other WHERE thread = ?
       AND NOT EXISTS (SELECT 1 FROM follows WHERE thread = ? AND user_id = other.user_id)`,
      [to, from, to],
    ),
  )
  await db.queue(db.build.deleteFrom('follows').where('thread', '=', from))
}
