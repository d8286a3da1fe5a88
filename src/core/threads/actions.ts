import type { Actor } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import { marksSeen } from '../../model/mail/server.ts'
import type { Status } from '../../model/thread.ts'
import type { Tx } from '../../store/db.ts'
import { insertMarks } from '../../store/inboxes/mail-marks.ts'
import { findMailServer } from '../../store/inboxes/mail-servers.ts'
import { readNotices } from '../../store/notices/notices.ts'
import { findUserById } from '../../store/people/users.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'
import { saveThread } from '../../store/threads/threads.ts'
import { isUnread, markRead, markUnread } from '../../store/threads/unread.ts'
import { findThreadIn, inboxesVisibleTo, noSuch, requireChanger, viewOf } from '../access/access.ts'
import { setAssignee, setStatus, type Change } from './state.ts'

/** What a person does to a thread. An action also names the resulting state, so the previous state is an action too. */
export type ThreadAction =
  /** `until` is for `snoozed` only and must be in the future. */
  | { type: 'status'; status: Status; until: number | null }
  /** `to` is the id of a user. */
  | { type: 'assign'; to: string | null }
  /** Only for this person. */
  | { type: 'read' | 'unread' }

export function checkAction(action: ThreadAction, now: number): void {
  if (action.type !== 'status') return
  const { status, until } = action
  if (status === 'snoozed' && (until === null || until <= now)) {
    throw new SpoolError(
      'bad_parameter',
      'Snoozing needs a time in the future, such as 2030-01-31T09:00:00.000Z.',
    )
  }
  if (status !== 'snoozed' && until !== null) {
    throw new SpoolError('bad_parameter', `Only snoozed takes a time, not ${status}; leave it out.`)
  }
}

/** Returns a function that finds threads for the action, for many threads in one transaction. */
export async function threadFinder(
  db: Tx,
  actor: Actor,
  { type }: ThreadAction,
): Promise<(id: string) => Promise<ThreadRow>> {
  const inboxes = await viewOf(db, actor)
  return async (id) => {
    // Everybody can mark what they see as read; a change for all requires a role.
    if (type !== 'read' && type !== 'unread') requireChanger(actor)
    return findThreadIn(db, inboxes, id)
  }
}

/** Returns the previous state as the action that restores it; null if nothing changed. */
export async function perform(
  db: Tx,
  thread: ThreadRow,
  action: ThreadAction,
  change: Change,
): Promise<ThreadAction | null> {
  // A thread that is already read may have newer notices.
  if (action.type === 'read') await readNotices(db, change.actor.id!, { thread: thread.number }, change.now)
  const before = await stateOf(db, thread, action, change)
  if (isSameState(before, action)) return null
  switch (action.type) {
    case 'status':
      await setStatus(db, thread, action.status, action.until, change)
      break
    case 'assign':
      await setAssignee(db, thread, await findAssignee(db, thread, action.to), change)
      break
    case 'read':
      await markRead(db, thread.number, change.actor.id!)
      await markInMailbox(db, thread)
      return before
    case 'unread':
      await markUnread(db, thread, [change.actor.id!])
      return before
  }
  await saveThread(db, thread, change.now)
  return before
}

/** The current state of what the action changes. */
export async function stateOf(
  db: Tx,
  thread: ThreadRow,
  { type }: ThreadAction,
  { actor }: Pick<Change, 'actor'>,
): Promise<ThreadAction> {
  switch (type) {
    case 'status':
      return { type, status: thread.status, until: thread.snoozed_until }
    case 'assign':
      return { type, to: thread.assignee_id }
    default:
      return { type: (await isUnread(db, thread.number, actor.id!)) ? 'unread' : 'read' }
  }
}

export function isSameState(one: ThreadAction, other: ThreadAction): boolean {
  if (one.type === 'status' && other.type === 'status')
    return one.status === other.status && one.until === other.until
  if (one.type === 'assign' && other.type === 'assign') return one.to === other.to
  return one.type === other.type
}

async function findAssignee(db: Tx, thread: ThreadRow, id: string | null) {
  if (id === null) return null
  const to = await findUserById(db, id)
  if (!to) throw noSuch('person')
  const inboxes = to.removedAt === null ? await inboxesVisibleTo(db, to) : []
  if (!inboxes.some(({ number }) => number === thread.inbox)) {
    throw new SpoolError(
      'conflict',
      `${to.name} has no access to this thread's inbox. Give them access first.`,
    )
  }
  return to
}

/** A person has opened the thread: its mail is marked as read in the mailbox too, where an admin wants that. */
async function markInMailbox(db: Tx, { number, inbox }: ThreadRow): Promise<void> {
  const server = await findMailServer(db, inbox, 'imap')
  if (server && marksSeen(server)) await insertMarks(db, number)
}
