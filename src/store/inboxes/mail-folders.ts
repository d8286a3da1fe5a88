import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { selectAmong } from '../among.ts'
import { bulkInsert } from '../bulk.ts'
import type { Tables } from '../tables.ts'
import { deleteRows, findRow, updateRows, upsert } from '../rows.ts'
import { sql } from '../kysely.ts'

export type FolderRow = Selectable<Tables['mail_folders']>
export type FolderKey = Pick<FolderRow, 'inbox' | 'account' | 'name'>

export async function findFolder(db: Db, { inbox, account, name }: FolderKey) {
  return findRow(db, 'mail_folders', { inbox, account, name })
}

export async function insertFolder(db: Tx, row: Omit<FolderRow, 'number'>): Promise<FolderRow> {
  return (await db.first(db.build.insertInto('mail_folders').values(row).returningAll()))!
}

export async function updateFolder(
  db: Tx,
  number: number,
  change: Partial<Omit<FolderRow, 'number'>>,
): Promise<void> {
  await updateRows(db, 'mail_folders', { number }, change)
}

export async function addHistoryDone(db: Tx, number: number, count: number): Promise<void> {
  await db.queue(
    db.build
      .updateTable('mail_folders')
      .set({ history_done: sql`history_done + ${count}` })
      .where('number', '=', number),
  )
}

export async function listFolders(db: Db): Promise<FolderRow[]> {
  return db.all(db.build.selectFrom('mail_folders').selectAll().orderBy('number'))
}

const upsertItem = bulkInsert(
  'mail_items',
  { folder: 'bigint', uid_validity: 'bigint', uid: 'bigint', inbox: 'bigint', hash: 'bytea' },
  {
    clause: 'ON CONFLICT (folder, uid_validity, uid) DO UPDATE SET hash = excluded.hash',
    key: ['folder', 'uid_validity', 'uid'],
  },
)

export async function saveItem(db: Tx, item: Tables['mail_items']): Promise<void> {
  await db.add(upsertItem, item)
}

function uidsOf(db: Db, { number, uid_validity }: FolderRow) {
  return db.build
    .selectFrom('mail_items')
    .select('uid')
    .where('folder', '=', number)
    .where('uid_validity', '=', uid_validity)
}

/** UIDs already fetched, from the given one up. */
export async function listFetched(db: Db, folder: FolderRow, from: number): Promise<number[]> {
  const rows = await db.all(uidsOf(db, folder).where('uid', '>=', from).where('hash', 'is not', null))
  return rows.map(({ uid }) => uid)
}

export async function listPassedOver(db: Db, folder: FolderRow): Promise<number[]> {
  const rows = await db.all(uidsOf(db, folder).where('hash', 'is', null))
  return rows.map(({ uid }) => uid)
}

/** Returns those of the hashes that an already fetched message has. */
export async function listKnownHashes(db: Db, inbox: number, hashes: readonly Uint8Array[]) {
  const select = 'SELECT hash FROM mail_items WHERE inbox = ? AND hash'
  const rows = await selectAmong<{ hash: Uint8Array }>(db, select, inbox, hashes)
  return rows.map(({ hash }) => hash)
}

/** Call after UIDVALIDITY changed and the whole folder was fetched again. */
export async function forgetOldItems(db: Tx, folder: number, uidValidity: number): Promise<void> {
  await db.run(
    db.build.deleteFrom('mail_items').where('folder', '=', folder).where('uid_validity', '!=', uidValidity),
  )
}

export type SyncRow = Selectable<Tables['mail_sync']>

/** Fields not given keep their values. */
export async function saveSyncState(
  db: Tx,
  row: Omit<SyncRow, 'synced_at'> & { synced_at?: number },
): Promise<void> {
  const { inbox, ...values } = row
  await upsert(db, 'mail_sync', { inbox }, values)
}

/** Call after a change of server: nothing is known about the new one. */
export async function forgetSyncState(db: Tx, inbox: number): Promise<void> {
  await deleteRows(db, 'mail_sync', { inbox })
}

export async function listSyncStates(db: Db): Promise<SyncRow[]> {
  return db.all(db.build.selectFrom('mail_sync').selectAll())
}
