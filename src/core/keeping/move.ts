import { join } from 'node:path'
import { SpoolError } from '../../model/errors.ts'
import { openDatabase } from '../../store/database.ts'
import type { Database } from '../../store/db.ts'
import { isOpenElsewhere } from '../../store/drivers/sqlite-connection.ts'
import type { Copied, Progress } from './copy.ts'
import { copyInto, openTarget } from './restore.ts'

export interface Moving {
  /** Folder of the SQLite store. */
  folder: string
  /** URL of the PostgreSQL database. */
  url: string
  /** Called after everything was compared, right before the copy is committed. */
  beforeCommit(): void
}

/** Copies a SQLite store to PostgreSQL. An interruption leaves both as they were. */
export async function moveStore({ folder, url, beforeCommit }: Moving, progress: Progress): Promise<Copied> {
  // Before the target is opened, which makes tables in it, and again afterwards, because that may take long.
  requireClosed(folder, stays)
  const without = await findLacking(folder)
  await using to = await openTarget({ url, folder, without })
  requireClosed(folder, stays)
  await using from = await openAsItIs(folder)
  // Hold the write lock, so that a server started now waits, and then finds the store moved.
  return await from.transaction((db) => copyInto(to, db, progress, beforeCommit))
}

function openAsItIs(folder: string): Promise<Database> {
  return openDatabase({ url: null, folder, writer: 'inline', absent: 'refuse', earlier: 'keep' })
}

/** The migrations that a store of an earlier version lacks. It is moved as it is. */
async function findLacking(folder: string): Promise<readonly string[]> {
  await using store = await openAsItIs(folder)
  return store.condition.lacking
}

const stays = 'what it writes meanwhile would stay behind'

/** Throws if another process has the SQLite store of this folder open. */
export function requireClosed(folder: string, why: string): void {
  if (isOpenElsewhere(join(folder, 'spool.db')))
    throw new SpoolError('conflict', `Stop the server first: ${why}.`)
}
