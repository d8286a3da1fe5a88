import type { LiveItem } from '../../../core/log/live.ts'
import { SpoolError } from '../../../model/errors.ts'
import type { LiveEvents } from '../../../model/live.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'
import { seqForm } from '../../contract/paging.ts'

export const liveRoutes = [
  /** Server-sent events: the log as it grows, limited to the person's view, and presence. */
  defineAppRoute('followEvents', everyone, async ({ live, actor, query, lastEventId }) => {
    if (lastEventId !== null && !seqForm.test(lastEventId))
      throw new SpoolError('bad_parameter', 'Last-Event-ID must be a seq: a whole number.')
    // Last-Event-ID is newer than the `after` in the URL.
    const after = lastEventId === null ? query.after : Number(lastEventId)
    return {
      headers: { 'Content-Type': 'text/event-stream; charset=utf-8' },
      async *stream(gone) {
        for await (const item of live.follow(actor, after, gone)) yield render(item)
      },
    }
  }),

  defineAppRoute('setPresence', everyone, async ({ live, actor, body }) => ({
    people: await live.setPlace(actor, body),
  })),
]

function render(item: LiveItem): string {
  switch (item.kind) {
    case 'event':
      return `id: ${item.seq}\n${writeEvent('message', item.event)}`
    case 'ready':
    case 'resync':
      return `retry: 1000\nid: ${item.seq}\n${writeEvent(item.kind, { seq: item.seq })}`
    case 'presence':
      return writeEvent('presence', { threadId: item.threadId, people: item.people })
    case 'notices':
      return writeEvent('notices', { unread: item.unread })
    case 'beat':
      return ':\n\n'
  }
}

function writeEvent<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): string {
  return `${name === 'message' ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
}
