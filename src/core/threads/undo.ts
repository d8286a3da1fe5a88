import { SpoolError, StoreUnavailable } from '../../model/errors.ts'
import type { Undone } from '../../model/work.ts'
import { transaction } from '../../store/database.ts'
import { changesSince, type ThreadChange } from '../../store/threads/history.ts'
import type { SignedIn } from '../access/sessions.ts'
import type { Spool } from '../spool.ts'
import { isSameState, perform, stateOf, threadFinder, type ThreadAction } from './actions.ts'
import { readReceipt, type Taken } from './receipts.ts'

/** Undoes a person's own change, thread by thread, where it is still in effect; what others did since stays. */
export async function undoChange(spool: Spool, actor: SignedIn, receipt: string): Promise<Undone> {
  const { action, at, taken } = readReceipt(spool, actor, receipt)
  const now = spool.now()
  return transaction(spool.db, async (db) => {
    const undone: string[] = []
    const kept: string[] = []
    const others = new Set<string>()
    const find = await threadFinder(db, actor, action)
    const undoOne = async ({ id, before, assignedAt }: Taken): Promise<boolean> => {
      const thread = await find(id)
      const since = await changesSince(db, thread.number, at)
      const byOthers = since.filter(({ actor: by }) => by.id !== actor.id)
      for (const { actor: by } of byOthers) others.add(by.name)
      const isMerged = thread.id !== id
      const isOwn = !byOthers.some(({ type }) => isOfSameKind(type, action))
      if (isMerged || !isOwn || !isSameState(await stateOf(db, thread, action, { actor }), action))
        return false
      const undoes = { at, assignedAt }
      await perform(db, thread, unlessOver(before, now), { actor, now, quiet: false, undoes })
      return true
    }
    for (const each of taken) {
      // The thread is no longer visible, or its earlier assignee no longer has access.
      const isUndone = await undoOne(each).catch((error: unknown) => {
        if (!(error instanceof SpoolError) || error instanceof StoreUnavailable) throw error
        return false
      })
      ;(isUndone ? undone : kept).push(each.id)
    }
    return { undone, kept, others: [...others] }
  })
}

function isOfSameKind(change: ThreadChange['type'], { type }: ThreadAction): boolean {
  return change === 'status_changed' ? type === 'status' : type === 'assign'
}

/** A snooze that ended in the meantime would have opened the thread. */
function unlessOver(before: ThreadAction, now: number): ThreadAction {
  const isOver = before.type === 'status' && before.until !== null && before.until <= now
  return isOver ? { type: 'status', status: 'open', until: null } : before
}
