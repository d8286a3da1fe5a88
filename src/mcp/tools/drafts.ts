import { z } from 'zod'
import { getDraft, proposeDraft, reviseDraft, withdrawDraft } from '../../core/drafts/drafts.ts'
import { agent } from '../../model/access.ts'
import { Citation } from '../../model/draft.ts'
import { SpoolError } from '../../model/errors.ts'
import { text, threadId } from '../arguments.ts'
import { restoreText } from '../fence.ts'
import { ChangedDraft, FencedDraft, fenceDraft } from '../fenced-draft.ts'
import { defineTool, reads, type Tool } from '../tool.ts'

const draftId = text('of a draft of yours, such as drf_1k9v2d3g4h5j6k7m8n9', 100)

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

const writes: Tool['annotations'] = { ...reads, readOnlyHint: false, idempotentHint: false }

const fenceMark = /<\s*\/?\s*untrusted\s+[a-z0-9]+\s*>/i

interface DraftFields {
  text: string
  cc?: string[] | undefined
  citations?: Citation[] | undefined
}

/** Converts the fields for core. A copied fence mark would end up in a mail to a customer, so it is rejected. */
function readDraftFields({ text, cc, citations }: DraftFields): {
  text: string
  cc?: string[]
  citations?: Citation[]
} {
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
    'Proposes an answer to the newest inbound message of a thread, for a person to read, edit and send; nothing is sent by this. Read the thread with get_thread first. Say only what the thread or your team supports, and name it in citations: unsupported in the answer lists figures, dates, links and addresses that stand nowhere in the thread. Keep the id and revision for revise_draft. Do not propose twice for the same thread: revise.',
  input: z.strictObject({ threadId, ...draftFields }),
  output: ChangedDraft,
  annotations: writes,
  cached: false,
  async run({ spool, caller, input, fence }) {
    const { threadId, ...fields } = input
    const draft = await proposeDraft(spool, agent(caller), { threadId, ...readDraftFields(fields) })
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
