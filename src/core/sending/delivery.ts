import type { ParsedMail } from '../../model/mail/mail.ts'
import { transaction } from '../../store/database.ts'
import type { Tx } from '../../store/db.ts'
import { loadDraft, updateDraft, type DraftRow } from '../../store/drafts/drafts.ts'
import { dropLease, holdsLease } from '../../store/leases.ts'
import { becomeUnknown, senderOf } from '../drafts/end.ts'
import { appendDraftEvent } from '../drafts/state.ts'
import { leaseName, type Claim } from './outbox.ts'
import { ownMail } from '../receiving/own-mail.ts'
import { receiveBatch } from '../receiving/receive.ts'
import type { Spool } from '../spool.ts'

/** Records how an attempt ended. Only the first outcome is written: a draft that has moved on is left alone. */

/** The server accepted it, or a person or the Sent folder confirms it: it becomes a message of its thread. */
export async function settleSent(
  spool: Spool,
  claim: Claim,
  mail: ParsedMail,
  { copied = false }: { copied?: boolean } = {},
): Promise<void> {
  await settle(spool, claim, async (db, draft) => {
    // Also if it became `unknown` in the meantime: now the outcome is known.
    if (draft.status !== 'sending' && draft.status !== 'unknown') return
    const own = await ownMail(db, draft.id, copied)
    const incoming = { mail, envelopeDate: null, seen: true, quiet: false, own }
    await receiveBatch(db, spool, { number: draft.inbox }, [{ ...incoming, direction: 'outbound' }])
  })
}

/**
 * The server refused it or was not reached, so it surely got nothing. `delays`: seconds before the next attempts.
 * Returns whether it will be tried again; null if the draft has moved on.
 */
export async function settleRefused(
  spool: Spool,
  claim: Claim,
  { answer, permanent }: { answer: string; permanent: boolean },
  delays: readonly number[],
): Promise<'waiting' | 'failed' | null> {
  return settle(spool, claim, async (db, draft) => {
    const now = spool.now()
    const problem = answer.slice(0, 1000)
    const held = await holdsLease(db, leaseName(draft.id), claim.holder)
    if (draft.status === 'sending' && !held) return null
    if (draft.status !== 'sending' && draft.status !== 'unknown') return null
    const delay = delayAfter(draft.attempts, delays)
    if (!permanent && draft.status === 'sending' && now + delay < draft.give_up_at!) {
      const isFirst = draft.problem === null
      await updateDraft(db, draft, { phase: 'waiting', due_at: now + delay, problem, updated_at: now })
      if (isFirst)
        await appendDraftEvent(db, 'draft.revised', draft, senderOf(draft).actor, now, {
          changes: { status: { from: 'scheduled', to: 'sending' } },
        })
      return 'waiting'
    }
    await updateDraft(db, draft, { status: 'failed', phase: null, due_at: null, problem, updated_at: now })
    await appendDraftEvent(db, 'message.failed', draft, senderOf(draft).actor, now)
    return 'failed'
  })
}

/** With jitter, so that many are not retried at the same moment. */
function delayAfter(attempts: number, delays: readonly number[]): number {
  const seconds = delays[Math.min(attempts, delays.length) - 1] ?? 60
  return Math.round(seconds * 1000 * (0.9 + Math.random() * 0.2))
}

/** The final dot was sent, but no answer came. */
export async function settleUnknown(spool: Spool, claim: Claim, problem: string): Promise<void> {
  await settle(spool, claim, async (db, draft) => {
    if (draft.status === 'sending' && draft.phase === 'over')
      await becomeUnknown(db, draft, problem.slice(0, 1000), spool.now())
  })
}

/** Seconds between checks of the Sent folder; after that a person has to decide. */
const lookDelays = [10, 60, 600]
/** Filing a copy is retried for about a day. */
const copyDelays = [60, 300, 1800, 7200, 14_400, 28_800, 28_800]

/** The mail is not in the Sent folder, which proves nothing: it may appear later, or the server may keep no copies. */
export async function lookAgain(spool: Spool, claim: Claim): Promise<void> {
  await settle(spool, claim, async (db, draft) => {
    // A person may have settled it during the look.
    if (draft.status === 'unknown') await postpone(db, draft, spool.now(), lookDelays)
  })
}

export async function copyAgain(spool: Spool, claim: Claim): Promise<void> {
  await settle(spool, claim, (db, draft) => postpone(db, draft, spool.now(), copyDelays))
}

async function postpone(db: Tx, draft: DraftRow, now: number, delays: readonly number[]): Promise<void> {
  const seconds = delays[draft.attempts - 1]
  await updateDraft(db, draft, { due_at: seconds === undefined ? null : now + seconds * 1000 })
}

export async function settleCopied(spool: Spool, claim: Claim): Promise<void> {
  await settle(spool, claim, (db, draft) => updateDraft(db, draft, { phase: null, due_at: null }))
}

async function settle<Result>(
  spool: Spool,
  claim: Claim,
  work: (db: Tx, draft: DraftRow) => Promise<Result>,
): Promise<Result | null> {
  return transaction(spool.db, async (db) => {
    const draft = await loadDraft(db, claim.draft)
    const result = draft.message_id === claim.messageId ? await work(db, draft) : null
    await dropLease(db, leaseName(claim.draft), claim.holder)
    return result
  })
}
