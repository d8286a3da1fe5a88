import type { SavedView } from '../../model/work.ts'
import type { Db, Tx } from '../db.ts'

export async function viewsOfUser(db: Db, userId: string): Promise<SavedView[]> {
  return db.all(
    db.build
      .selectFrom('saved_views')
      .select(['id', 'name', 'search'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id'),
  )
}

export async function insertView(db: Tx, userId: string, view: SavedView, now: number): Promise<void> {
  await db.run(db.build.insertInto('saved_views').values({ ...view, user_id: userId, created_at: now }))
}

/** Returns whether that person had the view. */
export async function deleteView(db: Tx, userId: string, id: string): Promise<boolean> {
  const query = db.build.deleteFrom('saved_views').where('id', '=', id).where('user_id', '=', userId)
  return (await db.run(query)) > 0
}
