import type { Db, Tx } from './db.ts'

export async function readSetting(db: Db, name: string): Promise<string | undefined> {
  return (await db.first(db.build.selectFrom('settings').select('value').where('name', '=', name)))?.value
}

export async function writeSetting(db: Tx, name: string, value: string): Promise<void> {
  await db.run(
    db.build
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
  )
}
