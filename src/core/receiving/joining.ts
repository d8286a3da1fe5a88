import { actorReference, type Actor } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import type { Tx } from '../../store/db.ts'
import { transaction } from '../../store/database.ts'
import { appendEvent } from '../../store/log/events.ts'
import { appendHistory } from '../../store/threads/history.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'
import { absorbThread, saveThread } from '../../store/threads/threads.ts'
import { findThreadToChange } from '../access/access.ts'
import { staleDrafts } from '../drafts/state.ts'
import { findAnswers, joinReplyTimes } from './reply-time.ts'
import { askLaterMessages, BatchWords } from '../forms/thread-words.ts'
import type { Spool } from '../spool.ts'
import { setAssignee, setStatus, type Change } from '../threads/state.ts'

/** Merges two threads of one inbox; the one stored first survives. Returns its id. */
export async function joinThreads(spool: Spool, actor: Actor, id: string, otherId: string): Promise<string> {
  return transaction(spool.db, async (db) => {
    const one = await findThreadToChange(db, actor, id)
    const other = await findThreadToChange(db, actor, otherId)
    if (one.number === other.number) {
      throw new SpoolError('conflict', 'These threads are already merged.')
    }
    if (one.inbox !== other.inbox) {
      throw new SpoolError('conflict', 'Threads in different inboxes cannot be merged.')
    }
    const [survivor, absorbed] = one.number < other.number ? [one, other] : [other, one]
    await absorb(db, survivor, absorbed, { actor, now: spool.now(), quiet: false })
    if (survivor.asked_at !== null) await findAnswers(db, [survivor])
    const words = new BatchWords()
    words.merge(survivor, absorbed)
    await askLaterMessages(db, spool, words)
    await saveThread(db, survivor, spool.now())
    return survivor.id
  })
}

/**
 * Moves everything from `absorbed` into `survivor` and updates the row of the survivor, which the caller saves after
 * finding the first answer again. The survivor keeps its assignment or inherits the other; it is open if either was,
 * and unread for everyone who had either unread.
 */
export async function absorb(
  db: Tx,
  survivor: ThreadRow,
  absorbed: ThreadRow,
  change: Change,
): Promise<void> {
  const { actor, now, quiet } = change
  joinReplyTimes(survivor, absorbed)
  if (absorbed.created_at < survivor.created_at) {
    survivor.created_at = absorbed.created_at
    survivor.subject = absorbed.subject
    survivor.sender_name = absorbed.sender_name
    survivor.sender_address = absorbed.sender_address
  }
  if (absorbed.timestamp > survivor.timestamp) {
    survivor.timestamp = absorbed.timestamp
    survivor.preview = absorbed.preview
  }
  survivor.message_count += absorbed.message_count
  survivor.note_count += absorbed.note_count
  survivor.attachment_count += absorbed.attachment_count
  survivor.draft_count += absorbed.draft_count
  survivor.last_inbound = Math.max(survivor.last_inbound, absorbed.last_inbound)
  await absorbThread(db, absorbed, survivor)
  if (!quiet) await staleDrafts(db, survivor, now)

  const by = actorReference(actor)
  await appendHistory(db, survivor.number, 'merged', now, { threadId: absorbed.id, actor: by })
  await appendEvent(db, {
    type: 'thread.merged',
    inbox: survivor.inbox,
    timestamp: now,
    quiet,
    data: { threadId: survivor.id, actor: by, changes: { threadId: { from: absorbed.id, to: survivor.id } } },
  })
  if (absorbed.status === 'open' && survivor.status !== 'open')
    await setStatus(db, survivor, 'open', null, change)
  if (!survivor.assignee_id && absorbed.assignee_id) {
    const { assignee_id: id, assignee_name: name, assignee_email: email } = absorbed
    await setAssignee(db, survivor, { id, name: name!, email: email! }, change)
  }
}
