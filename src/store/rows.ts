import type { ExpressionBuilder, Insertable, Selectable, UpdateObject } from 'kysely'
import type { Db, Tx } from './db.ts'
import type { Query } from './statement.ts'
import type { Tables } from './tables.ts'

type Name = keyof Tables
type Row<Table extends Name> = Selectable<Tables[Table]>
type NewRow<Table extends Name> = Insertable<Tables[Table]>

/** The value of each column named; null: has none. */
type Which<Table extends Name> = Partial<Row<Table>>

function have(which: object) {
  return (where: ExpressionBuilder<Tables, Name>) =>
    where.and(
      Object.entries(which).map(([column, value]) =>
        where(column as never, value === null ? 'is' : '=', value as never),
      ),
    )
}

export async function findRow<Table extends Name>(db: Db, table: Table, which: Which<Table>) {
  return db.first(db.build.selectFrom<Name>(table).selectAll().where(have(which)) as Query<Row<Table>>)
}

export async function insertRow<Table extends Name>(db: Tx, table: Table, row: NewRow<Table>): Promise<void> {
  await db.run(db.build.insertInto<Name>(table).values(row as never))
}

/** Returns the number of rows changed. */
export async function updateRows<Table extends Name>(
  db: Tx,
  table: Table,
  which: Which<Table>,
  change: UpdateObject<Tables, Table>,
): Promise<number> {
  const update = db.build.updateTable<Name>(table).set(change as never)
  return db.run(update.where(have(which)))
}

/** Returns the number of rows deleted. */
export async function deleteRows<Table extends Name>(
  db: Tx,
  table: Table,
  which: Which<Table>,
): Promise<number> {
  return db.run(db.build.deleteFrom<Name>(table).where(have(which)))
}

/** Inserts a row, or changes the one that already has this key. */
export async function upsert<Table extends Name, Key extends keyof NewRow<Table>>(
  db: Tx,
  table: Table,
  key: Pick<NewRow<Table>, Key>,
  values: Omit<NewRow<Table>, Key>,
): Promise<void> {
  const insert = db.build.insertInto<Name>(table).values({ ...key, ...values } as never)
  const columns = Object.keys(key) as never[]
  await db.run(insert.onConflict((conflict) => conflict.columns(columns).doUpdateSet(values as never)))
}
