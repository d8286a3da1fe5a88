import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import type { Tables } from '../tables.ts'
import { upsert } from '../upsert.ts'

export type GrantRow = Selectable<Tables['mail_grants']>

export async function findGrant(db: Db, inbox: number): Promise<GrantRow | undefined> {
  return db.first(db.build.selectFrom('mail_grants').selectAll().where('inbox', '=', inbox))
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
  await db.run(db.build.updateTable('mail_grants').set(change).where('inbox', '=', inbox))
}

export async function deleteGrant(db: Tx, inbox: number): Promise<void> {
  await db.run(db.build.deleteFrom('mail_grants').where('inbox', '=', inbox))
}
