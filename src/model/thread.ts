import { z } from 'zod'
import { ActorReference } from './access.ts'

export const statuses = ['open', 'waiting', 'snoozed', 'closed', 'spam'] as const
export const Status = z
  .enum(statuses)
  .meta({ id: 'Status', description: 'open, waiting (we answered), snoozed (until a time), closed or spam.' })
export type Status = z.infer<typeof Status>

export const Time = z.iso
  .datetime({ precision: 3 })
  .meta({ id: 'Time', description: 'RFC 3339, UTC, with milliseconds.', example: '2026-11-14T09:30:00.000Z' })

const about = (description: string, example: unknown) =>
  example === undefined ? { description } : { description, example }

/** Fields with what OpenAPI says about them. */
export const count = (description: string, example: number) => z.int().min(0).meta({ description, example })
export const flag = (description: string, example?: boolean) => z.boolean().meta(about(description, example))
export const text = (description: string, example?: string) => z.string().meta(about(description, example))
export const textOrNull = (description: string, example?: string | null) =>
  z.string().nullable().meta(about(description, example))

export const MailAddress = z
  .object({
    name: textOrNull('As written in the mail.', 'Carla Brandt'),
    address: z.string().meta({ example: 'carla@brandt.example' }),
  })
  .meta({ id: 'MailAddress', description: 'A name and address from a mail header.' })
export type MailAddress = z.infer<typeof MailAddress>

export const ours = { name: 'Support', address: 'support@shop.example' }

export const Assignment = z
  .object({
    id: z.string().meta({ example: 'usr_1k3c7d8fw0t2v4x6z8b' }),
    name: z.string().meta({ example: 'Ada Lindqvist' }),
    email: z.string().meta({ example: 'ada@shop.example' }),
    assignedAt: Time.meta({ example: '2026-11-14T09:42:00.000Z' }),
  })
  .meta({ id: 'Assignment', description: 'The person responsible for the thread.' })

export const InboxReference = z
  .object({
    id: z.string().meta({ example: 'inb_1k3c7d4q5r6s7t8v9w0' }),
    name: z.string().meta({ example: ours.name }),
    address: z.string().meta({ example: ours.address }),
  })
  .meta({ id: 'InboxReference', description: 'The inbox that received the mail.' })

export type InboxReference = z.infer<typeof InboxReference>

export const summaryFields = {
  id: z.string().meta({ example: 'thr_1k9v2c4xq7m3n5p8r0s' }),
  subject: text('Of its earliest message.', 'Order 4711 has not arrived'),
  sender: MailAddress.meta({ description: 'Who started the thread.' }),
  timestamp: Time.meta({
    description: 'Last activity: the newest message, inbound or outbound.',
    example: '2026-11-14T09:41:00.000Z',
  }),
  status: Status,
  assignment: Assignment.nullable().meta({
    description: 'The person responsible for the thread, or `null`.',
  }),
  unread: flag("Whether inbound mail has arrived since the token's user last read the thread.", true),
  inbox: InboxReference,
  preview: text(
    "At most 200 characters of the newest message's new text.",
    'It was due on 3 November and the tracking page says the same as last week.',
  ),
  messageCount: count('Messages, inbound and outbound.', 2),
  noteCount: count("The team's notes on the thread.", 3),
  attachmentCount: count('Files in all its messages.', 1),
  draftCount: count('Open drafts.', 0),
  snoozedUntil: Time.nullable().meta({
    description: 'When a snoozed thread opens again; `null` for any other.',
    example: null,
  }),
  createdAt: Time.meta({
    description: 'Time of its earliest message.',
    example: '2026-11-09T10:02:00.000Z',
  }),
  updatedAt: Time.meta({
    description: 'Last change of any kind: what `updatedSince` compares.',
    example: '2026-11-14T09:44:00.000Z',
  }),
  revision: count('Grows with every change.', 7),
  webUrl: text(
    'The thread in the web inbox, for people.',
    'https://inbox.example.com/threads/thr_1k9v2c4xq7m3n5p8r0s',
  ),
}

export const ThreadSummary = z
  .object(summaryFields)
  .meta({ id: 'ThreadSummary', description: 'A thread as shown in lists.' })
export type ThreadSummary = z.infer<typeof ThreadSummary>

export const Note = z
  .object({
    id: z.string().meta({ example: 'note_1k9v2e7a8b9c0d1e2f3' }),
    threadId: z.string().meta({ example: 'thr_1k9v2c4xq7m3n5p8r0s' }),
    author: ActorReference,
    text: z.string().meta({ example: 'The carrier confirmed: it leaves the depot today.' }),
    mentions: z
      .array(z.string())
      .meta({ description: 'Ids of the people mentioned.', example: ['usr_1k3c7d8fw0t2v4x6z8b'] }),
    timestamp: Time.meta({ example: '2026-11-14T09:44:00.000Z' }),
    editedAt: Time.nullable().meta({ description: '`null` until it is edited.', example: null }),
  })
  .meta({ id: 'Note', description: 'An internal note of the team; customers never see it.' })
export type Note = z.infer<typeof Note>
