import type { ActorReference } from '../../model/access.ts'
import type { Db } from '../../store/db.ts'
import { loadDraft } from '../../store/drafts/drafts.ts'
import { findMessageById } from '../../store/threads/messages.ts'
import { findDraftByMessageId } from '../../store/drafts/outgoing.ts'
import { outcomeOf, senderOf } from '../drafts/end.ts'

/** Mail that was sent from here: whose draft it was, and where it belongs whatever its header says. */
export interface OwnMail {
  draft: string
  thread: number | null
  sentBy: ActorReference
  closes: boolean
  /** It came back from the Sent folder, so there is a copy already. */
  copied: boolean
}

/** What a person sent, as far as it is on its way or nobody knows whether it is. */
export async function ownMail(db: Db, draftId: string, copied: boolean): Promise<OwnMail> {
  const draft = await loadDraft(db, draftId)
  const { actor, closes } = senderOf(draft)
  return { draft: draft.id, thread: draft.thread, sentBy: actor, closes, copied }
}

/**
 * Mail in a Sent folder that a draft was sent as is known by its Message-ID: it is stored already, or it is the proof
 * that was missing.
 */
export async function recogniseOwn(
  db: Db,
  inbox: number,
  messageId: string | null,
): Promise<{ stored: { id: string; thread: number } } | { own: OwnMail } | null> {
  const draft = messageId === null ? undefined : await findDraftByMessageId(db, inbox, messageId)
  if (draft?.status === 'unknown' || draft?.status === 'sending')
    return { own: await ownMail(db, draft.id, true) }
  if (draft?.status !== 'sent') return null
  const stored = await findMessageById(db, outcomeOf(await loadDraft(db, draft.id))!.messageId!)
  return stored ? { stored } : null
}
