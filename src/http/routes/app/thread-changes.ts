import { viewOfUser } from '../../../core/access/access.ts'
import { findColleague } from '../../../core/people/colleagues.ts'
import { joinThreads } from '../../../core/receiving/joining.ts'
import type { SignedIn } from '../../../core/access/sessions.ts'
import { searchThreads } from '../../../core/search/search.ts'
import type { Spool } from '../../../core/spool.ts'
import { changeMatching, changeThreads, threadsAtOnce } from '../../../core/threads/changes.ts'
import { assignThread, changeStatus, setRead } from '../../../core/threads/threads.ts'
import { undoChange } from '../../../core/threads/undo.ts'
import { getWork, listWork } from '../../../core/threads/work-list.ts'
import { defineAppRoute, everyone, writers } from '../../app-route.ts'
import type { ThreadAction } from '../../contract/threads.ts'

/** A change to one thread returns its updated list row. */
export const threadChangeRoutes = [
  defineAppRoute('markRead', everyone, async ({ spool, view, actor, path }) => {
    await setRead(spool, actor.user, path.id, true)
    return getWork(spool, await view(), path.id)
  }),

  defineAppRoute('markUnread', everyone, async ({ spool, view, actor, path }) => {
    await setRead(spool, actor.user, path.id, false)
    return getWork(spool, await view(), path.id)
  }),

  defineAppRoute('assignThread', writers, async ({ spool, view, actor, path, body: { to } }) => {
    const colleague = to === null ? null : await findColleague(spool, await view(), to)
    await assignThread(spool, actor, path.id, colleague)
    return getWork(spool, await view(), path.id)
  }),

  defineAppRoute('changeStatus', writers, async ({ spool, view, actor, path, body }) => {
    await changeStatus(spool, actor, path.id, body.status, body.until)
    return getWork(spool, await view(), path.id)
  }),

  defineAppRoute('joinThreads', writers, async ({ spool, view, actor, path, body }) => {
    const survivor = await joinThreads(spool, actor, path.id, body.other)
    return getWork(spool, await view(), survivor)
  }),

  defineAppRoute('changeThreads', everyone, async ({ spool, actor, body: { ids, action } }) =>
    changeThreads(spool, actor, ids, await checkAssignee(spool, actor, action)),
  ),

  defineAppRoute(
    'changeMatching',
    everyone,
    async ({ spool, view, actor, body: { view: named, cursor, asOf, action, ...filters } }) => {
      const page = await listWork(
        spool,
        await view(),
        { ...filters, named },
        { cursor, limit: threadsAtOnce },
      )
      const known = await checkAssignee(spool, actor, action)
      return changeMatching(spool, actor, page, asOf, known)
    },
  ),

  defineAppRoute(
    'changeFound',
    everyone,
    async ({ spool, view, actor, body: { q: text, typing, zone, cursor, asOf, action } }) => {
      const asked = { text, typing, zone }
      const page = await searchThreads(spool, await view(), asked, { cursor, limit: threadsAtOnce })
      const known = await checkAssignee(spool, actor, action)
      return changeMatching(spool, actor, page, asOf, known)
    },
  ),

  defineAppRoute('undoChange', everyone, ({ spool, actor, body }) => undoChange(spool, actor, body.receipt)),
]

/** The assignee must be somebody who shares an inbox with the actor. */
async function checkAssignee(spool: Spool, actor: SignedIn, action: ThreadAction): Promise<ThreadAction> {
  if (action.type === 'assign' && action.to !== null)
    await findColleague(spool, await viewOfUser(spool.db, actor.user), action.to)
  return action
}
