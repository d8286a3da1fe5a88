import { z } from 'zod'
import { ActorReference } from './access.ts'
import { count, flag, MailAddress, ours, Status, summaryFields, text, textOrNull, Time } from './thread.ts'

export const AttachmentReference = z
  .object({
    id: z.string().meta({ example: 'att_1k9v2c5a6b7c8d9e0f1' }),
    filename: text('Without paths and control characters.', 'receipt.pdf'),
    contentType: text('As the sender claims; do not trust it.', 'application/pdf'),
    size: count('In bytes.', 48_213),
    inline: flag('Shown inside `html` rather than listed below it.', false),
    contentId: textOrNull('The id by which the HTML refers to it.', null),
    url: text('Where to download it; needs the token.', '/api/v1/attachments/att_1k9v2c5a6b7c8d9e0f1'),
  })
  .meta({ id: 'Attachment', description: 'A file that came with a message.' })
export type AttachmentReference = z.infer<typeof AttachmentReference>

const entry = { id: z.string().meta({ example: 'his_1k9v2d0p1q2r3s4t5v6' }), timestamp: Time }
const undo = z
  .boolean()
  .optional()
  .meta({ description: 'Present where a person took their own change back.', example: true })
const verdict = textOrNull('`pass`, `fail`, …; `null` if not checked.', 'pass')
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
    messageId: textOrNull(
      'The Message-ID header, with its angle brackets.',
      '<4711.20261109@brandt.example>',
    ),
    inReplyTo: textOrNull('The Message-ID of the message it answers.', null),
    text: text(
      'What a person would see, nothing else; at most 256 kB.',
      'Hello,\n\nmy order 4711 was due on 3 November. Can you tell me when it will arrive?\n\n-- \nCarla Brandt',
    ),
    newText: text(
      '`text` without quoted history and signature.',
      'Hello,\n\nmy order 4711 was due on 3 November. Can you tell me when it will arrive?',
    ),
    html: textOrNull(
      'Sanitised, at most 1 MB; inline images point to `/api/v1/attachments/{id}`. `null` for plain mail.',
      null,
    ),
    links: z
      .array(
        z.object({
          text: text('Its words, as they stand in `text`.', 'Track your parcel'),
          href: z.string().meta({ example: 'https://shop.example/track?id=9' }),
        }),
      )
      .meta({ description: 'Where the links of `html` lead, at most 200.', example: [] }),
    truncated: flag('Whether `text` or `html` was cut to its limit.', false),
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
        '`parts_differ`, `hidden_text`, `unparsable`, `too_many_parts`, `too_deep`, `truncated`, `encrypted`, `unreadable_part`, `unchecked_sender` (the mail is made so that checking its sender would take too long or has no clear result, or the check did not finish: it may be forged); more may be added.',
      example: [],
    }),
  })
  .meta({ id: 'MessageEntry', description: 'An inbound or outbound mail.' })
export type MessageEntry = z.infer<typeof MessageEntry>

/** A message on its own, outside a history. */
export const Message = MessageEntry.extend({
  threadId: text('The thread it is in.', 'thr_1k9v2c4xq7m3n5p8r0s'),
}).meta({ id: 'Message', description: 'A message as in `history`, with its thread.' })
export type Message = z.infer<typeof Message>

/** An entry other than a message. */
function change<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  id: string,
  description: string,
  fields: Fields,
) {
  return z.object({ type: z.literal(type), ...entry, ...fields }).meta({ id, description })
}

export const historyEntries = {
  status_changed: change('status_changed', 'StatusChangedEntry', 'Its status changed.', {
    from: Status.meta({ example: 'waiting' }),
    to: Status.meta({ example: 'open' }),
    actor: ActorReference,
    undo,
  }),
  assigned: change('assigned', 'AssignedEntry', 'It was assigned to a person.', {
    to: z.object({
      id: z.string().meta({ example: 'usr_1k3c7d8fw0t2v4x6z8b' }),
      name: z.string().meta({ example: 'Ada Lindqvist' }),
    }),
    actor: ActorReference,
    undo,
  }),
  unassigned: change('unassigned', 'UnassignedEntry', 'Its assignment was removed.', {
    actor: ActorReference,
    undo,
  }),
  merged: change('merged', 'MergedEntry', 'Another thread was merged into this one.', {
    threadId: text('The former id; it still leads here.', 'thr_1k9v2b0d1f2g3h4j5k6'),
    actor: ActorReference,
  }),
  bounced: change('bounced', 'BouncedEntry', 'A mail sent from here could not be delivered.', {
    messageId: textOrNull('The mail that bounced, if known.', 'msg_1k9v2c9z8y7x6w5v4t3'),
    reason: text("The other server's message, if it gave one.", 'Mailbox full'),
  }),
  draft_proposed: change('draft_proposed', 'DraftProposedEntry', 'A draft was proposed.', {
    draftId,
    actor: ActorReference,
  }),
  draft_discarded: change('draft_discarded', 'DraftDiscardedEntry', 'A person discarded a draft.', {
    draftId,
    actor: ActorReference,
    reason: textOrNull('As given by the person who discarded it.', 'Answered by phone'),
  }),
  draft_sent: change('draft_sent', 'DraftSentEntry', 'A person sent a draft.', {
    draftId,
    messageId: text('The message it became.', 'msg_1k9v2c9z8y7x6w5v4t3'),
    proposedBy: ActorReference.meta({ description: 'Who wrote the first revision.' }),
    revisedBy: z
      .array(ActorReference)
      .meta({ description: 'Everybody who revised it after that, each once.', example: [] }),
    actor: ActorReference.meta({ description: 'The person who sent it.' }),
  }),
  draft_withdrawn: change(
    'draft_withdrawn',
    'DraftWithdrawnEntry',
    'The agent that proposed a draft withdrew it.',
    { draftId, actor: ActorReference },
  ),
}

/** What one kind of history entry carries besides its id and time. */
export type HistoryData = {
  [Type in keyof typeof historyEntries]: Omit<
    z.infer<(typeof historyEntries)[Type]>,
    'type' | 'id' | 'timestamp'
  >
}

export const HistoryEntry = z
  .discriminatedUnion('type', [MessageEntry, ...Object.values(historyEntries)])
  .meta({ id: 'HistoryEntry', description: 'Distinguished by `type`; types may be added within v1.' })
export type HistoryEntry = z.infer<typeof HistoryEntry>

export const Thread = z
  .object({
    ...summaryFields,
    history: z
      .array(HistoryEntry)
      .meta({ description: 'Oldest first, or newest first with `historyOrder=desc`; at most 200 at once.' }),
    historyNextCursor: textOrNull('For `historyCursor`, when there is more.', null),
  })
  .meta({ id: 'Thread', description: 'A thread with its history.' })
export type Thread = z.infer<typeof Thread>
