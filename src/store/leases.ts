import type { Db, Tx } from './db.ts'
import { textQuery, type Dialect } from './statement.ts'

/** The database's own clock: nodes whose clocks differ must still agree on when a lease has ended. */
export const clock: Record<Dialect, string> = {
  sqlite: `CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
  postgres: `CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`,
}

async function readClock(db: Db): Promise<number> {
  return (await db.first(textQuery<{ now: number }>(`SELECT ${clock[db.dialect]} AS now`, [])))!.now
}

/**
 * Whether somebody has it. One that ends later than a whole lease from now was taken by a clock that was wrong, by a
 * holder that never renewed it since: it is not believed. So all who want a lease of one name ask for the same length.
 */
function isAlive({ ends_at }: { ends_at: number }, now: number, milliseconds: number): boolean {
  return ends_at > now && ends_at <= now + milliseconds
}

/** Takes it where it is free, has ended, or is the holder's already, and says whether it is the holder's now. */
export async function claimLease(
  db: Tx,
  name: string,
  holder: string,
  milliseconds: number,
): Promise<boolean> {
  const now = await readClock(db)
  const known = await db.first(db.build.selectFrom('leases').selectAll().where('name', '=', name))
  if (known && known.holder !== holder && isAlive(known, now, milliseconds)) return false
  const ends_at = now + milliseconds
  await db.run(
    db.build
      .insertInto('leases')
      .values({ name, holder, ends_at })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ holder, ends_at })),
  )
  return true
}

export async function dropLease(db: Tx, name: string, holder: string): Promise<void> {
  await db.run(db.build.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder))
}

/** For a transaction that must not go on when somebody else has taken over meanwhile. */
export async function holdsLease(db: Db, name: string, holder: string): Promise<boolean> {
  const known = await db.first(db.build.selectFrom('leases').selectAll().where('name', '=', name))
  return known !== undefined && known.holder === holder && known.ends_at > (await readClock(db))
}

export interface Lease {
  name: string
  holder: string
  /** False once it has ended. */
  alive: boolean
}

/** Those whose name begins so, each of this length. */
export async function listLeases(db: Db, prefix: string, milliseconds: number): Promise<Lease[]> {
  const now = await readClock(db)
  const rows = await db.all(
    db.build.selectFrom('leases').selectAll().where('name', 'like', `${prefix}%`).orderBy('name'),
  )
  return rows.map((row) => ({ name: row.name, holder: row.holder, alive: isAlive(row, now, milliseconds) }))
}

export async function renewLeases(db: Tx, holder: string, milliseconds: number): Promise<void> {
  const ends_at = (await readClock(db)) + milliseconds
  await db.run(db.build.updateTable('leases').set({ ends_at }).where('holder', '=', holder))
}

export async function dropLeasesOf(db: Tx, holder: string): Promise<void> {
  await db.run(db.build.deleteFrom('leases').where('holder', '=', holder))
}
