import type { Db, Tx } from '../db.ts'
import { selectAmong } from '../among.ts'
import { bulkInsert } from '../bulk.ts'

const insertKey = bulkInsert(
  'thread_keys',
  { inbox: 'bigint', key: 'bytea', thread: 'bigint' },
  { clause: 'ON CONFLICT DO NOTHING' },
)

/** The threads that Message-IDs belong to, whether of a stored message or only referenced by one. */
export function lookUpKeys(db: Db, inbox: number, keys: readonly Uint8Array[]) {
  const select = 'SELECT key, thread FROM thread_keys WHERE inbox = ? AND key'
  return selectAmong<{ key: Uint8Array; thread: number }>(db, select, inbox, keys)
}

export async function addKeys(
  db: Tx,
  inbox: number,
  keys: readonly Uint8Array[],
  thread: number,
): Promise<void> {
  for (const key of keys) await db.add(insertKey, { inbox, key, thread })
}
