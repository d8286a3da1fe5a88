import type { Db, Tx } from './db.ts'
import { upsert } from './upsert.ts'

export async function readSetting(db: Db, name: string): Promise<string | undefined> {
  return (await db.first(db.build.selectFrom('settings').select('value').where('name', '=', name)))?.value
}

export async function writeSetting(db: Tx, name: string, value: string): Promise<void> {
  await upsert(db, 'settings', { name }, { value })
}
