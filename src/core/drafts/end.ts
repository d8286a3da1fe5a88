import { parseNames } from '../../model/characters/names.ts'
import { actorReference, type ActorReference } from '../../model/access.ts'
import type { DraftOutcome } from '../../model/draft.ts'
import type { Address } from '../../model/mail/mail.ts'
import { toTime } from '../../model/time.ts'
import type { Db, Tx } from '../../store/db.ts'
import { listRevisions, loadDraft, updateDraft, type DraftRow } from '../../store/drafts/drafts.ts'
import { appendHistory } from '../../store/threads/history.ts'
import { findMailServer } from '../../store/inboxes/mail-servers.ts'
import { findMessageById } from '../../store/threads/messages.ts'
import { forgetOutgoing } from '../../store/drafts/outgoing.ts'
import { loadThread } from '../../store/threads/threads.ts'
import { recountDrafts, appendDraftEvent } from './state.ts'
import { readContent, type DraftContent } from './view.ts'
import { editRatio } from './edit-ratio.ts'

/** Who pressed send, and whether that closes the thread. */
export interface Sender {
  actor: ActorReference
  userId: string
  closes: boolean
}

export function senderOf(draft: DraftRow): Sender {
  return JSON.parse(draft.sender!) as Sender
}

/** How long to wait for the server to file its own copy before Spool does. */
const copyDelay = 5_000

/**
 * Finishes the draft once the mail is stored in its thread. `copied`: the mail was found in the Sent folder, so no copy
 * has to be filed.
 */
export async function endSent(
  db: Tx,
  { draft: id, copied }: { draft: string; copied: boolean },
  { messageId }: { messageId: string },
  now: number,
): Promise<void> {
  const draft = await loadDraft(db, id)
  // Two copies of the mail arrived at once.
  if (draft.status === 'sent') return
  const { thread } = (await findMessageById(db, messageId))!
  const { actor } = senderOf(draft)
  const revisions = (await listRevisions(db, draft.id)).map((row) => ({
    actor: parseNames(row.actor) as ActorReference,
    content: readContent(row),
  }))
  const change = compareWithProposal(revisions)
  const outcome: DraftOutcome = {
    result: 'sent',
    at: toTime(now),
    by: actor,
    ...change,
    reason: null,
    messageId,
  }
  const files = !copied && (await hasImap(db, draft.inbox))
  draft.thread_id = (await loadThread(db, thread)).id
  await updateDraft(db, draft, {
    status: 'sent',
    thread,
    outcome: JSON.stringify(outcome),
    problem: null,
    phase: files ? 'copy' : null,
    due_at: files ? now + copyDelay : null,
    attempts: 0,
    updated_at: now,
  })
  await forgetOutgoing(db, draft.id)
  await recountDrafts(db, thread, now)
  const [first, ...later] = revisions.map((revision) => actorReference(revision.actor))
  await appendHistory(db, thread, 'draft_sent', now, {
    draftId: draft.id,
    messageId,
    proposedBy: first!,
    revisedBy: [...new Map(later.map((each) => [each.id, each])).values()],
    actor,
  })
  await appendDraftEvent(db, 'draft.sent', draft, actor, now, { messageId, outcome: change })
}

/** What a person changed in an agent's last revision. */
function compareWithProposal(revisions: readonly { actor: ActorReference; content: DraftContent }[]): {
  editRatio: number | null
  recipientsChanged: boolean
} {
  const sent = revisions.at(-1)!.content
  const proposed = revisions.findLast(({ actor }) => actor.type === 'agent')?.content
  return {
    editRatio: proposed ? editRatio(proposed.text, sent.text) : null,
    recipientsChanged: recipients(proposed ?? revisions[0]!.content) !== recipients(sent),
  }
}

function recipients({ to, cc, bcc }: DraftContent): string {
  const sorted = (list: readonly Address[]): string[] =>
    list.map(({ address }) => address.toLowerCase()).toSorted()
  return JSON.stringify([sorted(to), sorted(cc), sorted(bcc)])
}

/** It is unknown whether the mail was delivered: Spool looks for a copy if possible and never resends automatically. */
export async function becomeUnknown(db: Tx, draft: DraftRow, problem: string, now: number): Promise<void> {
  const files = await hasImap(db, draft.inbox)
  await updateDraft(db, draft, {
    status: 'unknown',
    problem,
    phase: null,
    attempts: 0,
    due_at: files ? now : null,
    updated_at: now,
  })
  await appendDraftEvent(db, 'message.unknown', draft, senderOf(draft).actor, now)
}

async function hasImap(db: Db, inbox: number): Promise<boolean> {
  return (await findMailServer(db, inbox, 'imap')) !== undefined
}
