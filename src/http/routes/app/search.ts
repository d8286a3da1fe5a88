import { viewOfUser } from '../../../core/access/access.ts'
import { listSavedViews, removeView, saveView } from '../../../core/search/saved-views.ts'
import { countMatches, searchThreads } from '../../../core/search/search.ts'
import { toTime } from '../../../model/time.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'

export const searchRoutes = [
  defineAppRoute(
    'searchThreads',
    everyone,
    async ({ spool, actor, query: { q: text, typing, zone, ...page } }) => {
      const view = await viewOfUser(spool.db, actor.user)
      return { body: await searchThreads(spool, view, { text, typing, zone }, page) }
    },
  ),

  defineAppRoute('countMatches', everyone, async ({ spool, actor, query: { q: text, typing, zone } }) => {
    const asOf = toTime(spool.now())
    const view = await viewOfUser(spool.db, actor.user)
    const counted = await countMatches(spool, view, { text, typing, zone })
    return { body: { ...counted, asOf } }
  }),

  defineAppRoute('listSavedViews', everyone, async ({ spool, actor }) => ({
    body: { data: await listSavedViews(spool, actor) },
  })),

  defineAppRoute('saveView', everyone, async ({ spool, actor, body }) => ({
    body: await saveView(spool, actor, body),
  })),

  defineAppRoute('removeView', everyone, async ({ spool, actor, path }) => {
    await removeView(spool, actor, path.id)
    return { body: { removed: path.id } }
  }),
]
