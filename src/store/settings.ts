import type { Db, Tx } from './db.ts'
import { deleteRows, findRow, upsert } from './rows.ts'

export async function readSetting(db: Db, name: string): Promise<string | undefined> {
  return (await findRow(db, 'settings', { name }))?.value
}

export async function deleteSetting(db: Tx, name: string): Promise<void> {
  await deleteRows(db, 'settings', { name })
}

export async function writeSetting(db: Tx, name: string, value: string): Promise<void> {
  await upsert(db, 'settings', { name }, { value })
}
