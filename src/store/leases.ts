import type { Db, Tx } from './db.ts'
import { textQuery, type Dialect } from './statement.ts'
import { deleteRows, findRow, updateRows, upsert } from './rows.ts'

/** The database's clock: nodes whose clocks differ must agree on when a lease expires. */
export const clock: Record<Dialect, string> = {
  sqlite: `CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
  postgres: `CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`,
}

async function readClock(db: Db): Promise<number> {
  return (await db.first(textQuery<{ now: number }>(`SELECT ${clock[db.dialect]} AS now`)))!.now
}

/**
 * Whether the lease is held. One that ends more than a full lease from now was set by a wrong clock and not renewed
 * since: ignore it. This requires that every claimant of a lease asks for the same length.
 */
function isAlive({ ends_at }: { ends_at: number }, now: number, milliseconds: number): boolean {
  return ends_at > now && ends_at <= now + milliseconds
}

/** Takes a lease that is free, expired or already the holder's. Returns whether the holder has it now. */
export async function claimLease(
  db: Tx,
  name: string,
  holder: string,
  milliseconds: number,
): Promise<boolean> {
  const now = await readClock(db)
  const known = await findRow(db, 'leases', { name })
  if (known && known.holder !== holder && isAlive(known, now, milliseconds)) return false
  await upsert(db, 'leases', { name }, { holder, ends_at: now + milliseconds })
  return true
}

/** Prolongs a lease that nobody has dropped or taken over. Returns whether the holder still has it. */
export async function renewLease(
  db: Tx,
  name: string,
  holder: string,
  milliseconds: number,
): Promise<boolean> {
  const ends_at = (await readClock(db)) + milliseconds
  return (await updateRows(db, 'leases', { name, holder }, { ends_at })) > 0
}

/** Drops the lease if this holder has it; without `holder`, whoever has it. */
export async function dropLease(db: Tx, name: string, holder?: string): Promise<void> {
  await deleteRows(db, 'leases', holder === undefined ? { name } : { name, holder })
}

/** For a transaction that must not commit after another holder has taken over. */
export async function holdsLease(db: Db, name: string, holder: string): Promise<boolean> {
  const known = await db.first(
    textQuery<{ ends_at: number; now: number }>(
      `SELECT ends_at, ${clock[db.dialect]} AS now FROM leases WHERE name = ? AND holder = ?`,
      [name, holder],
    ),
  )
  return known !== undefined && known.ends_at > known.now
}

/** Leases by name prefix, all of this length; one that has expired is no longer alive. */
export async function listLeases(db: Db, prefix: string, milliseconds: number) {
  const now = await readClock(db)
  const rows = await db.all(
    db.build.selectFrom('leases').selectAll().where('name', 'like', `${prefix}%`).orderBy('name'),
  )
  return rows.map((row) => ({ name: row.name, holder: row.holder, alive: isAlive(row, now, milliseconds) }))
}

export async function renewLeases(db: Tx, holder: string, milliseconds: number): Promise<void> {
  const ends_at = (await readClock(db)) + milliseconds
  await updateRows(db, 'leases', { holder }, { ends_at })
}

export async function dropLeasesOf(db: Tx, holder: string): Promise<void> {
  await deleteRows(db, 'leases', { holder })
}
