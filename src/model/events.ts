import { z } from 'zod'
import { ActorReference } from './access.ts'
import { textOrNull, Time } from './thread.ts'

/** Every type of event, explained to people choosing which ones to subscribe to. */
export const eventMeanings = {
  'thread.created': 'A conversation has started.',
  'thread.assigned': 'A thread was assigned.',
  'thread.unassigned': 'A thread was unassigned.',
  'thread.status_changed': 'A thread was opened, set to waiting, snoozed, closed or marked as spam.',
  'thread.merged': 'Two threads were merged.',
  'message.received': 'Mail has arrived.',
  'message.sent': 'Mail was sent, from Spool or from another mail program.',
  'message.failed': 'A mail server refused a sent mail.',
  'message.unknown': 'It is unknown whether a sent mail was delivered.',
  'note.created': 'Somebody wrote a note.',
  'note.updated': 'Somebody edited their note.',
  'draft.proposed': 'An agent proposed an answer.',
  'draft.revised': 'A draft was edited.',
  'draft.stale': 'Newer mail has arrived since a draft was written.',
  'draft.discarded': 'A person discarded a draft.',
  'draft.withdrawn': 'An agent withdrew its proposal.',
  'draft.sent': 'A person sent a draft; includes how much of a proposal they changed.',
  'webhook.disabled': 'One of your webhooks was disabled.',
  'webhook.test': 'You asked for a test.',
}

export type EventType = keyof typeof eventMeanings
export const eventTypes = Object.keys(eventMeanings) as EventType[]
export const EventType = z.enum(eventTypes).meta({ id: 'EventType' })

export const Event = z
  .object({
    type: EventType,
    timestamp: Time,
    data: z.object({
      eventId: z.string().meta({ example: 'evt_1k9v2c4z0a1b2c3d4e5' }),
      seq: z.int().meta({
        description: 'Grows by one with every event of the instance; missing numbers are outside your view.',
        example: 4182,
      }),
      inboxId: textOrNull(
        'The inbox of the thread; `null` where there is no thread.',
        'inb_1k3c7d4q5r6s7t8v9w0',
      ),
      threadId: textOrNull(
        'The thread it happened in; `null` for `webhook.*` events.',
        'thr_1k9v2c4xq7m3n5p8r0s',
      ),
      messageId: z.string().optional().meta({ description: 'For `message.*` events.' }),
      noteId: z.string().optional().meta({ description: 'For `note.*` events.' }),
      draftId: z.string().optional().meta({ description: 'For `draft.*` events.' }),
      webhookId: z.string().optional().meta({ description: 'For `webhook.*` events.' }),
      actor: ActorReference,
      changes: z
        .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
        .optional()
        .meta({ description: 'What changed, by field.' }),
      outcome: z
        .object({ editRatio: z.number().nullable(), recipientsChanged: z.boolean() })
        .optional()
        .meta({ description: "For `draft.sent`: how much of an agent's proposal a person changed." }),
    }),
  })
  .meta({
    id: 'Event',
    description: 'What happened, as ids; read the content from its own endpoint.',
    example: {
      type: 'thread.status_changed',
      timestamp: '2026-11-14T09:41:02.118Z',
      data: {
        eventId: 'evt_1k9v2c4z0a1b2c3d4e5',
        seq: 4182,
        inboxId: 'inb_1k3c7d4q5r6s7t8v9w0',
        threadId: 'thr_1k9v2c4xq7m3n5p8r0s',
        actor: { type: 'system', id: null, name: 'Spool' },
        changes: { status: { from: 'waiting', to: 'open' } },
      },
    },
  })
export type Event = z.infer<typeof Event>

/** Thin on purpose: ids, no content. */
export type EventData = Omit<Event['data'], 'eventId' | 'seq' | 'inboxId'>
