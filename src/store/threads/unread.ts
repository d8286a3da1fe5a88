import type { Db, Tx } from '../db.ts'
import { deleteRows } from '../rows.ts'
import { bulkInsert, bulkUpdate } from '../bulk.ts'
import { statement, textQuery } from '../statement.ts'
import type { ThreadRow } from './summary.ts'
import { touch } from '../log/versions.ts'

/**
 * Threads each person has not read: a row while unread, none once read. A list of unread threads uses its own index and
 * costs only its page; the price is a row per reader for each thread that gets mail.
 */
const insertUnread = bulkInsert(
  'unread',
  { thread: 'bigint', user_id: 'text', inbox: 'bigint', timestamp: 'bigint', id: 'text' },
  {
    clause: 'ON CONFLICT (thread, user_id) DO UPDATE SET timestamp = excluded.timestamp',
    key: ['thread', 'user_id'],
  },
)

export async function markUnread(db: Tx, thread: ThreadRow, userIds: readonly string[]): Promise<void> {
  const { number, inbox, timestamp, id } = thread
  for (const userId of userIds) {
    touch(db, `user:${userId}`)
    await db.add(insertUnread, { thread: number, user_id: userId, inbox, timestamp, id })
  }
}

const moveUnread = bulkUpdate<'unread', { thread: number; timestamp: number }>('unread', {
  thread: 'bigint',
  timestamp: 'bigint',
})

/** Unread rows carry the thread's time, because the unread list is sorted like every other list. */
export async function followThread(db: Tx, thread: ThreadRow): Promise<void> {
  await db.add(moveUnread, { thread: thread.number, timestamp: thread.timestamp })
}

/** Returns whether anything changed. */
export async function markRead(db: Tx, thread: number, userId: string): Promise<boolean> {
  const changed = await deleteRows(db, 'unread', { thread, user_id: userId })
  if (changed > 0) touch(db, `user:${userId}`)
  return changed > 0
}

export async function markInboxRead(db: Tx, inbox: number, userId: string): Promise<void> {
  touch(db, `user:${userId}`)
  await deleteRows(db, 'unread', { inbox, user_id: userId })
}

const isUnreadBy = statement((build, { thread, userId }: { thread: number; userId: string }) =>
  build.selectFrom('unread').select('thread').where('thread', '=', thread).where('user_id', '=', userId),
)

export async function isUnread(db: Db, thread: number, userId: string): Promise<boolean> {
  return (await db.first(isUnreadBy({ thread, userId }))) !== undefined
}

/** Whoever had either thread unread has `to` unread. The merge touches the inbox, which invalidates their lists. */
export async function joinUnread(db: Tx, from: number, to: ThreadRow): Promise<void> {
  await db.queue(
    textQuery(
      `INSERT INTO unread (thread, user_id, inbox, timestamp, id) SELECT ?, user_id, inbox, ?, ? FROM unread
       WHERE thread = ? ON CONFLICT (thread, user_id) DO NOTHING`,
      [to.number, to.timestamp, to.id, from],
    ),
  )
  await db.queue(db.build.deleteFrom('unread').where('thread', '=', from))
  await followThread(db, to)
}
