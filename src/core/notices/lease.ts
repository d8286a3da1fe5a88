import { announce, transaction } from '../../store/database.ts'
import { claimLease, dropLease, listLeases } from '../../store/leases.ts'
import type { Spool } from '../spool.ts'

/** The node that holds this lease notifies everybody; the others wait. */
export const noticeLease = 'notices'

/** Whether this node delivers notices now. Writes only to take or renew the lease. */
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

/** Call on shutdown, so that another node takes over at once. */
export async function giveUpNotices(spool: Spool, holder: string): Promise<void> {
  await transaction(spool.db, async (db) => {
    await dropLease(db, noticeLease, holder)
    announce(db)
  })
}
