import { dirname } from 'node:path'
import { openDatabase, snapshot, transaction } from '../../store/database.ts'
import type { Database } from '../../store/db.ts'
import { makeBackup } from '../../store/drivers/sqlite-backup.ts'
import { copyStore, type Progress } from './copy.ts'

/**
 * A consistent copy while others write, and always a SQLite store: a copy of PostgreSQL can be restored there, or
 * opened as it is. Gets its name only after it was checked.
 */
export async function backUpStore(db: Database, file: string, progress: Progress): Promise<void> {
  const copy = async (to: string): Promise<void> => {
    if (db.copyTo) return db.copyTo(to)
    await using made = await openDatabase({ url: null, folder: dirname(to), writer: 'inline' })
    const target = {
      db: made,
      write: (work: Parameters<typeof transaction<void>>[1]) => transaction(made, work),
    }
    await snapshot(db, (db) => copyStore(db, target, progress))
  }
  await makeBackup(file, copy, () => db.check('whole'))
}
