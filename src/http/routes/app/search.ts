import { listSavedViews, removeView, saveView } from '../../../core/search/saved-views.ts'
import { countMatches, searchThreads } from '../../../core/search/search.ts'
import { toTime } from '../../../model/time.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'

export const searchRoutes = [
  defineAppRoute(
    'searchThreads',
    everyone,
    async ({ spool, view, query: { q: text, typing, zone, ...page } }) =>
      searchThreads(spool, await view(), { text, typing, zone }, page),
  ),

  defineAppRoute('countMatches', everyone, async ({ spool, view, query: { q: text, typing, zone } }) => {
    const asOf = toTime(spool.now())
    const counted = await countMatches(spool, await view(), { text, typing, zone })
    return { ...counted, asOf }
  }),

  defineAppRoute('listSavedViews', everyone, async ({ spool, actor }) => ({
    data: await listSavedViews(spool, actor),
  })),

  defineAppRoute('saveView', everyone, ({ spool, actor, body }) => saveView(spool, actor, body)),

  defineAppRoute('removeView', everyone, async ({ spool, actor, path }) => {
    await removeView(spool, actor, path.id)
    return { removed: path.id }
  }),
]
