import { cleanName } from '../../model/characters/names.ts'
import type { SavedView } from '../../model/work.ts'
import type { Db, Tx } from '../db.ts'
import { deleteRows, insertRow } from '../rows.ts'

export async function viewsOfUser(db: Db, userId: string): Promise<SavedView[]> {
  const rows = await db.all(
    db.build
      .selectFrom('saved_views')
      .select(['id', 'name', 'search'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id'),
  )
  return rows.map((row) => ({ ...row, name: cleanName(row.name) || 'Unnamed' }))
}

export async function insertView(db: Tx, userId: string, view: SavedView, now: number): Promise<void> {
  await insertRow(db, 'saved_views', { ...view, user_id: userId, created_at: now })
}

/** Returns whether that person had the view. */
export async function deleteView(db: Tx, userId: string, id: string): Promise<boolean> {
  return (await deleteRows(db, 'saved_views', { id, user_id: userId })) > 0
}
