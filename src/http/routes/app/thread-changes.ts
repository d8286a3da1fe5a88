import { z } from 'zod'
import { viewOfUser } from '../../../core/access.ts'
import { findColleague } from '../../../core/colleagues.ts'
import { joinThreads } from '../../../core/joining.ts'
import type { SignedIn } from '../../../core/sessions.ts'
import type { Spool } from '../../../core/spool.ts'
import { assignThread, changeStatus, setRead } from '../../../core/threads.ts'
import { SpoolError } from '../../../model/errors.ts'
import { Status } from '../../../model/thread.ts'
import { readTime } from '../../../model/time.ts'
import { defineAppRoute, everyone, writers, type AppRoute } from '../../app-route.ts'
import { answerThread } from './threads.ts'

const none = z.strictObject({})

const until = z
  .string()
  .transform((text) => readTime(text))
  .pipe(z.number('is a time such as 2030-01-31T09:00:00.000Z'))
  .nullable()
  .default(null)

const StatusWish = z.strictObject({ status: Status, until })
const Assignment = z.strictObject({ to: z.string().max(100).nullable() })

function mark(name: 'read' | 'unread'): AppRoute {
  return defineAppRoute({
    method: 'POST',
    path: `/threads/{id}/${name}`,
    operationId: name === 'read' ? 'markRead' : 'markUnread',
    roles: everyone,
    query: none,
    body: none,
    async handle({ spool, actor, path }) {
      await setRead(spool, actor.user, path['id']!, name === 'read')
      return answerThread(spool, actor, path['id']!)
    },
  })
}

export const threadRead = mark('read')
export const threadUnread = mark('unread')

export const threadAssign = defineAppRoute({
  method: 'POST',
  path: '/threads/{id}/assign',
  operationId: 'assignThread',
  roles: writers,
  query: none,
  body: Assignment,
  async handle({ spool, actor, path, body }) {
    await assignTo(spool, actor, path['id']!, body.to)
    return answerThread(spool, actor, path['id']!)
  },
})

async function assignTo(spool: Spool, actor: SignedIn, id: string, to: string | null): Promise<void> {
  const view = await viewOfUser(spool.db, actor.user)
  await assignThread(spool, actor, id, to === null ? null : await findColleague(spool, view, to))
}

export const threadStatus = defineAppRoute({
  method: 'POST',
  path: '/threads/{id}/status',
  operationId: 'changeStatus',
  roles: writers,
  query: none,
  body: StatusWish,
  async handle({ spool, actor, path, body }) {
    await changeStatus(spool, actor, path['id']!, body.status, body.until)
    return answerThread(spool, actor, path['id']!)
  },
})

export const threadJoin = defineAppRoute({
  method: 'POST',
  path: '/threads/{id}/join',
  operationId: 'joinThreads',
  roles: writers,
  query: none,
  body: z.strictObject({ other: z.string().max(100) }),
  async handle({ spool, actor, path, body }) {
    return answerThread(spool, actor, await joinThreads(spool, actor, path['id']!, body.other))
  },
})

const Action = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('status'), ...StatusWish.shape }),
  z.strictObject({ type: z.literal('assign'), ...Assignment.shape }),
  z.strictObject({ type: z.literal('read') }),
  z.strictObject({ type: z.literal('unread') }),
])
type Action = z.infer<typeof Action>

/** Each by itself: one that cannot be changed does not keep the others from it. */
export const threadsChange = defineAppRoute({
  method: 'POST',
  path: '/threads/bulk',
  operationId: 'changeThreads',
  roles: everyone,
  query: none,
  body: z.strictObject({ ids: z.array(z.string().max(100)).min(1).max(100), action: Action }),
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

async function change(spool: Spool, actor: SignedIn, id: string, action: Action): Promise<void> {
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
