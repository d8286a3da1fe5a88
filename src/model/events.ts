import { z } from 'zod'
import { ActorReference } from './access.ts'
import { Time } from './thread.ts'

export const eventTypes = [
  'thread.created',
  'thread.assigned',
  'thread.unassigned',
  'thread.status_changed',
  'thread.merged',
  'message.received',
  'message.sent',
  'message.failed',
  'message.unknown',
  'note.created',
  'note.updated',
  'draft.proposed',
  'draft.revised',
  'draft.stale',
  'draft.discarded',
  'draft.withdrawn',
  'draft.sent',
  'webhook.disabled',
  'webhook.test',
] as const
export const EventType = z.enum(eventTypes).meta({ id: 'EventType' })
export type EventType = z.infer<typeof EventType>

/** Thin on purpose: ids, no content. */
export interface EventData {
  threadId: string | null
  messageId?: string
  noteId?: string
  draftId?: string
  actor: ActorReference
  changes?: Record<string, { from: unknown; to: unknown }>
  outcome?: { editRatio: number | null; recipientsChanged: boolean }
}

export const Event = z
  .object({
    type: EventType,
    timestamp: Time,
    data: z.object({
      eventId: z.string().meta({ example: 'evt_1k9v2c4z0a1b2c3d4e5' }),
      seq: z.int().meta({
        description: 'Grows by one with every event of the instance; what is missing is outside your view.',
        example: 4182,
      }),
      threadId: z
        .string()
        .nullable()
        .meta({ description: 'The thread it happened in.', example: 'thr_1k9v2c4xq7m3n5p8r0s' }),
      messageId: z.string().optional().meta({ description: 'For `message.*` events.' }),
      noteId: z.string().optional().meta({ description: 'For `note.*` events.' }),
      draftId: z.string().optional().meta({ description: 'For `draft.*` events.' }),
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
    description: 'What happened, in ids; the content is read where it lives.',
    example: {
      type: 'thread.status_changed',
      timestamp: '2026-11-14T09:41:02.118Z',
      data: {
        eventId: 'evt_1k9v2c4z0a1b2c3d4e5',
        seq: 4182,
        threadId: 'thr_1k9v2c4xq7m3n5p8r0s',
        actor: { type: 'system', id: null, name: 'Spool' },
        changes: { status: { from: 'waiting', to: 'open' } },
      },
    },
  })
export type Event = z.infer<typeof Event>
