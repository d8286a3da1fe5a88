import type { Db, Tx } from './db.ts'
import { statement } from './statement.ts'

/** Which thread each Message-ID belongs to, be it a message here or one that another message named. */
const threadOfKey = statement((build, { inbox, key }: { inbox: number; key: Uint8Array }) =>
  build.selectFrom('thread_keys').select('thread').where('inbox', '=', inbox).where('key', '=', key),
)

const insertKey = statement(
  (build, { inbox, key, thread }: { inbox: number; key: Uint8Array; thread: number }) =>
    build
      .insertInto('thread_keys')
      .values({ inbox, key, thread })
      .onConflict((conflict) => conflict.doNothing()),
)

export interface KnownKeys {
  /** Numbers of the threads that know any of the keys, each once. */
  threads: number[]
  unknown: Uint8Array[]
}

export async function lookUpKeys(db: Db, inbox: number, keys: readonly Uint8Array[]): Promise<KnownKeys> {
  const threads = new Set<number>()
  const unknown: Uint8Array[] = []
  for (const key of keys) {
    const row = await db.first(threadOfKey({ inbox, key }))
    if (row) threads.add(row.thread)
    else unknown.push(key)
  }
  return { threads: [...threads].sort((a, b) => a - b), unknown }
}

export async function addKeys(
  db: Tx,
  inbox: number,
  keys: readonly Uint8Array[],
  thread: number,
): Promise<void> {
  for (const key of keys) await db.run(insertKey({ inbox, key, thread }))
}
