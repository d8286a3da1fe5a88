import { removeInvisible } from '../model/invisible.ts'
import { z } from 'zod'
import { AgentDraft, Citation, DraftOutcome, Unsupported, type Draft } from '../model/draft.ts'
import { withoutBlanks, type Concise } from './concise.ts'
import { untrusted, type Fence } from './fence.ts'
import { fenceAddress, FencedAddress, fenceField } from './fenced-thread.ts'
import { writeDraftLetter } from './letter.ts'

const FencedOutcome = DraftOutcome.extend({
  reason: untrusted('why it was discarded, where a person said so.').nullable(),
})

export const FencedDraft = AgentDraft.extend({
  fence: fenceField,
  text: untrusted('its words as they stand now, a person may have edited them.'),
  to: z.array(FencedAddress),
  cc: z.array(FencedAddress),
  subject: untrusted("made of the thread's subject."),
  citations: z.array(Citation.extend({ quote: untrusted('words of that message.') })),
  unsupported: z.array(Unsupported.extend({ text: untrusted('as it stands in the draft.') })),
  outcome: FencedOutcome.nullable(),
  nextStep: z.string().nullable().meta({ description: 'What to do now; `null`: nothing but to wait.' }),
})

/** The draft after a change. The schema has only some of its fields; that of get_draft has all of them. */
export const ChangedDraft = FencedDraft.pick({
  fence: true,
  id: true,
  threadId: true,
  status: true,
  revision: true,
  text: true,
  nextStep: true,
}).meta({ description: 'The draft, as get_draft answers it.' })

/** Lists every field explicitly, as for threads. */
export function fenceDraft(draft: Draft, fence: Fence): z.infer<typeof FencedDraft> {
  const { outcome } = draft
  return {
    fence: fence.nonce,
    id: draft.id,
    threadId: draft.threadId,
    status: draft.status,
    revision: draft.revision,
    text: fence.wrap(removeInvisible(draft.text, 'mail').text),
    to: draft.to.map((address) => fenceAddress(address, fence)),
    cc: draft.cc.map((address) => fenceAddress(address, fence)),
    subject: fence.wrap(draft.subject),
    citations: draft.citations.map(({ messageId, quote }) => ({ messageId, quote: fence.wrap(quote) })),
    unsupported: draft.unsupported.map(({ kind, text, start, end }) => ({
      kind,
      text: fence.wrap(text),
      start,
      end,
    })),
    outcome: outcome && {
      result: outcome.result,
      at: outcome.at,
      by: { type: outcome.by.type, id: outcome.by.id, name: outcome.by.name },
      editRatio: outcome.editRatio,
      recipientsChanged: outcome.recipientsChanged,
      reason: fence.wrapOrNull(outcome.reason),
      messageId: outcome.messageId,
    },
    nextStep: findNextStep(draft),
  }
}

/** A list row: the status of the draft and the beginning of its text. */
export function listDraft(draft: Draft, fence: Fence): Concise {
  const { outcome } = draft
  return withoutBlanks({
    id: draft.id,
    threadId: draft.threadId,
    status: draft.status,
    revision: draft.revision,
    updatedAt: draft.updatedAt,
    edited: draft.edited,
    editRatio: outcome?.editRatio,
    letter: fence.wrap(removeInvisible(writeDraftLetter(draft), 'mail').text),
  })
}

function findNextStep({ status, revision, edited, updatedAt, unsupported }: Draft): string | null {
  if (edited && ['proposed', 'editing', 'stale'].includes(status))
    return 'A person has edited this draft and will decide about it; you can read it but not revise it.'
  if (status === 'stale')
    return `This draft is stale because the thread changed at ${updatedAt}: new mail arrived, or another thread was merged into it. Call get_thread, then revise_draft with revision ${revision}.`
  if (status === 'proposed' && unsupported.length > 0)
    return `What unsupported lists stands nowhere in the thread: check it, and call revise_draft with revision ${revision} if it is wrong.`
  if (status === 'discarded') return 'Read outcome.reason before you call propose_draft again.'
  return null
}
