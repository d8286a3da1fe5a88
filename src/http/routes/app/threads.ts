import { listColleagues } from '../../../core/people/colleagues.ts'
import { completeAddress } from '../../../core/threads/correspondents.ts'
import { countWork } from '../../../core/threads/counts.ts'
import { countThreads } from '../../../core/threads/list.ts'
import { listWork, openThread, withNamed } from '../../../core/threads/work-list.ts'
import { toTime } from '../../../model/time.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'

export const threadList = defineAppRoute(
  'listThreads',
  everyone,
  async ({ spool, view, query: { limit, cursor, view: named, ...filters } }) =>
    listWork(spool, await view(), { ...filters, named }, { limit, cursor }),
)

export const threadRoutes = [
  threadList,

  /** `asOf` is taken before counting: a bulk change skips threads that have changed since. */
  defineAppRoute('countThreads', everyone, async ({ spool, view, query: { view: named, ...filters } }) => {
    const asOf = toTime(spool.now())
    return { count: await countThreads(spool, await view(), withNamed(filters, named)), asOf }
  }),

  defineAppRoute('countWork', everyone, async ({ spool, view }) => countWork(spool, await view())),

  defineAppRoute('getThread', everyone, async ({ spool, view, live, path, query }) => {
    const page = { order: query.historyOrder, cursor: query.historyCursor, limit: query.historyLimit }
    const thread = await openThread(spool, await view(), path.id, page)
    return { ...thread, people: live.presence.at(thread.id) }
  }),

  defineAppRoute('listPeople', everyone, async ({ spool, view }) => ({
    data: await listColleagues(spool, await view()),
  })),

  defineAppRoute('completeAddress', everyone, async ({ spool, view, query }) => ({
    data: await completeAddress(spool, await view(), query.q),
  })),
]
