import { parseNames } from '../../model/characters/names.ts'
import { numbersOf, type User, type View } from '../../model/access.ts'
import type { Following, Notice } from '../../model/notices/notices.ts'
import { toTime } from '../../model/time.ts'
import { transaction } from '../../store/database.ts'
import { setFollowing } from '../../store/notices/follows.ts'
import {
  countUnread,
  forgetNotices,
  listShown,
  readNotices,
  type ShownNotice,
} from '../../store/notices/notices.ts'
import { findThreadIn, inboxesVisibleTo } from '../access/access.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Spool } from '../spool.ts'
import type { NoticeData } from './rings.ts'

const daysKept = 90

/** This person's notices, newest first, limited to what they may see now. */
export async function listNotices(
  spool: Spool,
  { user, inboxes }: View,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<{ data: Notice[]; nextCursor: string | null; unread: number }> {
  const filters = JSON.stringify(['notices', user.id])
  const after = cursor === null ? null : readCursor(spool, filters, cursor)
  const numbers = numbersOf(inboxes)
  const rows = await listShown(spool.db, user.id, numbers, { after, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    data: shown.map(viewNotice),
    nextCursor: last ? writeCursor(spool, filters, { timestamp: last.rung_at, id: last.id }) : null,
    unread: await countUnread(spool.db, user.id, numbers),
  }
}

export async function countNotices(spool: Spool, { user, inboxes }: View): Promise<number> {
  return countUnread(spool.db, user.id, numbersOf(inboxes))
}

export function viewNotice(row: ShownNotice): Notice {
  const { actor, detail } = parseNames(row.data) as NoticeData
  return {
    id: row.id,
    kind: row.kind as Notice['kind'],
    detail,
    // Earlier versions counted how often the same thread was assigned.
    count: row.kind === 'assigned' && row.thread !== null ? 1 : row.count,
    actor,
    thread:
      row.thread_id && !isOfMany(row)
        ? { id: row.thread_id, subject: row.subject!, sender: row.sender_name ?? row.sender_address! }
        : null,
    inbox: row.inbox_id,
    link: linkOf(row),
    timestamp: toTime(row.rung_at),
    read: row.read_at !== null,
  }
}

/** Whether several threads share this notice. */
function isOfMany({ kind, count }: ShownNotice): boolean {
  return count > 1 && (kind === 'draft' || kind === 'unassigned')
}

function linkOf(row: ShownNotice): string {
  const { detail, id } = parseNames(row.data) as NoticeData
  if (row.kind === 'test') return '/settings/notices'
  if (row.kind === 'stopped') {
    if (detail === 'mailbox') return `/settings/inboxes/${row.inbox_id ?? ''}`
    return detail === 'grant' ? '/settings/agents' : `/settings/webhooks/${id}`
  }
  if (isOfMany(row)) return row.kind === 'draft' ? '/review' : '/unassigned'
  if (row.kind === 'assigned' && row.thread === null) return '/mine'
  if (row.thread_id === null) return row.kind === 'failed' ? `/compose/${id}` : '/notices'
  return `/threads/${row.thread_id}${row.kind === 'mentioned' ? `?note=${id}` : ''}`
}

export async function markNoticesRead(
  spool: Spool,
  user: User,
  which: { ids: readonly string[] } | 'all',
): Promise<void> {
  await transaction(spool.db, (db) => readNotices(db, user.id, which, spool.now()))
}

export async function followThread(
  spool: Spool,
  user: User,
  id: string,
  following: Following | null,
): Promise<void> {
  await transaction(spool.db, async (db) => {
    const thread = await findThreadIn(db, await inboxesVisibleTo(db, user), id)
    await setFollowing(db, thread.number, user.id, following)
  })
}

export async function forgetOldNotices(spool: Spool): Promise<void> {
  const before = spool.now() - daysKept * 86_400_000
  for (let some = 1; some > 0;) some = await transaction(spool.db, (db) => forgetNotices(db, before, 1000))
}
