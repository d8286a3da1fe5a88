import type { Db, Tx } from './db.ts'
import { findRow, upsert } from './rows.ts'

export async function readSetting(db: Db, name: string): Promise<string | undefined> {
  return (await findRow(db, 'settings', { name }))?.value
}

export async function writeSetting(db: Tx, name: string, value: string): Promise<void> {
  await upsert(db, 'settings', { name }, { value })
}
