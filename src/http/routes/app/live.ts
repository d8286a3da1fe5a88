import { z } from 'zod'
import type { LiveItem } from '../../../core/live.ts'
import { doings } from '../../../core/presence.ts'
import { SpoolError } from '../../../model/errors.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'

const seqForm = /^\d{1,15}$/

/** Server-sent events: the log as it grows, in one's view, and who is looking at what. */
export const live = defineAppRoute({
  method: 'GET',
  path: '/live',
  operationId: 'followEvents',
  roles: everyone,
  query: z.strictObject({
    after: z
      .string()
      .regex(seqForm, 'must be a seq: a whole number')
      .transform(Number)
      .nullable()
      .default(null),
  }),
  body: null,
  async handle({ live, actor, query, lastEventId }) {
    if (lastEventId !== null && !seqForm.test(lastEventId))
      throw new SpoolError('bad_parameter', 'Last-Event-ID must be a seq: a whole number.')
    // The browser's own word is newer than the address it first asked for.
    const after = lastEventId === null ? query.after : Number(lastEventId)
    return {
      headers: { 'Content-Type': 'text/event-stream; charset=utf-8' },
      async *stream(gone) {
        for await (const item of live.follow(actor, after, gone)) yield render(item)
      },
    }
  },
})

function render(item: LiveItem): string {
  switch (item.kind) {
    case 'event':
      return `id: ${item.seq}\ndata: ${JSON.stringify(item.event)}\n\n`
    case 'ready':
    case 'resync':
      return `retry: 1000\nid: ${item.seq}\nevent: ${item.kind}\ndata: ${JSON.stringify({ seq: item.seq })}\n\n`
    case 'presence':
      return `event: presence\ndata: ${JSON.stringify({ threadId: item.threadId, people: item.people })}\n\n`
    case 'beat':
      return ':\n\n'
  }
}

export const presenceSet = defineAppRoute({
  method: 'POST',
  path: '/presence',
  operationId: 'setPresence',
  roles: everyone,
  query: z.strictObject({}),
  body: z.strictObject({
    threadId: z.string().max(100).nullable(),
    /** What is written there; alone, a draft that has no thread yet. */
    draftId: z.string().max(100).nullable().default(null),
    doing: z.enum(doings).default('reading'),
  }),
  handle: async ({ live, actor, body }) => ({
    body: { people: await live.setPlace(actor, body) },
  }),
})
