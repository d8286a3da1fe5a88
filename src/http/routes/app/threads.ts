import { viewOfUser } from '../../../core/access/access.ts'
import { listColleagues } from '../../../core/people/colleagues.ts'
import { completeAddress } from '../../../core/threads/correspondents.ts'
import { countWork } from '../../../core/threads/counts.ts'
import { countThreads } from '../../../core/threads/list.ts'
import { getWork, listWork, openThread, withNamed } from '../../../core/threads/work-list.ts'
import type { SignedIn } from '../../../core/access/sessions.ts'
import type { Spool } from '../../../core/spool.ts'
import { toTime } from '../../../model/time.ts'
import type { ThreadRow } from '../../../model/work.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'

export const threadList = defineAppRoute(
  'listThreads',
  everyone,
  async ({ spool, actor, query: { limit, cursor, view: named, ...filters } }) => {
    const view = await viewOfUser(spool.db, actor.user)
    return { body: await listWork(spool, view, { ...filters, named }, { limit, cursor }) }
  },
)

export const threadRoutes = [
  threadList,

  /** `asOf` is taken before counting: a bulk change skips threads that have changed since. */
  defineAppRoute('countThreads', everyone, async ({ spool, actor, query: { view: named, ...filters } }) => {
    const asOf = toTime(spool.now())
    const view = await viewOfUser(spool.db, actor.user)
    return { body: { count: await countThreads(spool, view, withNamed(filters, named)), asOf } }
  }),

  defineAppRoute('countWork', everyone, async ({ spool, actor }) => ({
    body: await countWork(spool, await viewOfUser(spool.db, actor.user)),
  })),

  defineAppRoute('getThread', everyone, async ({ spool, live, actor, path, query }) => {
    const view = await viewOfUser(spool.db, actor.user)
    const page = { order: query.historyOrder, cursor: query.historyCursor, limit: query.historyLimit }
    const thread = await openThread(spool, view, path.id, page)
    return { body: { ...thread, people: live.presence.at(thread.id) } }
  }),

  defineAppRoute('listPeople', everyone, async ({ spool, actor }) => ({
    body: { data: await listColleagues(spool, await viewOfUser(spool.db, actor.user)) },
  })),

  defineAppRoute('completeAddress', everyone, async ({ spool, actor, query }) => ({
    body: { data: await completeAddress(spool, await viewOfUser(spool.db, actor.user), query.q) },
  })),
]

/** The updated list row, which every change to a thread returns. */
export async function answerThread(spool: Spool, actor: SignedIn, id: string): Promise<{ body: ThreadRow }> {
  return { body: await getWork(spool, await viewOfUser(spool.db, actor.user), id) }
}
