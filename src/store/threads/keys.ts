import type { Db, Tx } from '../db.ts'
import { bulkInsert } from '../bulk.ts'
import { textQuery } from '../statement.ts'

/** Most messages have few ids; each count up to this has its own prepared statement. */
const mostAtOnce = 32
const whereKeyIn = Array.from(
  { length: mostAtOnce + 1 },
  (_, count) =>
    `SELECT key, thread FROM thread_keys WHERE inbox = ? AND key IN (${Array(count).fill('?').join(', ')})`,
)

const onPostgres = 'SELECT key, thread FROM thread_keys WHERE inbox = ? AND key = ANY(CAST(? AS bytea[]))'

const insertKey = bulkInsert(
  'thread_keys',
  { inbox: 'bigint', key: 'bytea', thread: 'bigint' },
  { clause: 'ON CONFLICT DO NOTHING' },
)

export interface ThreadKey {
  key: Uint8Array
  thread: number
}

/** The threads that Message-IDs belong to, whether of a stored message or only referenced by one. */
export async function lookUpKeys(db: Db, inbox: number, keys: readonly Uint8Array[]): Promise<ThreadKey[]> {
  if (db.dialect === 'postgres') return db.all(textQuery<ThreadKey>(onPostgres, [inbox, keys]))
  const rows: ThreadKey[] = []
  for (let at = 0; at < keys.length; at += mostAtOnce) {
    const some = keys.slice(at, at + mostAtOnce)
    rows.push(...(await db.all(textQuery<ThreadKey>(whereKeyIn[some.length]!, [inbox, ...some]))))
  }
  return rows
}

export async function addKeys(
  db: Tx,
  inbox: number,
  keys: readonly Uint8Array[],
  thread: number,
): Promise<void> {
  for (const key of keys) await db.add(insertKey, { inbox, key, thread })
}
