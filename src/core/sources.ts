import { SourceDamaged } from '../model/errors.ts'
import type { Database, Db } from '../store/db.ts'
import { findSource, isSourceAsStored, measureSource } from '../store/threads/sources.ts'

type Store = { db: Database }

/** Null if the source is damaged, which is recorded: callers may continue without it. `db` may be a transaction. */
export async function readSource(
  spool: Store,
  message: number,
  db: Db = spool.db,
): Promise<Uint8Array | null | undefined> {
  const source = await findSource(db, message)
  if (source === null) spool.db.condition.noteSource(message)
  return source
}

/** For a source that is read in pieces. Throws if it is damaged, before any of it is used. */
export async function sizeOfWholeSource(spool: Store, message: number): Promise<number | undefined> {
  const measured = await measureSource(spool.db, message)
  if (!measured) return undefined
  if (await isSourceAsStored(spool.db, message, measured)) return measured.size
  spool.db.condition.noteSource(message)
  throw new SourceDamaged()
}
