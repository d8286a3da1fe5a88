import { SpoolError, StoreUnavailable } from '../../model/errors.ts'
import type { Undone } from '../../model/work.ts'
import { transaction } from '../../store/database.ts'
import type { Tx } from '../../store/db.ts'
import { changesSince, type ThreadChange } from '../../store/threads/history.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'
import type { SignedIn } from '../access/sessions.ts'
import type { Spool } from '../spool.ts'
import { isSameState, perform, stateOf, threadFinder, type ThreadAction } from './actions.ts'
import { readReceipt, type Receipt, type Taken } from './receipts.ts'

/** Undoes a person's own change, thread by thread, where it is still in effect; what others did since stays. */
export async function undoChange(spool: Spool, actor: SignedIn, receipt: string): Promise<Undone> {
  const asked = readReceipt(spool, actor, receipt)
  const now = spool.now()
  return transaction(spool.db, async (db) => {
    const undone: string[] = []
    const kept: string[] = []
    const others = new Set<string>()
    const find = await threadFinder(db, actor, asked.action)
    for (const taken of asked.taken) {
      const isUndone = await undoOne(db, actor, { asked, taken, find, now, others })
      ;(isUndone ? undone : kept).push(taken.id)
    }
    return { undone, kept, others: [...others] }
  })
}

interface Undoing {
  asked: Receipt
  taken: Taken
  find(id: string): Promise<ThreadRow>
  now: number
  /** Collects the names of those who have changed the thread since. */
  others: Set<string>
}

async function undoOne(
  db: Tx,
  actor: SignedIn,
  { asked, taken, find, now, others }: Undoing,
): Promise<boolean> {
  const { action, at } = asked
  try {
    const thread = await find(taken.id)
    const since = await changesSince(db, thread.number, at)
    const byOthers = since.filter(({ actor: by }) => by.id !== actor.id)
    for (const { actor: by } of byOthers) others.add(by.name)
    const isMerged = thread.id !== taken.id
    const isOwn = !byOthers.some(({ type }) => isOfSameKind(type, action))
    if (isMerged || !isOwn || !isSameState(await stateOf(db, thread, action, { actor }), action)) return false
    const undoes = { at, assignedAt: taken.assignedAt }
    await perform(db, thread, unlessOver(taken.before, now), { actor, now, quiet: false, undoes })
    return true
  } catch (error) {
    // The thread is no longer visible, or its earlier assignee no longer has access.
    if (!(error instanceof SpoolError) || error instanceof StoreUnavailable) throw error
    return false
  }
}

function isOfSameKind(change: ThreadChange['type'], { type }: ThreadAction): boolean {
  return change === 'status_changed' ? type === 'status' : type === 'assign'
}

/** A snooze that ended in the meantime would have opened the thread. */
function unlessOver(before: ThreadAction, now: number): ThreadAction {
  const isOver = before.type === 'status' && before.until !== null && before.until <= now
  return isOver ? { type: 'status', status: 'open', until: null } : before
}
