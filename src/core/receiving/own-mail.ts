import type { Db } from '../../store/db.ts'
import { loadDraft } from '../../store/drafts/drafts.ts'
import { findMessageById } from '../../store/threads/messages.ts'
import { findDraftByMessageId } from '../../store/drafts/outgoing.ts'
import { senderOf } from '../drafts/end.ts'
import { outcomeOf } from '../drafts/view.ts'

/** Mail sent by Spool: its draft, and its thread whatever its headers say. */
export type OwnMail = Awaited<ReturnType<typeof ownMail>>

/**
 * For a draft that is being sent, or whose delivery is unknown. `copied`: the mail was found in the Sent folder, so
 * there is a copy already.
 */
export async function ownMail(db: Db, draftId: string, copied: boolean) {
  const draft = await loadDraft(db, draftId)
  const { actor, closes } = senderOf(draft)
  return { draft: draft.id, thread: draft.thread, sentBy: actor, closes, copied }
}

/**
 * Recognises the sent mail of a draft in a Sent folder by its Message-ID: it is either stored already or the missing
 * proof of delivery.
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
