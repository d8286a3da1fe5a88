import { actorReference, system, type ActorReference } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import type { DraftStatus } from '../../model/draft.ts'
import type { EventData, EventType } from '../../model/events.ts'
import { toTime } from '../../model/time.ts'
import type { Tx } from '../../store/db.ts'
import { countOpenDrafts, draftsOfThread, updateDraft, type DraftRow } from '../../store/drafts/drafts.ts'
import { forgetOutgoing } from '../../store/drafts/outgoing.ts'
import { appendEvent } from '../../store/log/events.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'
import { loadThread, saveThread } from '../../store/threads/threads.ts'

/** Appends an event for a draft; ids, no content. */
export async function appendDraftEvent(
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
    data: { threadId: draft.thread_id, draftId: draft.id, actor: actorReference(actor), ...more },
  })
}

/** Call after a draft was started or finished. */
export async function recountDrafts(db: Tx, thread: number | null, now: number): Promise<void> {
  if (thread === null) return
  const row = await loadThread(db, thread)
  row.draft_count = await countOpenDrafts(db, thread)
  await saveThread(db, row, now)
}

/** Clears everything that pressing send has set; the next send gets a new Message-ID. */
const unsent = {
  due_at: null,
  phase: null,
  attempts: 0,
  give_up_at: null,
  sender: null,
  message_id: null,
} as const

/** Makes what was to be sent an editable draft again; nothing of it goes out. */
export async function reopenDraft(
  db: Tx,
  draft: DraftRow,
  actor: ActorReference,
  now: number,
): Promise<void> {
  const from = draft.status
  await forgetOutgoing(db, draft.id)
  await updateDraft(db, draft, { ...unsent, status: 'editing', updated_at: now })
  await appendDraftEvent(db, 'draft.revised', draft, actor, now, {
    changes: { status: { from, to: 'editing' } },
  })
}

/** Drafts that have not been handed over yet. */
const canBecomeStale = ['proposed', 'editing', 'scheduled'] as const satisfies readonly DraftStatus[]

/** Call when mail arrives or is sent: authors must check their drafts again, and scheduled drafts are not sent. */
export async function staleDrafts(db: Tx, thread: ThreadRow, now: number): Promise<void> {
  if (thread.draft_count === 0) return
  for (const draft of await draftsOfThread(db, thread.number, canBecomeStale)) {
    await updateDraft(db, draft, { ...unsent, status: 'stale', updated_at: now })
    await appendDraftEvent(db, 'draft.stale', draft, system, now)
  }
}

/** Throws a conflict that says what to do, unless the draft is in one of the allowed states. */
export function requireStatus(draft: DraftRow, allowed: readonly DraftStatus[], again: string): void {
  if (!allowed.includes(draft.status))
    throw new SpoolError('conflict', `${describeStatus(draft)} ${again}`, {
      details: { status: draft.status, revision: draft.revision },
    })
}

function describeStatus({ status, updated_at }: DraftRow): string {
  const at = toTime(updated_at)
  switch (status) {
    case 'sent':
      return `This draft was sent at ${at}.`
    case 'discarded':
      return `A person discarded this draft at ${at}.`
    case 'withdrawn':
      return `This draft was withdrawn at ${at}.`
    case 'scheduled':
      return 'A person has sent this draft. It can still be undone.'
    case 'sending':
      return 'This draft is being sent.'
    case 'unknown':
      return 'We could not confirm yet that this draft was sent.'
    case 'failed':
      return 'This draft could not be sent.'
    default:
      return `This draft is ${status}.`
  }
}
