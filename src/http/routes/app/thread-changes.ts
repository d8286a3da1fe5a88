import { viewOfUser } from '../../../core/access/access.ts'
import { findColleague } from '../../../core/people/colleagues.ts'
import { joinThreads } from '../../../core/receiving/joining.ts'
import type { SignedIn } from '../../../core/access/sessions.ts'
import type { Spool } from '../../../core/spool.ts'
import { assignThread, changeStatus, setRead } from '../../../core/threads/threads.ts'
import { SpoolError } from '../../../model/errors.ts'
import { defineAppRoute, everyone, writers } from '../../app-route.ts'
import type { ThreadAction } from '../../contract/threads.ts'
import { answerThread } from './threads.ts'

export const threadRead = defineAppRoute('markRead', {
  roles: everyone,
  async handle({ spool, actor, path }) {
    await setRead(spool, actor.user, path.id, true)
    return answerThread(spool, actor, path.id)
  },
})

export const threadUnread = defineAppRoute('markUnread', {
  roles: everyone,
  async handle({ spool, actor, path }) {
    await setRead(spool, actor.user, path.id, false)
    return answerThread(spool, actor, path.id)
  },
})

export const threadAssign = defineAppRoute('assignThread', {
  roles: writers,
  async handle({ spool, actor, path, body }) {
    await assignTo(spool, actor, path.id, body.to)
    return answerThread(spool, actor, path.id)
  },
})

async function assignTo(spool: Spool, actor: SignedIn, id: string, to: string | null): Promise<void> {
  const view = await viewOfUser(spool.db, actor.user)
  await assignThread(spool, actor, id, to === null ? null : await findColleague(spool, view, to))
}

export const threadStatus = defineAppRoute('changeStatus', {
  roles: writers,
  async handle({ spool, actor, path, body }) {
    await changeStatus(spool, actor, path.id, body.status, body.until)
    return answerThread(spool, actor, path.id)
  },
})

export const threadJoin = defineAppRoute('joinThreads', {
  roles: writers,
  async handle({ spool, actor, path, body }) {
    return answerThread(spool, actor, await joinThreads(spool, actor, path.id, body.other))
  },
})

/** Each thread is changed on its own: one failure does not affect the others. */
export const threadsChange = defineAppRoute('changeThreads', {
  roles: everyone,
  async handle({ spool, actor, body: { ids, action } }) {
    const done: string[] = []
    const failed: { id: string; message: string }[] = []
    for (const id of new Set(ids)) {
      try {
        await change(spool, actor, id, action)
        done.push(id)
      } catch (error) {
        if (!(error instanceof SpoolError) || error.code === 'store_unavailable') throw error
        failed.push({ id, message: error.message })
      }
    }
    return { body: { done, failed } }
  },
})

async function change(spool: Spool, actor: SignedIn, id: string, action: ThreadAction): Promise<void> {
  switch (action.type) {
    case 'status':
      return changeStatus(spool, actor, id, action.status, action.until)
    case 'assign':
      return assignTo(spool, actor, id, action.to)
    case 'read':
    case 'unread':
      return setRead(spool, actor.user, id, action.type === 'read')
  }
}
