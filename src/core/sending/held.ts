import { system, type Actor } from '../../model/access.ts'
import type { Tx } from '../../store/db.ts'
import { draftsBeingSent } from '../../store/drafts/drafts.ts'
import { loadOutgoing } from '../../store/drafts/outgoing.ts'
import { becomeUnknown } from '../drafts/end.ts'
import { reopenDraft } from '../drafts/state.ts'

const restored = 'Spool was restored from a backup that was made while it was being sent.'

/**
 * For a store restored from a backup: what was about to be sent may have been sent since, so none of it goes out
 * automatically. A mail that was already composed becomes `unknown` and is looked for like any other; anything else
 * becomes a draft again. Returns how many drafts were held.
 */
export async function holdSending(db: Tx, now: number): Promise<number> {
  const drafts = await draftsBeingSent(db)
  for (const draft of drafts) {
    const { source } = await loadOutgoing(db, draft.id)
    if (source === null) await reopenDraft(db, draft, system, now)
    else await becomeUnknown(db, draft, restored, now)
  }
  return drafts.length
}

/**
 * For an inbox that is removed: what waits to be sent becomes a draft again. A worker may be sending the others; they
 * become drafts when they would be tried again.
 */
export async function takeBackSending(db: Tx, inbox: number, actor: Actor, now: number): Promise<void> {
  for (const draft of await draftsBeingSent(db))
    if (draft.inbox === inbox && (draft.status === 'scheduled' || draft.phase === 'waiting'))
      await reopenDraft(db, draft, actor, now)
}
