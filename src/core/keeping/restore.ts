import { constants } from 'node:fs'
import { chmod, copyFile, link, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SpoolError, StoreAbsent, StoreDamaged } from '../../model/errors.ts'
import { openDatabase, transaction } from '../../store/database.ts'
import type { Database, DatabaseOptions, Db } from '../../store/db.ts'
import { withFolder } from '../../store/drivers/sqlite-backup.ts'
import { checkFile } from '../../store/drivers/sqlite-check.ts'
import { isUnused } from '../../store/copies/rows.ts'
import { countMessages } from '../../store/threads/messages.ts'
import { holdSending } from '../sending/held.ts'
import { checkSecret, deriveKeys } from '../spool.ts'
import { copyStore, type Copied, type Progress } from './copy.ts'

export interface Restoring {
  /** The backup. */
  file: string
  /** SPOOL_DATA: where the store is created, or the temporary copy that PostgreSQL is filled from. */
  folder: string
  /** URL of PostgreSQL; null for a SQLite store in `folder`. */
  url: string | null
  secret: string
  now: number
  /** Called after everything was compared, right before the store takes effect. */
  beforeCommit(): void
}

export interface Restored {
  messages: number
  /** Drafts that were about to be sent when the backup was made. */
  held: number
}

/**
 * Creates a store from a backup, where there is none yet. Only reads the backup: all work happens in a copy, so an
 * interruption leaves nothing that takes effect, and the restore can be run again.
 */
export async function restoreStore(wanted: Restoring, progress: Progress): Promise<Restored> {
  const work = join(wanted.folder, 'restoring')
  const copy = join(work, 'spool.db')
  // A killed restore leaves it behind.
  await rm(work, { recursive: true, force: true })
  return withFolder(work, async () => {
    await copyWhole(wanted.file, copy)
    const restored = await prepare(wanted, work, progress)
    if (wanted.url === null) {
      wanted.beforeCommit()
      // Unlike a rename, a link never replaces a file created there in the meantime.
      await link(copy, join(wanted.folder, 'spool.db'))
      // Leftover marks of an earlier store say nothing about this one.
      for (const mark of ['spool.db-open', 'spool.db-moved'])
        await rm(join(wanted.folder, mark), { force: true })
    }
    return restored
  })
}

async function copyWhole(file: string, copy: string): Promise<void> {
  // Changes that a running store has only in its WAL would be missing.
  const log = await stat(`${file}-wal`).catch(() => null)
  if (log && log.size > 0)
    throw new SpoolError(
      'conflict',
      `${file} is a store in use and no backup; make one of it with "spool backup".`,
    )
  await copyFile(file, copy, constants.COPYFILE_FICLONE)
  await chmod(copy, 0o600)
  if (!(await isSameFile(file, copy)))
    throw new StoreDamaged(`the copy of ${file} differs from it: one of the disks may be failing`)
  const [damage] = await checkFile(copy, 'whole')
  if (damage !== undefined) throw noBackup(file, damage)
}

function noBackup(file: string, why: string): SpoolError {
  return new SpoolError('conflict', `${file} is damaged or no backup (${why}). Restore another one.`)
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  await using first = await open(one)
  await using second = await open(other)
  const [a, b] = [Buffer.alloc(1 << 20), Buffer.alloc(1 << 20)]
  for (let at = 0; ;) {
    const [read, again] = [await first.read(a, 0, a.length, at), await second.read(b, 0, b.length, at)]
    if (!a.subarray(0, read.bytesRead).equals(b.subarray(0, again.bytesRead))) return false
    if (read.bytesRead === 0) return true
    at += read.bytesRead
  }
}

async function prepare(wanted: Restoring, work: string, progress: Progress): Promise<Restored> {
  // What is restored is a store of this version, also from an earlier one's backup.
  const options = { writer: 'inline', absent: 'refuse', earlier: 'migrate' } as const
  const opening = openDatabase({ url: null, folder: work, ...options })
  await using from = await opening.catch((error: unknown) => {
    throw error instanceof StoreAbsent ? noBackup(wanted.file, 'there is no store in it') : error
  })
  if (!(await checkSecret(from, deriveKeys(wanted.secret))))
    throw new SpoolError(
      'bad_parameter',
      'This secret is not the one of the backup. Give the one it was made with: --secret-file FILE, or SPOOL_SECRET.',
    )
  const held = await transaction(from, (db) => holdSending(db, wanted.now))
  if (wanted.url !== null) {
    const { url, folder } = wanted
    await using to = await openTarget({ url, folder, without: [] })
    await copyInto(to, from, progress, wanted.beforeCommit)
  }
  return { messages: await countMessages(from), held }
}

/**
 * The database that a store is copied into, which lacks the same migrations. It may have the tables of an attempt that
 * was interrupted, but a store in use is left as it is, whatever its version.
 */
export async function openTarget(
  place: Pick<DatabaseOptions, 'url' | 'folder'> & { without: readonly string[] },
): Promise<Database> {
  const options = { ...place, writer: 'inline' } as const
  const found = await openDatabase({ ...options, earlier: 'keep' })
  await using stack = new AsyncDisposableStack()
  stack.use(found)
  await refuseUsed(found)
  if (found.condition.lacking.length > place.without.length)
    return openDatabase({ ...options, earlier: 'migrate' })
  stack.move()
  return found
}

async function refuseUsed(db: Db): Promise<void> {
  if (!(await isUnused(db)))
    throw new SpoolError(
      'conflict',
      'There is a store in this database already, which is left as it is. Name an empty database.',
    )
}

/** Copies in one transaction, so that an interruption undoes everything. */
export async function copyInto(
  to: Database,
  from: Db,
  progress: Progress,
  beforeCommit = (): void => undefined,
): Promise<Copied> {
  return transaction(to, async (db) => {
    // Only here does it stay true: another copy may have been under way.
    await refuseUsed(db)
    const copied = await copyStore(from, { db, write: (work) => work(db) }, progress)
    beforeCommit()
    return copied
  })
}
