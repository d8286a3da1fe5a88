import type { Insertable } from 'kysely'
import type { Tx } from './db.ts'
import type { Tables } from './tables.ts'

type NewRow<Name extends keyof Tables> = Insertable<Tables[Name]>

/** Inserts a row, or changes the one that already has this key. */
export async function upsert<Name extends keyof Tables, Key extends keyof NewRow<Name>>(
  db: Tx,
  table: Name,
  key: Pick<NewRow<Name>, Key>,
  values: Omit<NewRow<Name>, Key>,
): Promise<void> {
  const insert = db.build.insertInto<keyof Tables>(table).values({ ...key, ...values } as never)
  const columns = Object.keys(key) as never[]
  await db.run(insert.onConflict((conflict) => conflict.columns(columns).doUpdateSet(values as never)))
}
