import { SpoolError, StoreUnavailable } from '../../model/errors.ts'
import type { ThreadSummary } from '../../model/thread.ts'
import { readTime } from '../../model/time.ts'
import type { Changed, MatchingChanged } from '../../model/work.ts'
import { transaction } from '../../store/database.ts'
import type { SignedIn } from '../access/sessions.ts'
import type { Spool } from '../spool.ts'
import { checkAction, perform, threadFinder, type ThreadAction } from './actions.ts'
import { writeReceipt, type Taken } from './receipts.ts'

/** Threads changed in one commit: few enough that no other writer waits long. */
export const threadsAtOnce = 100

/** Changes each thread separately: a refused one does not affect the others. */
export async function changeThreads(
  spool: Spool,
  actor: SignedIn,
  ids: readonly string[],
  action: ThreadAction,
): Promise<Changed> {
  const now = spool.now()
  checkAction(action, now)
  return transaction(spool.db, async (db) => {
    const done: string[] = []
    const failed: Changed['failed'] = []
    const taken: Taken[] = []
    const find = await threadFinder(db, actor, action)
    for (const id of new Set(ids)) {
      try {
        const thread = await find(id)
        const { assigned_at: assignedAt } = thread
        const before = await perform(db, thread, action, { actor, now, quiet: false })
        if (before) taken.push({ id: thread.id, before, assignedAt })
        done.push(id)
      } catch (error) {
        // A refusal is thrown before anything is written.
        if (!(error instanceof SpoolError) || error instanceof StoreUnavailable) throw error
        failed.push({ id, message: error.message })
      }
    }
    const receipt =
      taken.length === 0 ? null : writeReceipt(spool, { user: actor.id, at: now, action, taken })
    return { done, failed, receipt }
  })
}

/**
 * Changes one page of a list or search; repeat with `nextCursor`. Threads changed after `asOf` are left alone, as
 * nobody has seen them in this state; `left` counts them.
 */
export async function changeMatching(
  spool: Spool,
  actor: SignedIn,
  { data, nextCursor }: { data: readonly ThreadSummary[]; nextCursor: string | null },
  asOf: number,
  action: ThreadAction,
): Promise<MatchingChanged> {
  const ids = data.filter(({ updatedAt }) => readTime(updatedAt)! <= asOf).map(({ id }) => id)
  return { ...(await changeThreads(spool, actor, ids, action)), nextCursor, left: data.length - ids.length }
}
