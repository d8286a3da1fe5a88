import { z } from 'zod'
import { viewOfUser } from '../../../core/access.ts'
import { countWork } from '../../../core/counts.ts'
import { getWork, listWork, openThread, type WorkThread } from '../../../core/work-list.ts'
import type { SignedIn } from '../../../core/sessions.ts'
import type { Spool } from '../../../core/spool.ts'
import { threadViews } from '../../../model/thread-views.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'
import { HistoryQuery, ThreadQuery } from '../v1/threads.ts'

const none = z.strictObject({})

export const threadList = defineAppRoute({
  method: 'GET',
  path: '/threads',
  operationId: 'listThreads',
  roles: everyone,
  query: ThreadQuery.extend({
    view: z
      .enum(threadViews, `must be one of ${threadViews.join(', ')}`)
      .nullable()
      .default(null),
  }),
  body: null,
  async handle({ spool, actor, query: { status, limit, cursor, view: named, ...rest } }) {
    const view = await viewOfUser(spool.db, actor.user)
    return { body: await listWork(spool, view, { ...rest, statuses: status, named }, { limit, cursor }) }
  },
})

export const counts = defineAppRoute({
  method: 'GET',
  path: '/counts',
  operationId: 'countWork',
  roles: everyone,
  query: none,
  body: null,
  handle: async ({ spool, actor }) => ({
    body: await countWork(spool, await viewOfUser(spool.db, actor.user)),
  }),
})

export const threadGet = defineAppRoute({
  method: 'GET',
  path: '/threads/{id}',
  operationId: 'getThread',
  roles: everyone,
  query: HistoryQuery,
  body: null,
  async handle({ spool, live, actor, path, query }) {
    const view = await viewOfUser(spool.db, actor.user)
    const page = { order: query.historyOrder, cursor: query.historyCursor, limit: 200 }
    const thread = await openThread(spool, view, path['id']!, page)
    return { body: { ...thread, people: live.presence.at(thread.id) } }
  },
})

/** What every change of a thread answers: the thread as it stands in the list from now on. */
export async function answerThread(spool: Spool, actor: SignedIn, id: string): Promise<{ body: WorkThread }> {
  return { body: await getWork(spool, await viewOfUser(spool.db, actor.user), id) }
}
