import { cleanName } from '../../model/characters/names.ts'
import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { deleteRows, findRow, insertRow, updateRows } from '../rows.ts'
import { touch } from '../log/versions.ts'
import type { Tables } from '../tables.ts'

export async function findClient(db: Db, id: string): Promise<ClientRecord | undefined> {
  const row = await findRow(db, 'oauth_clients', { id })
  return row && readClient(row)
}

/** Clients that an admin entered, oldest first. */
export async function listEnteredClients(db: Db): Promise<ClientRecord[]> {
  const query = db.build.selectFrom('oauth_clients').selectAll().where('kind', '=', 'entered')
  return (await db.all(query.orderBy('created_at').orderBy('id'))).map(readClient)
}

export async function insertClient(db: Tx, client: ClientRecord): Promise<void> {
  const { id, kind, name, redirectUris, createdAt } = client
  await insertRow(db, 'oauth_clients', {
    id,
    kind,
    name,
    redirect_uris: JSON.stringify(redirectUris),
    created_at: createdAt,
    unused_since: createdAt,
  })
}

/** Deletes the client and revokes all its grants; false if there is no such client. */
export async function deleteEnteredClient(db: Tx, id: string, at: number): Promise<boolean> {
  const found = await deleteRows(db, 'oauth_clients', { id, kind: 'entered' })
  if (found === 0) return false
  touch(db, 'access')
  await updateRows(db, 'tokens', { client_id: id, revoked_at: null }, { revoked_at: at })
  return true
}

function clientsWithGrant(db: Db) {
  return db.build
    .selectFrom('tokens')
    .select('client_id')
    .where('client_id', 'is not', null)
    .where('revoked_at', 'is', null)
    .$castTo<{ client_id: string }>()
}

/** Deletes registered clients without a grant, at most 100 at once; keeps the `most` used or registered last. */
export async function deleteSurplusClients(db: Tx, most: number): Promise<void> {
  const surplus = await db.all(
    db.build
      .selectFrom('oauth_clients')
      .select('id')
      .where('kind', '=', 'registered')
      .where('id', 'not in', clientsWithGrant(db))
      .orderBy('unused_since', 'desc')
      .orderBy('id', 'desc')
      .limit(100)
      .offset(most),
  )
  if (surplus.length === 0) return
  const ids = surplus.map(({ id }) => id)
  await db.run(db.build.deleteFrom('oauth_clients').where('id', 'in', ids))
}

/** Deletes registered clients that have had no grant since then; returns how many. */
export async function deleteUnusedClients(db: Tx, now: number, since: number): Promise<number> {
  const registered = db.build.updateTable('oauth_clients').where('kind', '=', 'registered')
  await db.run(registered.set({ unused_since: now }).where('id', 'in', clientsWithGrant(db)))
  return db.run(
    db.build.deleteFrom('oauth_clients').where('kind', '=', 'registered').where('unused_since', '<', since),
  )
}

export type ClientRecord = ReturnType<typeof readClient>

function readClient(row: Selectable<Tables['oauth_clients']>) {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name === null ? null : cleanName(row.name),
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    createdAt: row.created_at,
  }
}
