import { z } from 'zod'
import { getDraft, listDrafts, proposeDraft, reviseDraft, withdrawDraft } from '../../core/drafts/drafts.ts'
import { agent } from '../../model/access.ts'
import { Citation, draftStatuses, DraftStatus } from '../../model/draft.ts'
import { SpoolError } from '../../model/errors.ts'
import { cursor, limit, text, threadId } from '../arguments.ts'
import { writeCompactText } from '../compact-text.ts'
import { restoreText, untrusted } from '../fence.ts'
import { ChangedDraft, FencedDraft, fenceDraft, listDraft } from '../fenced-draft.ts'
import { fenceField } from '../fenced-thread.ts'
import { defineTool, reads, type Tool } from '../tool.ts'

const draftId = text('of a draft of yours, such as drf_1k9v2d3g4h5j6k7m8n9')

/** The fields an agent may set: Spool fills in recipients, subject and references. */
const draftFields = {
  text: z
    .string('must be the plain text of the answer')
    .min(1, 'must be the plain text of the answer')
    .max(100_000, 'has at most 100000 characters')
    .meta({ description: 'Plain text of the answer, without quoted history and without fence marks.' }),
  cc: z
    .array(
      z.string('must be mail addresses').max(300, 'must be mail addresses'),
      'must be a list of mail addresses',
    )
    .max(100, 'has at most 100 addresses')
    .optional()
    .meta({
      description:
        'Who stays in copy, out of those who got the message that it answers; left out: all of them. Nobody can be added.',
    }),
  citations: z
    .array(
      Citation.extend({
        messageId: z.string('must be the id of a message').max(100, 'must be the id of a message'),
        quote: z.string('must be words of that message'),
      }),
      'must be a list of {messageId, quote}',
    )
    .max(50, 'has at most 50 entries')
    .optional()
    .meta({
      description:
        'Where you have it from: messages of the thread and words that stand in them, word for word.',
    }),
}

const wantedKey = 'must be 1 to 100 characters'
const idempotencyKey = z
  .string(wantedKey)
  .regex(/^[^\0]{1,100}$/, wantedKey)
  .optional()
  .meta({ description: 'A key of your own: the same one gives the same draft for 24 hours.' })

const writes: Tool['annotations'] = { ...reads, readOnlyHint: false, idempotentHint: false }

const fenceMark = /<\s*\/?\s*untrusted\s+[a-z0-9]+\s*>/i

/** Converts the fields for core. A copied fence mark would end up in a mail to a customer, so it is rejected. */
function readDraftFields({ text, cc, citations }: z.infer<z.ZodObject<typeof draftFields>>) {
  if ([text, ...(citations ?? []).map(({ quote }) => quote)].some((each) => fenceMark.test(each))) {
    throw new SpoolError(
      'bad_parameter',
      'The text or a quote contains a fence mark; remove <untrusted …> and call again.',
    )
  }
  const quoted = citations?.map(({ messageId, quote }) => ({ messageId, quote: restoreText(quote) }))
  return { text, ...(cc ? { cc } : {}), ...(quoted ? { citations: quoted } : {}) }
}

export const proposeDraftTool = defineTool({
  name: 'propose_draft',
  title: 'Propose a draft',
  scope: 'drafts:propose',
  description:
    'Proposes an answer to the newest inbound message of a thread, for a person to read, edit and send; nothing is sent by this. Read the thread first. Say only what the thread or your team supports, and name it in citations; unsupported lists figures, dates, links and addresses that stand nowhere in the thread. Do not propose twice for a thread: revise.',
  input: z.strictObject({ threadId, ...draftFields, idempotencyKey }),
  output: ChangedDraft,
  annotations: writes,
  cached: false,
  async run({ spool, caller, input, fence }) {
    const { threadId, idempotencyKey, ...fields } = input
    const wanted = { threadId, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
    const draft = await proposeDraft(spool, agent(caller), { ...wanted, ...readDraftFields(fields) })
    return { structured: fenceDraft(draft, fence) }
  },
})

export const reviseDraftTool = defineTool({
  name: 'revise_draft',
  title: 'Revise a draft',
  scope: 'drafts:propose',
  description:
    'Replaces the words of a draft of yours, at the revision you last saw. Use it when the draft is stale because new mail arrived (call get_thread first), or to mend what unsupported lists. A draft that a person has edited is theirs: it is refused. Leaving out cc or citations keeps those of the draft.',
  input: z.strictObject({
    draftId,
    revision: z
      .int('must be the revision you last saw')
      .min(1, 'must be the revision you last saw')
      .max(1_000_000_000, 'must be the revision you last saw')
      .meta({ description: 'The revision you last saw; a newer one is told, never overwritten.' }),
    ...draftFields,
  }),
  output: ChangedDraft,
  annotations: writes,
  cached: false,
  async run({ spool, caller, input, fence }) {
    const { draftId, revision, ...fields } = input
    const change = { draftId, revision, ...readDraftFields(fields) }
    return { structured: fenceDraft(await reviseDraft(spool, agent(caller), change), fence) }
  },
})

export const withdrawDraftTool = defineTool({
  name: 'withdraw_draft',
  title: 'Withdraw a draft',
  scope: 'drafts:propose',
  description:
    'Takes back a draft of yours that is no longer right and not worth revising. It cannot be undone, but another can be proposed. A draft that a person has edited is theirs: it is refused.',
  input: z.strictObject({ draftId }),
  output: ChangedDraft,
  annotations: { ...writes, destructiveHint: true },
  cached: false,
  async run({ spool, caller, input: { draftId }, fence }) {
    return { structured: fenceDraft(await withdrawDraft(spool, agent(caller), draftId), fence) }
  },
})

export const getDraftTool = defineTool({
  name: 'get_draft',
  title: 'See what became of a draft',
  scope: 'drafts:propose',
  description:
    'Reads a draft of yours and what became of it: open, stale, sent (outcome.editRatio tells how much a person changed: 0 nothing, 1 everything), discarded (outcome.reason tells why) or withdrawn. nextStep says what to do now. Use it to learn from what people change.',
  input: z.strictObject({ draftId }),
  output: FencedDraft,
  annotations: reads,
  cached: true,
  async run({ spool, caller, input: { draftId }, fence }) {
    return { structured: fenceDraft(await getDraft(spool, agent(caller), draftId), fence) }
  },
})

const wantedStatuses = `must be a list of ${draftStatuses.join(', ')}`

export const listDraftsTool = defineTool({
  name: 'list_drafts',
  title: 'List your drafts',
  scope: 'drafts:propose',
  description:
    'Lists your drafts, last changed first, with the beginning of each; get_draft reads one whole. Use it to find what you proposed earlier, or status: ["stale"] for what to revise.',
  input: z.strictObject({
    threadId: threadId.optional(),
    status: z.array(z.enum(draftStatuses, wantedStatuses), wantedStatuses).min(1, wantedStatuses).optional(),
    limit,
    cursor,
  }),
  output: z.object({
    fence: fenceField,
    data: z.array(
      z.object({
        id: z.string(),
        threadId: z.string().nullable(),
        status: DraftStatus,
        revision: z.int(),
        updatedAt: z.string(),
        letter: untrusted('To, Subject, a blank line, the beginning of the text.'),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
  annotations: reads,
  cached: true,
  async run({ spool, caller, input: { threadId = null, status = null, ...page }, fence }) {
    const wanted = { threadId, statuses: status }
    const { data, nextCursor } = await listDrafts(spool, agent(caller), wanted, page)
    const rows = data.map((draft) => listDraft(draft, fence))
    return {
      structured: { fence: fence.nonce, data: rows, nextCursor },
      text: writeCompactText({ fence: fence.nonce }, rows, nextCursor),
    }
  },
})
