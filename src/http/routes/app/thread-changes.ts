import { viewOfUser } from '../../../core/access/access.ts'
import { findColleague } from '../../../core/people/colleagues.ts'
import { joinThreads } from '../../../core/receiving/joining.ts'
import type { SignedIn } from '../../../core/access/sessions.ts'
import { searchThreads } from '../../../core/search/search.ts'
import type { Spool } from '../../../core/spool.ts'
import { changeMatching, changeThreads, threadsAtOnce } from '../../../core/threads/changes.ts'
import { assignThread, changeStatus, setRead } from '../../../core/threads/threads.ts'
import { undoChange } from '../../../core/threads/undo.ts'
import { listWork } from '../../../core/threads/work-list.ts'
import { defineAppRoute, everyone, writers } from '../../app-route.ts'
import type { ThreadAction } from '../../contract/threads.ts'
import { answerThread } from './threads.ts'

export const threadChangeRoutes = [
  defineAppRoute('markRead', everyone, async ({ spool, actor, path }) => {
    await setRead(spool, actor.user, path.id, true)
    return answerThread(spool, actor, path.id)
  }),

  defineAppRoute('markUnread', everyone, async ({ spool, actor, path }) => {
    await setRead(spool, actor.user, path.id, false)
    return answerThread(spool, actor, path.id)
  }),

  defineAppRoute('assignThread', writers, async ({ spool, actor, path, body }) => {
    await assignTo(spool, actor, path.id, body.to)
    return answerThread(spool, actor, path.id)
  }),

  defineAppRoute('changeStatus', writers, async ({ spool, actor, path, body }) => {
    await changeStatus(spool, actor, path.id, body.status, body.until)
    return answerThread(spool, actor, path.id)
  }),

  defineAppRoute('joinThreads', writers, async ({ spool, actor, path, body }) => {
    return answerThread(spool, actor, await joinThreads(spool, actor, path.id, body.other))
  }),

  defineAppRoute('changeThreads', everyone, async ({ spool, actor, body: { ids, action } }) => ({
    body: await changeThreads(spool, actor, ids, await checkAssignee(spool, actor, action)),
  })),

  defineAppRoute(
    'changeMatching',
    everyone,
    async ({ spool, actor, body: { view: named, cursor, asOf, action, ...filters } }) => {
      const view = await viewOfUser(spool.db, actor.user)
      const page = await listWork(spool, view, { ...filters, named }, { cursor, limit: threadsAtOnce })
      const known = await checkAssignee(spool, actor, action)
      return { body: await changeMatching(spool, actor, page, asOf, known) }
    },
  ),

  defineAppRoute(
    'changeFound',
    everyone,
    async ({ spool, actor, body: { q: text, typing, zone, cursor, asOf, action } }) => {
      const view = await viewOfUser(spool.db, actor.user)
      const asked = { text, typing, zone }
      const page = await searchThreads(spool, view, asked, { cursor, limit: threadsAtOnce })
      const known = await checkAssignee(spool, actor, action)
      return { body: await changeMatching(spool, actor, page, asOf, known) }
    },
  ),

  defineAppRoute('undoChange', everyone, async ({ spool, actor, body }) => ({
    body: await undoChange(spool, actor, body.receipt),
  })),
]

async function assignTo(spool: Spool, actor: SignedIn, id: string, to: string | null): Promise<void> {
  const view = await viewOfUser(spool.db, actor.user)
  await assignThread(spool, actor, id, to === null ? null : await findColleague(spool, view, to))
}

/** The assignee must be somebody who shares an inbox with the actor. */
async function checkAssignee(spool: Spool, actor: SignedIn, action: ThreadAction): Promise<ThreadAction> {
  if (action.type === 'assign' && action.to !== null)
    await findColleague(spool, await viewOfUser(spool.db, actor.user), action.to)
  return action
}
