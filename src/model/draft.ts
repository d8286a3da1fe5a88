import { z } from 'zod'
import { ActorReference } from './access.ts'
import { AttachmentReference } from './history.ts'
import { flag, MailAddress, text, textOrNull, Time } from './thread.ts'

/** What `draftCount` counts: every draft that is not finished. */
export const openDraftStatuses = [
  'proposed',
  'editing',
  'stale',
  'scheduled',
  'sending',
  'failed',
  'unknown',
] as const
export const draftStatuses = [...openDraftStatuses, 'sent', 'discarded', 'withdrawn'] as const
export const DraftStatus = z.enum(draftStatuses).meta({
  id: 'DraftStatus',
  description:
    'proposed (by an agent), editing (by a person), stale (newer mail has arrived), scheduled (can be taken back), sending, failed, unknown (it is not known whether it was delivered), sent, discarded or withdrawn.',
})
export type DraftStatus = z.infer<typeof DraftStatus>

/** Drafts waiting for a person: neither being sent nor finished. */
export const reviewedStatuses = [
  'proposed',
  'editing',
  'stale',
  'failed',
  'unknown',
] as const satisfies readonly DraftStatus[]

export const DraftKind = z.enum(['reply', 'forward', 'new']).meta({ id: 'DraftKind' })
export type DraftKind = z.infer<typeof DraftKind>

export const Citation = z
  .strictObject({
    messageId: text('A message of the thread.', 'msg_1k9v2c4y1a2b3c4d5e6'),
    quote: text('Text from that message; white space may differ.', 'my order 4711 was due on 3 November'),
  })
  .meta({ id: 'Citation', description: 'The source of something in a draft.' })
export type Citation = z.infer<typeof Citation>

export const Unsupported = z
  .object({
    kind: z.enum(['number', 'amount', 'date', 'link', 'address']),
    text: text('As written in the draft.', '12 November'),
    start: z.int().meta({ description: 'Where it starts in `text`, in UTF-16 code units.', example: 42 }),
    end: z.int().meta({ description: 'Where it ends, exclusive.', example: 53 }),
  })
  .meta({ id: 'Unsupported', description: 'A fact in the draft that is not in the thread.' })
export type Unsupported = z.infer<typeof Unsupported>

export const noticeKinds = ['new_to_thread', 'brought_by_newcomer', 'reply_to_differs'] as const
export const RecipientNotice = z
  .object({
    address: z.string().meta({ example: 'billing@brandt.example' }),
    kind: z.enum(noticeKinds).meta({
      description:
        '`new_to_thread`: in no message of the thread; `brought_by_newcomer`: first named by a sender who was new to the thread; `reply_to_differs`: asked for by Reply-To, and not the sender.',
    }),
  })
  .meta({ id: 'RecipientNotice', description: 'A recipient to look at before sending.' })
export type RecipientNotice = z.infer<typeof RecipientNotice>

export const DraftOutcome = z
  .object({
    result: z.enum(['sent', 'discarded', 'withdrawn']),
    at: Time,
    by: ActorReference,
    editRatio: z.number().min(0).max(1).nullable().meta({
      description:
        "How much of the agent's last text a person changed: 0 nothing, 1 everything; `null` unless an agent's draft was sent.",
      example: 0.12,
    }),
    recipientsChanged: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether a person changed the recipients; `null` unless it was sent.' }),
    reason: textOrNull('Why it was discarded, if a person gave a reason.'),
    messageId: textOrNull('The message it became.'),
  })
  .meta({ id: 'DraftOutcome', description: 'The outcome of a draft.' })
export type DraftOutcome = z.infer<typeof DraftOutcome>

export const Draft = z
  .object({
    id: z.string().meta({ example: 'drf_1k9v2d3g4h5j6k7m8n9' }),
    threadId: textOrNull('`null` for a new conversation until it is sent.', 'thr_1k9v2c4xq7m3n5p8r0s'),
    inboxId: z.string().meta({ example: 'inb_1k3c7d4q5r6s7t8v9w0' }),
    kind: DraftKind,
    status: DraftStatus,
    revision: z
      .int()
      .min(1)
      .meta({ description: 'Grows with every edit; an edit names the revision it is based on.' }),
    author: ActorReference.meta({ description: 'Who proposed or started it.' }),
    edited: flag("Whether a person has edited an agent's draft."),
    createdAt: Time,
    updatedAt: Time,
    text: z.string(),
    from: textOrNull("Which of the inbox's addresses it is sent from; `null`: its first."),
    to: z.array(MailAddress),
    cc: z.array(MailAddress),
    bcc: z.array(MailAddress),
    subject: z.string(),
    answers: textOrNull('The message it answers or forwards.'),
    newestMessageId: textOrNull('The newest message when it was written.'),
    citations: z.array(Citation),
    unsupported: z.array(Unsupported),
    notices: z.array(RecipientNotice),
    attachments: z.array(
      AttachmentReference.pick({ id: true, filename: true, contentType: true, size: true }),
    ),
    sendsAt: Time.nullable().meta({
      description: 'When the undo window ends; only while scheduled.',
    }),
    problem: textOrNull('What went wrong, as the mail server put it.'),
    outcome: DraftOutcome.nullable().meta({ description: '`null` while it is open.' }),
  })
  .meta({ id: 'Draft', description: 'Text that a person may edit and send.' })
export type Draft = z.infer<typeof Draft>

/** A draft as its agent sees it: without Bcc, which only people may see. */
export const AgentDraft = Draft.pick({
  id: true,
  threadId: true,
  status: true,
  revision: true,
  text: true,
  to: true,
  cc: true,
  subject: true,
  citations: true,
  unsupported: true,
  outcome: true,
}).meta({ id: 'AgentDraft', description: 'A proposal and its outcome.' })
export type AgentDraft = z.infer<typeof AgentDraft>

export const DraftRevision = z
  .object({
    revision: z.int().min(1),
    actor: ActorReference,
    timestamp: Time,
    ...Draft.pick({ text: true, to: true, cc: true, bcc: true, subject: true }).shape,
  })
  .meta({ id: 'DraftRevision', description: 'An earlier version of a draft, and who wrote it.' })
export type DraftRevision = z.infer<typeof DraftRevision>
