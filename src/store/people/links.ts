import type { Db, Tx } from '../db.ts'
import type { Tables } from '../tables.ts'

export type LinkKind = Tables['links']['kind']

export interface LinkRecord {
  kind: LinkKind
  /** The recipient, if known. */
  email: string | null
  data: string
  createdAt: number
  endsAt: number
}

export async function insertLink(db: Tx, hash: Uint8Array, link: LinkRecord): Promise<void> {
  const { kind, email, data, createdAt, endsAt } = link
  await db.run(
    db.build.insertInto('links').values({ hash, kind, email, data, created_at: createdAt, ends_at: endsAt }),
  )
}

/** Undefined once expired. */
export async function findLink(
  db: Db,
  kind: LinkKind,
  hash: Uint8Array,
  now: number,
): Promise<LinkRecord | undefined> {
  return db.first(openLinks(db, kind, now).where('hash', '=', hash))
}

/** Links that have not expired, oldest first. */
export async function listLinks(
  db: Db,
  kind: LinkKind,
  now: number,
): Promise<(LinkRecord & { hash: Uint8Array })[]> {
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
  const query = db.build.deleteFrom('links').where('kind', '=', kind).where('hash', '=', hash)
  return (await db.run(query)) > 0
}

export async function deleteLinks(db: Tx, kind: LinkKind, email: string | null): Promise<void> {
  const all = db.build.deleteFrom('links').where('kind', '=', kind)
  await db.run(email === null ? all : all.where('email', '=', email))
}

export async function deleteEndedLinks(db: Tx, now: number): Promise<void> {
  await db.run(db.build.deleteFrom('links').where('ends_at', '<=', now))
}
