import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import type { Tables } from '../tables.ts'
import { deleteRows, findRow, updateRows, upsert } from '../rows.ts'

export type GrantRow = Selectable<Tables['mail_grants']>

export async function findGrant(db: Db, inbox: number): Promise<GrantRow | undefined> {
  return findRow(db, 'mail_grants', { inbox })
}

export async function listGrants(db: Db): Promise<GrantRow[]> {
  return db.all(db.build.selectFrom('mail_grants').selectAll().orderBy('inbox'))
}

export async function saveGrant(db: Tx, row: GrantRow): Promise<void> {
  const { inbox, ...values } = row
  await upsert(db, 'mail_grants', { inbox }, values)
}

export async function updateGrant(
  db: Tx,
  inbox: number,
  change: Partial<Omit<GrantRow, 'inbox'>>,
): Promise<void> {
  await updateRows(db, 'mail_grants', { inbox }, change)
}

export async function deleteGrant(db: Tx, inbox: number): Promise<void> {
  await deleteRows(db, 'mail_grants', { inbox })
}
