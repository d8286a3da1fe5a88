import type { Db } from '../db.ts'
import { textQuery } from '../statement.ts'
import { listenerName } from './channel.ts'

/** Whether a server listens to this database. On SQLite whoever asks has made sure that the file is open nowhere else. */
export async function hasServer(db: Db): Promise<boolean> {
  if (db.dialect === 'sqlite') return false
  const row = await db.first(
    textQuery(
      'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = ? LIMIT 1',
      [listenerName],
    ),
  )
  return row !== undefined
}
