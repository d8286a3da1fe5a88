import type { Db, Tx } from '../db.ts'
import { deleteRows, insertRow } from '../rows.ts'
import type { Tables } from '../tables.ts'

export type LinkKind = Tables['links']['kind']

export type LinkRecord = Omit<Awaited<ReturnType<typeof listLinks>>[number], 'hash'>

export async function insertLink(db: Tx, hash: Uint8Array, link: LinkRecord): Promise<void> {
  const { kind, email, data, createdAt, endsAt } = link
  await insertRow(db, 'links', { hash, kind, email, data, created_at: createdAt, ends_at: endsAt })
}

/** Undefined once expired. */
export async function findLink(db: Db, kind: LinkKind, hash: Uint8Array, now: number) {
  return db.first(openLinks(db, kind, now).where('hash', '=', hash))
}

/** Links that have not expired, oldest first. */
export async function listLinks(db: Db, kind: LinkKind, now: number) {
  return db.all(openLinks(db, kind, now).orderBy('created_at'))
}

function openLinks(db: Db, kind: LinkKind, now: number) {
  return db.build
    .selectFrom('links')
    .select(['hash', 'kind', 'email', 'data', 'created_at as createdAt', 'ends_at as endsAt'])
    .where('kind', '=', kind)
    .where('ends_at', '>', now)
}

/** False if there is none. */
export async function deleteLink(db: Tx, kind: LinkKind, hash: Uint8Array): Promise<boolean> {
  return (await deleteRows(db, 'links', { kind, hash })) > 0
}

export async function deleteLinks(db: Tx, kind: LinkKind, email: string | null): Promise<void> {
  await deleteRows(db, 'links', email === null ? { kind } : { kind, email })
}

export async function deleteEndedLinks(db: Tx, now: number): Promise<void> {
  await db.run(db.build.deleteFrom('links').where('ends_at', '<=', now))
}
