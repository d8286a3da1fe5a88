import { z } from 'zod'
import { ActorReference } from './access.ts'
import { count, MailAddress, ours, Status, summaryFields, Time } from './thread.ts'

export const AttachmentReference = z
  .object({
    id: z.string().meta({ example: 'att_1k9v2c5a6b7c8d9e0f1' }),
    filename: z
      .string()
      .meta({ description: 'Without paths and control characters.', example: 'receipt.pdf' }),
    contentType: z
      .string()
      .meta({ description: 'As the sender claims; do not trust it.', example: 'application/pdf' }),
    size: count('In bytes.', 48_213),
    inline: z
      .boolean()
      .meta({ description: 'Shown inside `html` rather than listed below it.', example: false }),
    contentId: z
      .string()
      .nullable()
      .meta({ description: 'The id by which the HTML refers to it.', example: null }),
    url: z.string().meta({
      description: 'Where to download it; needs the token.',
      example: '/api/v1/attachments/att_1k9v2c5a6b7c8d9e0f1',
    }),
  })
  .meta({ id: 'Attachment', description: 'A file that came with a message.' })
export type AttachmentReference = z.infer<typeof AttachmentReference>

const entry = { id: z.string().meta({ example: 'his_1k9v2d0p1q2r3s4t5v6' }), timestamp: Time }
const undo = z
  .boolean()
  .optional()
  .meta({ description: 'Present where a person took their own change back.', example: true })
const verdict = z
  .string()
  .nullable()
  .meta({ description: '`pass`, `fail`, …; `null` if not checked.', example: 'pass' })
const draftId = z.string().meta({ example: 'drf_1k9v2d3g4h5j6k7m8n9' })

export const MessageEntry = z
  .object({
    type: z.literal('message'),
    id: z.string().meta({ example: 'msg_1k9v2c4y1a2b3c4d5e6' }),
    timestamp: Time.meta({ description: 'When it was written.', example: '2026-11-09T10:02:00.000Z' }),
    direction: z
      .enum(['inbound', 'outbound'])
      .meta({ description: '`outbound`: what the team sent.', example: 'inbound' }),
    from: MailAddress,
    to: z.array(MailAddress).meta({ example: [ours] }),
    cc: z.array(MailAddress).meta({ example: [] }),
    replyTo: z
      .array(MailAddress)
      .meta({ description: 'Where the sender wants replies; usually empty.', example: [] }),
    subject: z.string().meta({ example: 'Order 4711 has not arrived' }),
    messageId: z.string().nullable().meta({
      description: 'The Message-ID header, with its angle brackets.',
      example: '<4711.20261109@brandt.example>',
    }),
    inReplyTo: z
      .string()
      .nullable()
      .meta({ description: 'The Message-ID of the message it answers.', example: null }),
    text: z.string().meta({
      description: 'What a person would see, nothing else; at most 256 kB.',
      example:
        'Hello,\n\nmy order 4711 was due on 3 November. Can you tell me when it will arrive?\n\n-- \nCarla Brandt',
    }),
    newText: z.string().meta({
      description: '`text` without quoted history and signature.',
      example: 'Hello,\n\nmy order 4711 was due on 3 November. Can you tell me when it will arrive?',
    }),
    html: z.string().nullable().meta({
      description:
        'Sanitised, at most 1 MB; inline images point to `/api/v1/attachments/{id}`. `null` for plain mail.',
      example: null,
    }),
    links: z
      .array(
        z.object({
          text: z
            .string()
            .meta({ description: 'Its words, as they stand in `text`.', example: 'Track your parcel' }),
          href: z.string().meta({ example: 'https://shop.example/track?id=9' }),
        }),
      )
      .meta({ description: 'Where the links of `html` lead, at most 200.', example: [] }),
    truncated: z
      .boolean()
      .meta({ description: 'Whether `text` or `html` was cut to its limit.', example: false }),
    attachments: z.array(AttachmentReference),
    sentBy: ActorReference.nullable().meta({
      description: 'Who sent it from here; `null` for inbound mail.',
      example: null,
    }),
    authentication: z
      .object({ spf: verdict, dkim: verdict, dmarc: verdict })
      .nullable()
      .meta({ description: 'Whether the sender is authentic; `null` if unknown.' }),
    hiddenTextRemoved: count('Characters that no person would have seen and that were left out.', 0),
    warnings: z.array(z.string()).meta({
      description:
        '`parts_differ`, `hidden_text`, `unparsable`, `too_many_parts`, `too_deep`, `truncated`, `encrypted`, `unreadable_part`; more may be added.',
      example: [],
    }),
  })
  .meta({ id: 'MessageEntry', description: 'An inbound or outbound mail.' })
export type MessageEntry = z.infer<typeof MessageEntry>

/** A message on its own, outside a history. */
export const Message = MessageEntry.extend({
  threadId: z.string().meta({ description: 'The thread it is in.', example: 'thr_1k9v2c4xq7m3n5p8r0s' }),
}).meta({ id: 'Message', description: 'A message as in `history`, with its thread.' })
export type Message = z.infer<typeof Message>

export const historyEntries = {
  status_changed: z
    .object({
      type: z.literal('status_changed'),
      ...entry,
      from: Status.meta({ example: 'waiting' }),
      to: Status.meta({ example: 'open' }),
      actor: ActorReference,
      undo,
    })
    .meta({ id: 'StatusChangedEntry', description: 'Its status changed.' }),
  assigned: z
    .object({
      type: z.literal('assigned'),
      ...entry,
      to: z.object({
        id: z.string().meta({ example: 'usr_1k3c7d8fw0t2v4x6z8b' }),
        name: z.string().meta({ example: 'Ada Lindqvist' }),
      }),
      actor: ActorReference,
      undo,
    })
    .meta({ id: 'AssignedEntry', description: 'It was assigned to a person.' }),
  unassigned: z
    .object({ type: z.literal('unassigned'), ...entry, actor: ActorReference, undo })
    .meta({ id: 'UnassignedEntry', description: 'Its assignment was removed.' }),
  merged: z
    .object({
      type: z.literal('merged'),
      ...entry,
      threadId: z
        .string()
        .meta({ description: 'The former id; it still leads here.', example: 'thr_1k9v2b0d1f2g3h4j5k6' }),
      actor: ActorReference,
    })
    .meta({ id: 'MergedEntry', description: 'Another thread was merged into this one.' }),
  bounced: z
    .object({
      type: z.literal('bounced'),
      ...entry,
      messageId: z.string().nullable().meta({
        description: 'The mail that bounced, if known.',
        example: 'msg_1k9v2c9z8y7x6w5v4t3',
      }),
      reason: z
        .string()
        .meta({ description: "The other server's message, if it gave one.", example: 'Mailbox full' }),
    })
    .meta({ id: 'BouncedEntry', description: 'A mail sent from here could not be delivered.' }),
  draft_proposed: z
    .object({ type: z.literal('draft_proposed'), ...entry, draftId, actor: ActorReference })
    .meta({ id: 'DraftProposedEntry', description: 'A draft was proposed.' }),
  draft_discarded: z
    .object({
      type: z.literal('draft_discarded'),
      ...entry,
      draftId,
      actor: ActorReference,
      reason: z
        .string()
        .nullable()
        .meta({ description: 'As given by the person who discarded it.', example: 'Answered by phone' }),
    })
    .meta({ id: 'DraftDiscardedEntry', description: 'A person discarded a draft.' }),
  draft_sent: z
    .object({
      type: z.literal('draft_sent'),
      ...entry,
      draftId,
      messageId: z
        .string()
        .meta({ description: 'The message it became.', example: 'msg_1k9v2c9z8y7x6w5v4t3' }),
      proposedBy: ActorReference.meta({ description: 'Who wrote the first revision.' }),
      revisedBy: z
        .array(ActorReference)
        .meta({ description: 'Everybody who revised it after that, each once.', example: [] }),
      actor: ActorReference.meta({ description: 'The person who sent it.' }),
    })
    .meta({ id: 'DraftSentEntry', description: 'A person sent a draft.' }),
  draft_withdrawn: z
    .object({ type: z.literal('draft_withdrawn'), ...entry, draftId, actor: ActorReference })
    .meta({ id: 'DraftWithdrawnEntry', description: 'The agent that proposed a draft withdrew it.' }),
}

/** What one kind of history entry carries besides its id and time. */
export type HistoryData = {
  [Type in keyof typeof historyEntries]: Omit<
    z.infer<(typeof historyEntries)[Type]>,
    'type' | 'id' | 'timestamp'
  >
}

export const HistoryEntry = z
  .discriminatedUnion('type', [
    MessageEntry,
    historyEntries.status_changed,
    historyEntries.assigned,
    historyEntries.unassigned,
    historyEntries.merged,
    historyEntries.bounced,
    historyEntries.draft_proposed,
    historyEntries.draft_discarded,
    historyEntries.draft_sent,
    historyEntries.draft_withdrawn,
  ])
  .meta({ id: 'HistoryEntry', description: 'Distinguished by `type`; types may be added within v1.' })
export type HistoryEntry = z.infer<typeof HistoryEntry>

export const Thread = z
  .object({
    ...summaryFields,
    history: z
      .array(HistoryEntry)
      .meta({ description: 'Oldest first, or newest first with `historyOrder=desc`; at most 200 at once.' }),
    historyNextCursor: z
      .string()
      .nullable()
      .meta({ description: 'For `historyCursor`, when there is more.', example: null }),
  })
  .meta({ id: 'Thread', description: 'A thread with its history.' })
export type Thread = z.infer<typeof Thread>
