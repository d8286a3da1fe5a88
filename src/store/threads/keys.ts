import type { Db, Tx } from '../db.ts'
import { statement, textQuery } from '../statement.ts'

/** Most messages have few ids; each count up to this has its own prepared statement. */
const mostAtOnce = 32
const whereKeyIn = Array.from(
  { length: mostAtOnce + 1 },
  (_, count) =>
    `SELECT key, thread FROM thread_keys WHERE inbox = ? AND key IN (${Array(count).fill('?').join(', ')})`,
)

const insertKey = statement(
  (build, { inbox, key, thread }: { inbox: number; key: Uint8Array; thread: number }) =>
    build
      .insertInto('thread_keys')
      .values({ inbox, key, thread })
      .onConflict((conflict) => conflict.doNothing()),
)

export interface KnownKeys {
  /** Numbers of the threads that have any of the keys, distinct. */
  threads: number[]
  unknown: Uint8Array[]
}

/** The threads that Message-IDs belong to, whether of a stored message or only referenced by one. */
export async function lookUpKeys(db: Db, inbox: number, keys: readonly Uint8Array[]): Promise<KnownKeys> {
  const rows: { key: Uint8Array; thread: number }[] = []
  for (let at = 0; at < keys.length; at += mostAtOnce) {
    const some = keys.slice(at, at + mostAtOnce)
    rows.push(...(await db.all(textQuery<(typeof rows)[0]>(whereKeyIn[some.length]!, [inbox, ...some]))))
  }
  const known = new Set(rows.map(({ key }) => spell(key)))
  return {
    threads: [...new Set(rows.map(({ thread }) => thread))].sort((a, b) => a - b),
    unknown: known.size === keys.length ? [] : keys.filter((key) => !known.has(spell(key))),
  }
}

const spell = (key: Uint8Array) => Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')

export async function addKeys(
  db: Tx,
  inbox: number,
  keys: readonly Uint8Array[],
  thread: number,
): Promise<void> {
  for (const key of keys) await db.run(insertKey({ inbox, key, thread }))
}
