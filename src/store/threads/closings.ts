import type { Tx } from '../db.ts'
import { statement } from '../statement.ts'
import { sql } from '../kysely.ts'

/** A day begins on a quarter of an hour in every time zone. */
export const quarterMilliseconds = 900_000

const count = statement((build, { inbox, quarter }: { inbox: number; quarter: number }) =>
  build
    .insertInto('closings')
    .values({ inbox, quarter, count: 1 })
    .onConflict((conflict) =>
      conflict.columns(['inbox', 'quarter']).doUpdateSet({ count: sql`closings.count + 1` }),
    ),
)

export async function countClosing(db: Tx, inbox: number, at: number): Promise<void> {
  await db.run(count({ inbox, quarter: Math.floor(at / quarterMilliseconds) }))
}

/** An undone closing does not count. */
export async function uncountClosing(db: Tx, inbox: number, at: number): Promise<void> {
  await db.run(
    db.build
      .updateTable('closings')
      .set({ count: sql`count - 1` })
      .where('inbox', '=', inbox)
      .where('quarter', '=', Math.floor(at / quarterMilliseconds))
      .where('count', '>', 0),
  )
}
