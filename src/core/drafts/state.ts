import { actorReference, system, type ActorReference } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import type { DraftStatus } from '../../model/draft.ts'
import type { EventData, EventType } from '../../model/events.ts'
import { toTime } from '../../model/time.ts'
import type { Tx } from '../../store/db.ts'
import { countOpenDrafts, draftsOfThread, updateDraft, type DraftRow } from '../../store/drafts/drafts.ts'
import { appendEvent } from '../../store/log/events.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'
import { loadThread, saveThread } from '../../store/threads/threads.ts'

/** Tells the log of a draft; ids, no content. */
export async function tellOfDraft(
  db: Tx,
  type: EventType,
  draft: Pick<DraftRow, 'id' | 'inbox' | 'thread_id'>,
  actor: ActorReference,
  now: number,
  more: Partial<EventData> = {},
): Promise<void> {
  await appendEvent(db, {
    type,
    inbox: draft.inbox,
    timestamp: now,
    quiet: false,
    data: { threadId: draft.thread_id, draftId: draft.id, actor: actorReference(actor), ...more },
  })
}

/** After a draft was begun or has ended. */
export async function recountDrafts(db: Tx, thread: number | null, now: number): Promise<void> {
  if (thread === null) return
  const row = await loadThread(db, thread)
  row.draft_count = await countOpenDrafts(db, thread)
  await saveThread(db, row, now)
}

/** Whatever pressing send left behind; the next time has a Message-ID of its own. */
export const unsent = {
  due_at: null,
  phase: null,
  attempts: 0,
  give_up_at: null,
  sender: null,
  message_id: null,
} as const

/** A draft that has not been handed over yet, and does not answer what has just arrived. */
const canBecomeStale = ['proposed', 'editing', 'scheduled'] as const satisfies readonly DraftStatus[]

/** Mail in or out has arrived: who writes or is about to send must look again. The undo window ends without sending. */
export async function staleDrafts(db: Tx, thread: ThreadRow, now: number): Promise<void> {
  if (thread.draft_count === 0) return
  for (const draft of await draftsOfThread(db, thread.number, canBecomeStale)) {
    await updateDraft(db, draft, { ...unsent, status: 'stale', updated_at: now })
    await tellOfDraft(db, 'draft.stale', draft, system, now)
  }
}

/** In which states what can be done; anything else is told in words that say what to do. */
export function requireStatus(draft: DraftRow, allowed: readonly DraftStatus[], again: string): void {
  if (!allowed.includes(draft.status as DraftStatus))
    throw new SpoolError('conflict', `${describeStatus(draft)} ${again}`, {
      details: { status: draft.status, revision: draft.revision },
    })
}

function describeStatus({ status, updated_at }: DraftRow): string {
  const at = toTime(updated_at)
  switch (status as DraftStatus) {
    case 'sent':
      return `This draft was sent at ${at}.`
    case 'discarded':
      return `A person discarded this draft at ${at}.`
    case 'withdrawn':
      return `This draft was withdrawn at ${at}.`
    case 'scheduled':
      return 'A person has sent this draft; it can still be taken back.'
    case 'sending':
      return 'This draft is being sent.'
    case 'unknown':
      return 'Nobody can tell yet whether this draft was delivered.'
    case 'failed':
      return 'This draft could not be sent.'
    default:
      return `This draft is ${status}.`
  }
}
