import { person, system, type Actor, type View, type User } from '../../model/access.ts'
import type { HistoryEntry, Thread } from '../../model/history.ts'
import type { Status, ThreadSummary } from '../../model/thread.ts'
import { snapshot, transaction } from '../../store/database.ts'
import type { Db } from '../../store/db.ts'
import { readTimeline } from '../../store/threads/history.ts'
import { describeThread, type ThreadRow } from '../../store/threads/summary.ts'
import { loadThread, saveThread, threadsToWake } from '../../store/threads/threads.ts'
import { isUnread } from '../../store/threads/unread.ts'
import { findThreadIn } from '../access/access.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import { inCurrentForm } from '../forms/forms.ts'
import { readEntry } from './history.ts'
import type { Spool } from '../spool.ts'
import { setStatus } from './state.ts'
import { checkAction, perform, threadFinder, type ThreadAction } from './actions.ts'

export interface HistoryPage {
  order: 'asc' | 'desc'
  cursor: string | null
  limit: number
  /** The caller's name for the cursor, used in errors. */
  cursorName?: string
  /** Ends the page before the first entry that does not fit; there is always at least one entry. */
  hasRoom?(entry: HistoryEntry): boolean
}

/** The thread summary with one page of its history. */
export async function readThread(spool: Spool, caller: View, id: string, page: HistoryPage) {
  const { order, cursor, limit, cursorName = 'historyCursor', hasRoom = () => true } = page
  const read = await snapshot(spool.db, async (db) => {
    const thread = await findThreadIn(db, caller.inboxes, id)
    const filterText = JSON.stringify(['history', thread.id, order])
    const after = cursor === null ? null : readCursor(spool, filterText, cursor, cursorName)
    const { items, next } = await readTimeline(db, thread.number, { after, order, limit })
    return { items, next, filterText, summary: await summarise(db, spool, caller, thread) }
  })
  const items = await inCurrentForm(spool, read.items)
  const entries = items.map(readEntry)
  const full = entries.findIndex((entry, index) => !hasRoom(entry) && index > 0)
  const last = full === -1 ? read.next : items[full - 1]!
  return {
    summary: read.summary,
    history: full === -1 ? entries : entries.slice(0, full),
    nextCursor: last && writeCursor(spool, read.filterText, last),
  }
}

/** The thread as this user sees it. */
export async function summarise(
  db: Db,
  { url }: Spool,
  { user, inboxes }: View,
  thread: ThreadRow,
): Promise<ThreadSummary> {
  const inbox = inboxes.find(({ number }) => number === thread.inbox)!
  return describeThread(thread, { unread: await isUnread(db, thread.number, user.id), inbox, url })
}

/** As JSON text, with the number of messages in it. */
export async function getThread(
  spool: Spool,
  caller: View,
  id: string,
  page: HistoryPage,
): Promise<{ id: string; text: string; messages: number }> {
  const { summary, history, nextCursor } = await readThread(spool, caller, id, page)
  return {
    id: summary.id,
    text: JSON.stringify({ ...summary, history, historyNextCursor: nextCursor } satisfies Thread),
    messages: countMessages(history),
  }
}

export function countMessages(history: readonly HistoryEntry[]): number {
  return history.reduce((count, { type }) => count + Number(type === 'message'), 0)
}

export async function changeStatus(
  spool: Spool,
  actor: Actor,
  id: string,
  status: Status,
  until: number | null = null,
): Promise<void> {
  await changeOne(spool, actor, id, { type: 'status', status, until })
}

export async function assignThread(spool: Spool, actor: Actor, id: string, to: User | null): Promise<void> {
  await changeOne(spool, actor, id, { type: 'assign', to: to?.id ?? null })
}

/** Marks the thread read or unread for this person. */
export async function setRead(spool: Spool, user: User, id: string, read: boolean): Promise<void> {
  await changeOne(spool, person(user), id, { type: read ? 'read' : 'unread' })
}

async function changeOne(spool: Spool, actor: Actor, id: string, action: ThreadAction): Promise<void> {
  const now = spool.now()
  checkAction(action, now)
  await transaction(spool.db, async (db) => {
    const find = await threadFinder(db, actor, action)
    await perform(db, await find(id), action, { actor, now, quiet: false })
  })
}

/** Reopens snoozed threads whose time has come, at most 100 at once; returns how many. */
export async function wakeSnoozed(spool: Spool): Promise<number> {
  const now = spool.now()
  if ((await threadsToWake(spool.db, now, 1)).length === 0) return 0
  return transaction(spool.db, async (db) => {
    const due = await threadsToWake(db, now, 100)
    for (const number of due) {
      const thread = await loadThread(db, number)
      await setStatus(db, thread, 'open', null, { actor: system, now, quiet: false })
      await saveThread(db, thread, now)
    }
    return due.length
  })
}
