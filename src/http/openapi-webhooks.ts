import { z } from 'zod'
import { Event, eventMeanings, eventTypes, type EventType } from '../model/events.ts'

/** The body of a delivery: the event and the `seq` of the one before it. */
export const WebhookPayload = Event.extend({
  data: Event.shape.data.extend({
    previousSeq: z.int().nullable().meta({
      description:
        'The event before it for this webhook; `null` for the first. If you have not seen it, you missed it.',
      example: 4181,
    }),
  }),
}).meta({ id: 'WebhookPayload', description: 'What a webhook receives: ids, no content.' })

const ids = {
  thread: 'thr_1k9v2c4xq7m3n5p8r0s',
  message: 'msg_1k9v2c4y1a2b3c4d5e6',
  note: 'note_1k9v2e7a8b9c0d1e2f3',
  draft: 'drf_1k9v2d3g4h5j6k7m8n9',
  webhook: 'whk_1k9v2f0a1b2c3d4e5f6',
  inbox: 'inb_1k3c7d4q5r6s7t8v9w0',
  user: 'usr_1k3c7d9h2j4m6p8r0t2',
}
const spool = { type: 'system', id: null, name: 'Spool' }
const tom = { type: 'person', id: ids.user, name: 'Tom Keller' }

/** The fields of an event of this type, besides those that all events have. */
function detailsOf(type: EventType): object {
  const [noun] = type.split('.')
  if (noun === 'webhook')
    return {
      inboxId: null,
      threadId: null,
      webhookId: ids.webhook,
      actor: type === 'webhook.test' ? tom : spool,
      ...(type === 'webhook.test'
        ? {}
        : {
            changes: {
              state: { from: 'enabled', to: 'disabled' },
              disabledReason: { from: null, to: 'gone' },
            },
          }),
    }
  const ofThread = { inboxId: ids.inbox, threadId: ids.thread }
  const more: Partial<Record<EventType, object>> = {
    'thread.assigned': { actor: tom, changes: { assignee: { from: null, to: ids.user } } },
    'thread.unassigned': { actor: tom, changes: { assignee: { from: ids.user, to: null } } },
    'thread.status_changed': { changes: { status: { from: 'waiting', to: 'open' } } },
    'thread.merged': {
      actor: tom,
      changes: { threadId: { from: 'thr_1k9v2b0d1f2g3h4j5k6', to: ids.thread } },
    },
    'message.received': { messageId: ids.message },
    'message.sent': { messageId: ids.message, actor: tom },
    'draft.sent': { messageId: ids.message, outcome: { editRatio: 0.12, recipientsChanged: false } },
  }
  const ofDraft = noun === 'draft' || type === 'message.failed' || type === 'message.unknown'
  return {
    ...ofThread,
    ...(ofDraft ? { draftId: ids.draft } : {}),
    ...(noun === 'note' ? { noteId: ids.note } : {}),
    actor: noun === 'note' || ofDraft ? tom : spool,
    ...more[type],
  }
}

/** One webhook for each type of event, with an example. */
export function describeWebhooks(): Record<string, unknown> {
  return Object.fromEntries(
    eventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `on${type.replace(/(^|[._])(\w)/g, (_, __, letter: string) => letter.toUpperCase())}`,
          tags: ['Webhooks'],
          summary: eventMeanings[type],
          description: `Sent to webhooks that subscribe to \`${type}\`. Verify the signature before you trust it.`,
          security: [],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/WebhookPayload' },
                example: {
                  type,
                  timestamp: '2026-11-14T09:41:02.118Z',
                  data: {
                    eventId: 'evt_1k9v2c4z0a1b2c3d4e5',
                    seq: 4182,
                    previousSeq: 4181,
                    ...detailsOf(type),
                  },
                },
              },
            },
          },
          responses: {
            '2XX': { description: 'Received; anything else is tried again.' },
            410: { description: 'Not wanted any more: the webhook is disabled.' },
          },
        },
      },
    ]),
  )
}
