import { transaction } from '../store/database.ts'
import { claimLease, dropLease } from '../store/leases.ts'
import type { Spool } from './spool.ts'

/**
 * Of several nodes one at a time does a piece of work: whoever holds its lease. A holder renews it well before it ends;
 * one that has died simply does not, and another takes over. `holder` is unique to a process, not to a machine.
 */
export async function takeLease(
  spool: Spool,
  name: string,
  holder: string,
  milliseconds: number,
): Promise<boolean> {
  return transaction(spool.db, (db) => claimLease(db, name, holder, milliseconds))
}

export async function giveUpLease(spool: Spool, name: string, holder: string): Promise<void> {
  await transaction(spool.db, (db) => dropLease(db, name, holder))
}
