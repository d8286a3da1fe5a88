import { system } from '../../model/access.ts'
import type { Tx } from '../../store/db.ts'
import { draftsBeingSent, updateDraft } from '../../store/drafts/drafts.ts'
import { forgetOutgoing, loadOutgoing } from '../../store/drafts/outgoing.ts'
import { becomeUnknown } from '../drafts/end.ts'
import { tellOfDraft, unsent } from '../drafts/state.ts'

/**
 * For a store restored from a backup: what was about to be sent may have been sent since, so none of it goes out
 * automatically. A mail that was already composed becomes `unknown` and is looked for like any other; anything else
 * becomes a draft again. Returns how many drafts were held.
 */
export async function holdSending(db: Tx, now: number): Promise<number> {
  const drafts = await draftsBeingSent(db)
  for (const draft of drafts) {
    const { source } = await loadOutgoing(db, draft.id)
    if (source !== null) {
      await becomeUnknown(
        db,
        draft,
        'Spool was restored from a backup that was made while it was being sent.',
        now,
      )
      continue
    }
    const from = draft.status
    await forgetOutgoing(db, draft.id)
    await updateDraft(db, draft, { ...unsent, status: 'editing', updated_at: now })
    await tellOfDraft(db, 'draft.revised', draft, system, now, {
      changes: { status: { from, to: 'editing' } },
    })
  }
  return drafts.length
}
