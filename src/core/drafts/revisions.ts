import { actorReference } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import type { Citation, Draft, DraftStatus } from '../../model/draft.ts'
import { newId } from '../../model/ids.ts'
import type { Address } from '../../model/mail/mail.ts'
import { addressesOf, answerFrom } from '../../model/mail/own-address.ts'
import type { Db, Tx } from '../../store/db.ts'
import {
  findSavedDraft,
  insertDraft,
  insertRevision,
  loadDraft,
  updateDraft,
  type DraftRow,
  type NewDraft,
} from '../../store/drafts/drafts.ts'
import { appendHistory } from '../../store/threads/history.ts'
import type { ThreadMessage } from '../../store/threads/thread-messages.ts'
import { viewOf } from '../access/access.ts'
import type { Author } from './access.ts'
import { recountDrafts, appendDraftEvent } from './state.ts'
import { viewDraft, type DraftContent } from './view.ts'
import { checkQuotes, findUnsupported } from './writing.ts'
import { fenceCopies, replyEnvelope } from './envelope.ts'
import { checkRecipients, checkSubject } from './mail-fields.ts'
import { findNotices } from './recipient-notices.ts'

/** An agent may give only `text`, `cc` and `citations`; the rest is for people. */
export interface DraftInput {
  text: string
  /** Which of the inbox's addresses it is sent from. */
  from?: string
  to?: readonly (string | Address)[]
  cc?: readonly (string | Address)[]
  bcc?: readonly (string | Address)[]
  subject?: string
  citations?: readonly Citation[]
}

/**
 * Inserts the draft, its first revision, its history entry and its event. If a person repeats a first save, because
 * the answer was lost, that draft is the answer.
 */
export async function beginDraft(
  db: Tx,
  actor: Author,
  content: DraftContent,
  now: number,
  target: Pick<NewDraft, 'inbox' | 'thread' | 'kind' | 'answers' | 'newest_message' | 'idempotency_key'>,
): Promise<Draft> {
  if (actor.type === 'person' && target.idempotency_key) {
    const known = await findSavedDraft(db, actor.user.id, target.inbox, target.idempotency_key)
    if (known) return viewDraft(db, known)
  }
  const id = newId('drf', now)
  const author = actorReference(actor)
  await insertDraft(db, {
    ...target,
    id,
    status: actor.type === 'agent' ? 'proposed' : 'editing',
    author,
    user_id: actor.user.id,
    token_id: actor.type === 'agent' ? actor.id : null,
    createdAt: now,
  })
  await insertRevision(db, {
    draft: id,
    revision: 1,
    actor: JSON.stringify(author),
    created_at: now,
    content: JSON.stringify(content),
  })
  await recountDrafts(db, target.thread ?? null, now)
  const row = await loadDraft(db, id)
  if (row.thread !== null)
    await appendHistory(db, row.thread, 'draft_proposed', now, { draftId: id, actor: author })
  await appendDraftEvent(db, 'draft.proposed', row, actor, now)
  return viewDraft(db, row)
}

export async function addRevision(
  db: Tx,
  actor: Author,
  draft: DraftRow,
  content: DraftContent,
  now: number,
  target: { answers: string | null; newest_message: string | null; status?: DraftStatus },
): Promise<Draft> {
  const person = actor.type === 'person'
  await updateDraft(db, draft, {
    revision: draft.revision + 1,
    status: person ? 'editing' : 'proposed',
    ...target,
    updated_at: now,
    problem: null,
    ...(person && draft.token_id !== null ? { edited: 1 } : {}),
  })
  await insertRevision(db, {
    draft: draft.id,
    revision: draft.revision,
    actor: JSON.stringify(actorReference(actor)),
    created_at: now,
    content: JSON.stringify(content),
  })
  await appendDraftEvent(db, 'draft.revised', draft, actor, now)
  return viewDraft(db, draft)
}

interface DraftContext {
  messages: readonly ThreadMessage[]
  answered: ThreadMessage | null
  inbox: number
}

type Before = DraftContent & { answers: string | null; ofAgent: boolean }

/** Content of a new revision; fields not given keep their value or are filled in as for a reply to all. */
export async function writeContent(
  db: Db,
  actor: Author,
  { messages, answered, inbox }: DraftContext,
  before: Before | null,
  input: DraftInput,
): Promise<DraftContent> {
  if (actor.type === 'agent' && (input.from ?? input.to ?? input.bcc ?? input.subject) !== undefined)
    throw new SpoolError(
      'forbidden',
      'Spool fills in from, to, bcc and subject of a proposal; give only text and cc.',
    )
  const same = before !== null && before.answers === (answered?.id ?? null)
  const own = addressesOf((await viewOf(db, actor)).find(({ number }) => number === inbox)!)
  const reply = answered ? replyEnvelope(answered, own) : { to: [], cc: [], bcc: [], subject: '' }
  const usual = same ? before : reply
  if (actor.type === 'agent' && reply.to.length === 0)
    throw new SpoolError('conflict', 'The message to answer has no address to reply to.')
  const cc = input.cc && checkRecipients('cc', input.cc)
  const envelope = {
    to: input.to ? checkRecipients('to', input.to) : usual.to,
    cc: cc ? (actor.type === 'agent' ? fenceCopies(reply, cc) : cc) : usual.cc,
    bcc: input.bcc ? checkRecipients('bcc', input.bcc) : usual.bcc,
    subject: input.subject === undefined ? usual.subject : checkSubject(input.subject),
  }
  const citations = [...(input.citations ?? before?.citations ?? [])]
  // A person's edit keeps the agent's quotes unchecked; they were checked when they were made.
  if (input.citations) await checkQuotes(db, messages, citations)
  return {
    text: input.text,
    from: chooseFrom(input.from, own) ?? (same ? before.from : undefined) ?? answerFrom(answered, own),
    ...envelope,
    citations,
    unsupported:
      actor.type === 'agent' || before?.ofAgent ? await findUnsupported(db, messages, input.text) : [],
    notices: findNotices([...envelope.to, ...envelope.cc, ...envelope.bcc], messages, answered),
    attachments: before?.attachments ?? [],
  }
}

/** A person chooses among the inbox's addresses. */
function chooseFrom(wanted: string | undefined, own: readonly string[]): string | undefined {
  if (wanted === undefined) return undefined
  const address = wanted.trim().toLowerCase()
  if (own.includes(address)) return address
  throw new SpoolError(
    'bad_parameter',
    `from: ${JSON.stringify(wanted.slice(0, 100))} is not an address of this inbox; it has ${own.join(', ')}.`,
    { details: { field: 'from', given: wanted.slice(0, 100) } },
  )
}
