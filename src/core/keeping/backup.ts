import { dirname } from 'node:path'
import { openDatabase, snapshot, transaction } from '../../store/database.ts'
import type { Database } from '../../store/db.ts'
import { makeBackup } from '../../store/drivers/sqlite-backup.ts'
import { StoreUnavailable } from '../../model/errors.ts'
import { proveStore } from './proof.ts'
import { copyStore, type CopyTarget, type Progress } from './copy.ts'

/**
 * Makes a consistent copy while others write. It is always a SQLite store: a copy of PostgreSQL can be restored there
 * or opened as it is. The copy of an earlier store is one of the same version, which that version can restore, too. The
 * file gets its name only after the copy was checked.
 */
export async function backUpStore(
  db: Database,
  file: string,
  { evenIfDamaged, progress }: { evenIfDamaged: boolean; progress: Progress },
): Promise<void> {
  const copy = async (to: string): Promise<void> => {
    await db.copyTo?.(to)
    const version = { earlier: 'keep', without: db.condition.lacking } as const
    await using made = await openDatabase({ url: null, folder: dirname(to), writer: 'inline', ...version })
    const target: CopyTarget = { db: made, write: (work) => transaction(made, work) }
    if (!db.copyTo) await snapshot(db, (db) => copyStore(db, target, progress))
    const { damagedSources, damagedFiles } = await proveStore(made)
    if (damagedSources.length + damagedFiles > 0 && !evenIfDamaged)
      throw new StoreUnavailable(
        `No backup was made, because ${damagedSources.length} stored messages and ${damagedFiles} files are damaged: "spool doctor --deep" lists them. With --even-if-damaged it is made all the same.`,
      )
  }
  await makeBackup(file, copy, () => db.check('whole'))
}
