import type { User } from '../../model/access.ts'
import { checkName } from '../../model/characters/names.ts'
import { SpoolError } from '../../model/errors.ts'
import { newId } from '../../model/ids.ts'
import type { SavedView } from '../../model/work.ts'
import { transaction } from '../../store/database.ts'
import { deleteView, insertView, viewsOfUser } from '../../store/people/saved-views.ts'
import type { Spool } from '../spool.ts'

const mostViews = 50

/** Searches that a person keeps in the left column. Nobody else sees them. */
export function listSavedViews(spool: Spool, { user }: { user: User }): Promise<SavedView[]> {
  return viewsOfUser(spool.db, user.id)
}

export async function saveView(
  spool: Spool,
  { user }: { user: User },
  given: { name: string; search: string },
): Promise<SavedView> {
  const [name, search] = [checkName(given.name, 'The name of a view'), given.search.trim()]
  if (search === '')
    throw new SpoolError('bad_parameter', 'Search for something first; then save it as a view.')
  return transaction(spool.db, async (db) => {
    const views = await viewsOfUser(db, user.id)
    if (views.length >= mostViews)
      throw new SpoolError('conflict', `You have ${mostViews} saved views; remove one first.`)
    const view = { id: newId('viw', spool.now()), name, search }
    await insertView(db, user.id, view, spool.now())
    return view
  })
}

export async function removeView(spool: Spool, { user }: { user: User }, id: string): Promise<void> {
  const removed = await transaction(spool.db, (db) => deleteView(db, user.id, id))
  if (!removed) throw new SpoolError('not_found', 'You have no such saved view; it may be removed already.')
}
