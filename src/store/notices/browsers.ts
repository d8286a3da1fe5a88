import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { deleteRows, updateRows } from '../rows.ts'
import { textQuery } from '../statement.ts'
import type { Tables } from '../tables.ts'

export type PushBrowser = Selectable<Tables['push_browsers']>

/** Of each person; each costs a request to a host that the browser names. */
export const mostBrowsers = 20

/** The newest browsers with a live session: one that was signed out shows nothing. */
export async function browsersOf(db: Db, userId: string, now: number): Promise<PushBrowser[]> {
  return db.all(
    textQuery<PushBrowser>(
      `SELECT push_browsers.* FROM push_browsers JOIN sessions ON sessions.id = push_browsers.session_id
       WHERE push_browsers.user_id = ? AND sessions.user_id = push_browsers.user_id AND sessions.ends_at > ?
       ORDER BY push_browsers.created_at DESC, push_browsers.id LIMIT ?`,
      [userId, now, mostBrowsers],
    ),
  )
}

/** A browser that subscribes again belongs to whoever is signed in there now. If a person has too many, the oldest go. */
export async function saveBrowser(db: Tx, browser: PushBrowser): Promise<void> {
  const { id: _, created_at: __, last_used_at: ___, endpoint: ____, ...change } = browser
  await db.run(
    db.build
      .insertInto('push_browsers')
      .values(browser)
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(change)),
  )
  await db.run(
    textQuery(
      `DELETE FROM push_browsers WHERE user_id = ? AND endpoint <> ? AND id NOT IN (
         SELECT id FROM push_browsers WHERE user_id = ? AND endpoint <> ? ORDER BY created_at DESC, id LIMIT ?)`,
      [browser.user_id, browser.endpoint, browser.user_id, browser.endpoint, mostBrowsers - 1],
    ),
  )
}

export async function noteUse(
  db: Tx,
  id: string,
  change: { last_used_at?: number; problem: string | null },
): Promise<void> {
  await updateRows(db, 'push_browsers', { id }, change)
}

/** Returns whether there was one. */
export async function deleteBrowser(db: Tx, id: string, userId: string): Promise<boolean> {
  return (await deleteRows(db, 'push_browsers', { id, user_id: userId })) > 0
}

/** Their push services accept only what is signed with the key they were given. */
export async function deleteAllBrowsers(db: Tx): Promise<void> {
  await db.run(textQuery('DELETE FROM push_browsers'))
}

export async function forgetBrowsers(db: Tx): Promise<void> {
  await db.run(textQuery(`DELETE FROM push_browsers WHERE session_id NOT IN (SELECT id FROM sessions)`))
}
