import { announce, transaction } from '../../store/database.ts'
import { claimLease, dropLease, listLeases } from '../../store/leases.ts'
import type { Spool } from '../spool.ts'

/** Whoever holds it tells everybody; the others wait. */
export const noticeLease = 'notices'

/** Whether this node tells people now. Writes only to take the lease or to keep it. */
export async function keepNotices(
  spool: Spool,
  holder: string,
  { milliseconds, isDue, isGone }: { milliseconds: number; isDue: boolean; isGone(holder: string): boolean },
): Promise<boolean> {
  const lease = (await listLeases(spool.db, noticeLease, milliseconds)).find(
    ({ name }) => name === noticeLease,
  )
  const isOurs = lease?.alive === true && lease.holder === holder
  if (isOurs && !isDue) return true
  const gone = lease && lease.holder !== holder && isGone(lease.holder) ? lease.holder : null
  if (lease?.alive && !isOurs && gone === null) return false
  return transaction(spool.db, async (db) => {
    if (gone !== null) await dropLease(db, noticeLease, gone)
    return claimLease(db, noticeLease, holder, milliseconds)
  })
}

/** On shutdown, so that another node goes on at once. */
export async function giveUpNotices(spool: Spool, holder: string): Promise<void> {
  await transaction(spool.db, async (db) => {
    await dropLease(db, noticeLease, holder)
    announce(db)
  })
}
