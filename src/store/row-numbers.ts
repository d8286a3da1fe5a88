import type { Tx } from './db.ts'
import { textQuery } from './statement.ts'

type Numbered = 'threads' | 'messages'

/** Numbers for a transaction's new rows: ascending, and known before the row is written. */
interface Numbers {
  free: number[]
  last: number
}

const known = new WeakMap<Tx, Map<Numbered, Numbers>>()

/** Reserves numbers for `count` rows, on PostgreSQL with one query. Numbers left unused there are never assigned. */
export async function reserveNumbers(db: Tx, table: Numbered, count: number): Promise<void> {
  let tables = known.get(db)
  if (!tables) known.set(db, (tables = new Map()))
  const numbers = tables.get(table)
  if (db.dialect === 'sqlite') {
    // There is no other writer: every number above the largest is free.
    const sql = `SELECT coalesce(max(number), 0) AS last FROM ${table}`
    if (!numbers) tables.set(table, { free: [], ...(await db.first(textQuery<{ last: number }>(sql)))! })
    return
  }
  const missing = count - (numbers?.free.length ?? 0)
  if (missing <= 0) return
  const sql = `SELECT nextval(pg_get_serial_sequence('${table}', 'number')) AS number FROM generate_series(1, ?)`
  const found = await db.settled.all(textQuery<{ number: number }>(sql, [missing]))
  tables.set(table, { free: [...(numbers?.free ?? []), ...found.map(({ number }) => number)], last: 0 })
}

export async function nextNumber(db: Tx, table: Numbered): Promise<number> {
  const numbers = known.get(db)?.get(table)
  if (numbers && db.dialect === 'sqlite') return ++numbers.last
  if (numbers?.free.length) return numbers.free.shift()!
  await reserveNumbers(db, table, 1)
  return nextNumber(db, table)
}
