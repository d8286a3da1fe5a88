import type { Selectable } from 'kysely'
import { bulkInsert } from '../bulk.ts'
import { announce } from '../database.ts'
import type { Db, Tx } from '../db.ts'
import { touch } from '../log/versions.ts'
import type { Position } from '../position.ts'
import { textQuery } from '../statement.ts'
import type { Tables } from '../tables.ts'

export type NoticeRow = Selectable<Tables['notices']>

/** Channels that leave Spool. */
export type OutwardWay = 'push' | 'mail'

/** Existing notices for these people and subjects, keyed by `user about`. */
export async function findAbout(
  db: Db,
  wanted: readonly { user_id: string; about: string }[],
): Promise<Map<string, NoticeRow>> {
  if (wanted.length === 0) return new Map()
  const rows = await db.all(
    db.build
      .selectFrom('notices')
      .selectAll()
      .where('user_id', 'in', [...new Set(wanted.map(({ user_id }) => user_id))])
      .where('about', 'in', [...new Set(wanted.map(({ about }) => about))]),
  )
  return new Map(rows.map((row) => [keyOf(row), row]))
}

export function keyOf({ user_id, about }: { user_id: string; about: string }): string {
  return `${user_id} ${about}`
}

const changing = {
  kind: 'text',
  inbox: 'bigint',
  thread: 'bigint',
  data: 'text',
  count: 'bigint',
  rung_at: 'bigint',
  read_at: 'bigint',
  on_page: 'bigint',
  page_at: 'bigint',
  push_at: 'bigint',
  pushed_at: 'bigint',
  push_tries: 'bigint',
  mail_at: 'bigint',
  mailed_at: 'bigint',
  mail_tries: 'bigint',
} as const
const changes = Object.keys(changing).map((name) => `${name} = excluded.${name}`)
const upsertNotice = bulkInsert(
  'notices',
  { id: 'text', user_id: 'text', about: 'text', ...changing },
  {
    clause: `ON CONFLICT (user_id, about) DO UPDATE SET ${changes.join(', ')}`,
    key: ['user_id', 'about'],
  },
)

/** Notifies pages and workers of every node. */
export async function saveNotices(db: Tx, rows: readonly NoticeRow[]): Promise<void> {
  for (const row of rows) {
    await db.add(upsertNotice, row)
    touch(db, `notices:${row.user_id}`)
  }
  if (rows.length > 0) announce(db)
}

/** Delayed notices that are now due on the page. */
export async function dueOnPage(db: Db, now: number, limit: number): Promise<NoticeRow[]> {
  const query = db.build.selectFrom('notices').selectAll().where('page_at', '<=', now)
  return db.all(query.orderBy('page_at').orderBy('id').limit(limit))
}

/** People with a notice due on this channel, longest waiting first. */
export async function peopleDue(
  db: Db,
  way: OutwardWay,
  now: number,
  without: readonly string[],
  limit: number,
): Promise<string[]> {
  let query = db.build.selectFrom('notices').select('user_id').where(`${way}_at`, '<=', now)
  if (without.length > 0) query = query.where('user_id', 'not in', without)
  const rows = await db.all(
    query
      .groupBy('user_id')
      .orderBy(({ fn }) => fn.min(`${way}_at`))
      .limit(limit),
  )
  return rows.map(({ user_id }) => user_id)
}

/** Makes notices due at another time, or never; `tries` counts failed attempts. */
export async function putOff(
  db: Tx,
  way: OutwardWay,
  ids: readonly string[],
  until: number | null,
  tries?: number,
): Promise<void> {
  if (ids.length === 0) return
  const query = db.build.updateTable('notices').where('id', 'in', ids)
  await db.run(
    way === 'push'
      ? query.set({ push_at: until, ...(tries === undefined ? {} : { push_tries: tries }) })
      : query.set({ mail_at: until, ...(tries === undefined ? {} : { mail_tries: tries }) }),
  )
}

/**
 * Marks a notice as delivered as it was. If it has been repeated since, it is due again at `next` or later. A repeat of
 * one that was read meanwhile is counted from 1 again, so the time tells, too.
 */
export async function settleNotice(
  db: Tx,
  way: OutwardWay,
  { id, count, rung_at }: Pick<NoticeRow, 'id' | 'count' | 'rung_at'>,
  { now, next }: { now: number; next: number },
): Promise<void> {
  const [at, done] = way === 'push' ? ['push_at', 'pushed_at'] : ['mail_at', 'mailed_at']
  await db.run(
    textQuery(
      `UPDATE notices SET ${at} = CASE WHEN (count = ? AND rung_at = ?) OR ${at} IS NULL THEN NULL
         WHEN ${at} > ? THEN ${at} ELSE CAST(? AS BIGINT) END, ${done} = ? WHERE id = ?`,
      [count, rung_at, next, next, now, id],
    ),
  )
}

/** When the next notice is due on any channel. */
export async function nextDue(db: Db, now: number): Promise<number | null> {
  const row = await db.first(
    textQuery<{ at: number | null }>(
      `SELECT min(at) AS at FROM (
         SELECT min(page_at) AS at FROM notices WHERE page_at > ? UNION ALL
         SELECT min(push_at) AS at FROM notices WHERE push_at > ? UNION ALL
         SELECT min(mail_at) AS at FROM notices WHERE mail_at > ?) AS dues`,
      [now, now, now],
    ),
  )
  return row?.at ?? null
}

/** A notice with the current data of its thread and inbox. */
export interface ShownNotice extends NoticeRow {
  thread_id: string | null
  subject: string | null
  sender_name: string | null
  sender_address: string | null
  inbox_id: string | null
}

/** What the person may see now: no muted threads and no inboxes that they cannot see. */
const visible = (inboxes: readonly number[]): string =>
  `notices.on_page = 1 AND (notices.inbox IS NULL OR notices.inbox IN (${['NULL', ...inboxes.map(() => '?')].join(', ')}))
   AND NOT EXISTS (SELECT 1 FROM follows WHERE follows.thread = notices.thread AND follows.user_id = notices.user_id AND follows.state = 'mute')`

export async function listShown(
  db: Db,
  userId: string,
  inboxes: readonly number[],
  { after, limit }: { after: Position | null; limit: number },
) {
  return db.all(
    textQuery<ShownNotice>(
      `${withThread} WHERE notices.user_id = ? AND ${visible(inboxes)}
       ${after ? 'AND (notices.rung_at, notices.id) < (?, ?)' : ''}
       ORDER BY notices.rung_at DESC, notices.id DESC LIMIT ${limit}`,
      [userId, ...inboxes, ...(after ? [after.timestamp, after.id] : [])],
    ),
  )
}

const withThread = `SELECT notices.*, threads.id AS thread_id, threads.subject, threads.sender_name,
    threads.sender_address, inboxes.id AS inbox_id
  FROM notices LEFT JOIN threads ON threads.number = notices.thread
  LEFT JOIN inboxes ON inboxes.number = notices.inbox AND inboxes.removed_at IS NULL`

/** A person's notices that are due on this channel. */
export async function describeDue(db: Db, way: OutwardWay, userId: string, now: number, limit: number) {
  return db.all(
    textQuery<ShownNotice>(
      `${withThread} WHERE notices.user_id = ? AND notices.${way}_at <= ?
       ORDER BY notices.rung_at, notices.id LIMIT ${limit}`,
      [userId, now],
    ),
  )
}

export async function countUnread(db: Db, userId: string, inboxes: readonly number[]): Promise<number> {
  const row = await db.first(
    textQuery<{ count: number }>(
      `SELECT count(*) AS count FROM notices WHERE user_id = ? AND read_at IS NULL AND ${visible(inboxes)}`,
      [userId, ...inboxes],
    ),
  )
  return Number(row!.count)
}

/**
 * Marks these notices as read, or all of a thread, or all on the page; whatever has been read is not pushed or mailed.
 * Opening a thread also reads its notices that are not on the page: held back, or wanted only by push or mail.
 */
export async function readNotices(
  db: Tx,
  userId: string,
  which: { ids: readonly string[] } | { thread: number } | 'all',
  now: number,
): Promise<boolean> {
  let query = db.build
    .updateTable('notices')
    .set({ read_at: now, push_at: null, mail_at: null })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
  if (which === 'all') query = query.where('on_page', '=', 1)
  else if ('thread' in which) query = query.where('thread', '=', which.thread)
  else query = query.where('on_page', '=', 1).where('id', 'in', [...which.ids, ''])
  const changed = (await db.run(query)) > 0
  if (changed) {
    touch(db, `notices:${userId}`)
    announce(db)
  }
  return changed
}

/** Unread notices of threads that were assigned to these people. */
export async function findAssigned(db: Db, userIds: readonly string[]): Promise<NoticeRow[]> {
  if (userIds.length === 0) return []
  return db.all(
    db.build
      .selectFrom('notices')
      .selectAll()
      .where('user_id', 'in', userIds)
      // A range of the index by subject.
      .where('about', '>=', 'assigned:')
      .where('about', '<', 'assigned;')
      .where('read_at', 'is', null),
  )
}

export async function findAssignees(db: Db, threads: readonly number[]) {
  const rows = await db.all(
    db.build
      .selectFrom('threads')
      .select(['number', 'assignee_id', 'assigned_at'])
      .where('number', 'in', [...new Set(threads)]),
  )
  return new Map(rows.map((row) => [row.number, row]))
}

/** Deletes notices on all channels: the problem is solved, the thread was assigned to another, or the person was given the inbox again. */
export async function withdrawNotices(
  db: Tx,
  which: { about: string } | { id: string } | { userId: string; inbox: number },
): Promise<void> {
  const query = db.build.deleteFrom('notices').returning('user_id')
  const gone = await db.all(
    'about' in which
      ? query.where('about', '=', which.about)
      : 'id' in which
        ? query.where('id', '=', which.id)
        : query.where('user_id', '=', which.userId).where('inbox', '=', which.inbox),
  )
  for (const { user_id } of gone) touch(db, `notices:${user_id}`)
  if (gone.length > 0) announce(db)
}

export async function forgetNotices(db: Tx, before: number, limit: number): Promise<number> {
  return db.run(
    textQuery(
      `DELETE FROM notices WHERE id IN (SELECT id FROM notices WHERE rung_at < ? ORDER BY rung_at LIMIT ${limit})`,
      [before],
    ),
  )
}
