import { actorReference, type ActorReference } from '../../model/access.ts'
import type { Status } from '../../model/thread.ts'
import { countClosing, uncountClosing } from '../../store/threads/closings.ts'
import type { Tx } from '../../store/db.ts'
import { appendEvent } from '../../store/log/events.ts'
import { appendHistory } from '../../store/threads/history.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'
import { withdrawAssignment } from '../notices/assignments.ts'

export interface Change {
  actor: ActorReference
  now: number
  /** Imported history: logged, but not delivered to subscribers. */
  quiet: boolean
  /** The change that this one undoes: when it was made, and since when the thread had been assigned. */
  undoes?: { at: number; assignedAt: number | null }
}

/**
 * `setStatus` and `setAssignee` update the row, which the caller saves, and write one history entry and one event.
 * Without a change they write neither, but `setStatus` still sets the snooze time and ends the history run.
 */
export async function setStatus(
  db: Tx,
  thread: ThreadRow,
  to: Status,
  snoozedUntil: number | null,
  { actor, now, quiet, undoes }: Change,
): Promise<void> {
  const from = thread.status
  thread.snoozed_until = snoozedUntil
  thread.history_run = null
  if (from === to) return
  thread.status = to
  const by = actorReference(actor)
  if (undoes && from === 'closed') await uncountClosing(db, thread.inbox, undoes.at)
  if (!undoes && to === 'closed') await countClosing(db, thread.inbox, now)
  await appendHistory(db, thread.number, 'status_changed', now, { from, to, actor: by, ...markOf(undoes) })
  await appendEvent(db, {
    type: 'thread.status_changed',
    inbox: thread.inbox,
    timestamp: now,
    quiet,
    data: { threadId: thread.id, actor: by, changes: { status: { from, to } } },
  })
}

export async function setAssignee(
  db: Tx,
  thread: ThreadRow,
  to: { id: string; name: string; email: string } | null,
  { actor, now, quiet, undoes }: Change,
): Promise<void> {
  const from = thread.assignee_id
  if (from === (to?.id ?? null)) return
  thread.assignee_id = to?.id ?? null
  thread.assignee_name = to?.name ?? null
  thread.assignee_email = to?.email ?? null
  thread.assigned_at = to ? (undoes?.assignedAt ?? now) : null
  const by = actorReference(actor)
  const how = { actor: by, ...markOf(undoes) }
  if (from !== null) await withdrawAssignment(db, from, thread.number)
  if (to)
    await appendHistory(db, thread.number, 'assigned', now, { to: { id: to.id, name: to.name }, ...how })
  else await appendHistory(db, thread.number, 'unassigned', now, how)
  await appendEvent(db, {
    type: to ? 'thread.assigned' : 'thread.unassigned',
    inbox: thread.inbox,
    timestamp: now,
    quiet,
    data: { threadId: thread.id, actor: by, changes: { assignee: { from, to: to?.id ?? null } } },
  })
}

function markOf(undoes: Change['undoes']): { undo?: true } {
  return undoes ? { undo: true } : {}
}
