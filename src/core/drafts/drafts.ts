import { actorReference, numbersOf, type Actor } from '../../model/access.ts'
import { cleanLines } from '../../model/characters/names.ts'
import { SpoolError } from '../../model/errors.ts'
import type { Draft, DraftRevision, DraftStatus } from '../../model/draft.ts'
import { toTime } from '../../model/time.ts'
import { snapshot, transaction } from '../../store/database.ts'
import type { Db } from '../../store/db.ts'
import {
  findProposal,
  listRevisions,
  listVisibleDrafts,
  loadRevision,
  openDraftsOfToken,
  updateDraft,
} from '../../store/drafts/drafts.ts'
import { appendHistory } from '../../store/threads/history.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'
import { listThreadMessages, type ThreadMessage } from '../../store/threads/thread-messages.ts'
import { findThreadInView, requireWriter, viewOf, requirePerson } from '../access/access.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import { renewThread } from '../forms/forms.ts'
import { findDraft, requireAuthor, requireChangeable, requireRevision } from './access.ts'
import { addRevision, beginDraft, writeContent, type DraftInput } from './revisions.ts'
import { recountDrafts, requireStatus, appendDraftEvent } from './state.ts'
import { readContent, viewDraft, viewRevision } from './view.ts'
import { newestByTime, newestInbound } from './writing.ts'
import { checkDraftText, checkProposal } from './mail-fields.ts'
import type { Spool } from '../spool.ts'

const mostOfAToken = 5
/** How long an idempotency key identifies the same proposal. */
const keyMilliseconds = 86_400_000

/**
 * A reply to the newest inbound mail; Spool fills in recipients and subject. With a key, an agent that does not know
 * whether its call arrived can repeat it and gets the draft in its current state.
 */
export async function proposeDraft(
  spool: Spool,
  actor: Actor,
  wanted: DraftInput & { threadId: string; idempotencyKey?: string },
): Promise<Draft> {
  const by = requireAuthor(actor)
  const text = checkText(by, wanted.text)
  await renewThread(spool, (await findThreadInView(spool.db, actor, wanted.threadId)).number)
  const now = spool.now()
  const key = wanted.idempotencyKey ?? null
  return transaction(spool.db, async (db) => {
    const thread = await findThreadInView(db, actor, wanted.threadId)
    if (by.type === 'agent') {
      const proposal = { thread: thread.number, tokenId: by.id, since: now - keyMilliseconds }
      const known = key === null ? undefined : await findProposal(db, { ...proposal, key })
      if (known) return viewDraft(db, known)
      await requireRoomForProposal(db, thread, by.id)
    }
    const messages = await listThreadMessages(db, thread.number)
    const answered = answeredBy(by, messages)
    const content = await writeContent(db, by, { messages, answered, inbox: thread.inbox }, null, {
      ...wanted,
      text,
    })
    return beginDraft(db, by, content, now, {
      inbox: thread.inbox,
      thread: thread.number,
      kind: 'reply',
      answers: answered.id,
      newest_message: messages.at(-1)!.id,
      idempotency_key: key,
    })
  })
}

async function requireRoomForProposal(db: Db, thread: ThreadRow, tokenId: string): Promise<void> {
  if (thread.status === 'spam')
    throw new SpoolError('conflict', 'This thread is marked as spam, so it cannot be answered.')
  const open = await openDraftsOfToken(db, thread.number, tokenId)
  if (open.length >= mostOfAToken)
    throw new SpoolError(
      'conflict',
      `This token has ${open.length} open drafts on this thread; revise or withdraw one of them: ${open.join(', ')}.`,
    )
}

/** A person can save an empty draft; a proposal must have text. */
function checkText(actor: Actor, text: string): string {
  return actor.type === 'agent' ? checkProposal(text) : checkDraftText(text)
}

/** A person can also follow up on their own mail; an agent only answers inbound mail. */
function answeredBy(actor: Actor, messages: readonly ThreadMessage[]): ThreadMessage {
  const fromOutside = messages.some(({ direction }) => direction === 'inbound')
  return actor.type === 'person' && !fromOutside ? newestByTime(messages)! : newestInbound(messages)
}

/**
 * The caller names the revision it edited, so that nobody overwrites a newer one unseen. A person's page that lost the
 * answer can save the same again.
 */
export async function reviseDraft(
  spool: Spool,
  actor: Actor,
  change: DraftInput & { draftId: string; revision: number },
): Promise<Draft> {
  const by = requireAuthor(actor)
  const text = checkText(by, change.text)
  await renewThread(spool, (await findDraft(spool.db, actor, change.draftId)).thread)
  const now = spool.now()
  return transaction(spool.db, async (db) => {
    const draft = await findDraft(db, actor, change.draftId)
    if (by.type === 'agent') requireChangeable(draft, by)
    requireStatus(
      draft,
      by.type === 'agent' ? ['proposed', 'stale'] : ['proposed', 'editing', 'stale', 'failed'],
      by.type === 'agent' ? 'Propose a new one.' : 'It cannot be edited now.',
    )
    const newest = await loadRevision(db, draft.id, draft.revision)
    const mayRepeat =
      draft.status === 'editing' &&
      draft.revision === change.revision + 1 &&
      newest.actor === JSON.stringify(actorReference(by))
    if (!mayRepeat) await requireRevision(db, draft, change.revision)
    const before = readContent(newest)
    const messages = draft.thread === null ? [] : await listThreadMessages(db, draft.thread)
    // An agent always answers the newest mail; a person's draft keeps the message it was started on.
    const answered =
      by.type === 'agent'
        ? newestInbound(messages)
        : (messages.find(({ id }) => id === draft.answers) ?? null)
    const content = await writeContent(
      db,
      by,
      { messages, answered, inbox: draft.inbox },
      { ...before, answers: draft.answers, ofAgent: draft.token_id !== null },
      { ...change, text },
    )
    if (mayRepeat && JSON.stringify(content) === newest.content) return viewDraft(db, draft)
    await requireRevision(db, draft, change.revision)
    return addRevision(db, by, draft, content, now, {
      answers: answered?.id ?? null,
      newest_message: messages.at(-1)?.id ?? null,
    })
  })
}

/** An agent takes back its own proposal. */
export async function withdrawDraft(spool: Spool, actor: Actor, draftId: string): Promise<Draft> {
  if (actor.type !== 'agent')
    throw new SpoolError('forbidden', 'Only agents withdraw drafts; a person can discard one.')
  requireWriter(actor)
  const now = spool.now()
  return transaction(spool.db, async (db) => {
    const draft = await findDraft(db, actor, draftId)
    requireChangeable(draft, actor)
    requireStatus(draft, ['proposed', 'stale'], 'It can no longer be withdrawn.')
    const by = actorReference(actor)
    const outcome = { result: 'withdrawn', at: toTime(now), by, ...noResult, reason: null }
    await updateDraft(db, draft, { status: 'withdrawn', updated_at: now, outcome: JSON.stringify(outcome) })
    await recountDrafts(db, draft.thread, now)
    await appendHistory(db, draft.thread!, 'draft_withdrawn', now, { draftId, actor: by })
    await appendDraftEvent(db, 'draft.withdrawn', draft, actor, now)
    return viewDraft(db, draft)
  })
}

const noResult = { editRatio: null, recipientsChanged: null, messageId: null }
const longestReason = 1000

/** A person rejects the draft; the agent that proposed it can read the reason. */
export async function discardDraft(
  spool: Spool,
  actor: Actor,
  { draftId, revision, reason }: { draftId: string; revision: number; reason: string | null },
): Promise<Draft> {
  const by = actorReference(requirePerson(actor))
  const given = (reason && cleanLines(reason).trim()) || null
  if (given !== null && given.length > longestReason)
    throw new SpoolError('bad_parameter', `A reason can have at most ${longestReason} characters.`)
  const now = spool.now()
  return transaction(spool.db, async (db) => {
    const draft = await findDraft(db, actor, draftId)
    requireStatus(draft, ['proposed', 'editing', 'stale', 'failed'], 'It cannot be discarded now.')
    await requireRevision(db, draft, revision)
    const outcome = { result: 'discarded', at: toTime(now), by, ...noResult, reason: given }
    await updateDraft(db, draft, { status: 'discarded', updated_at: now, outcome: JSON.stringify(outcome) })
    await recountDrafts(db, draft.thread, now)
    if (draft.thread !== null)
      await appendHistory(db, draft.thread, 'draft_discarded', now, { draftId, actor: by, reason: given })
    await appendDraftEvent(db, 'draft.discarded', draft, actor, now)
    return viewDraft(db, draft)
  })
}

/** A person has read the new mail up to `newestMessageId` and keeps the draft. */
export async function confirmDraft(
  spool: Spool,
  actor: Actor,
  { draftId, revision, newestMessageId }: { draftId: string; revision: number; newestMessageId: string },
): Promise<Draft> {
  requirePerson(actor)
  const now = spool.now()
  return transaction(spool.db, async (db) => {
    const draft = await findDraft(db, actor, draftId)
    requireStatus(draft, ['stale'], 'There is nothing to confirm.')
    await requireRevision(db, draft, revision)
    const newest = (await listThreadMessages(db, draft.thread!)).at(-1)!
    if (newest.id !== newestMessageId)
      throw new SpoolError('conflict', 'More mail has arrived since then. Read it first.', {
        details: { newestMessageId: newest.id },
      })
    await updateDraft(db, draft, { status: 'editing', newest_message: newest.id, updated_at: now })
    await appendDraftEvent(db, 'draft.revised', draft, actor, now, {
      changes: { status: { from: 'stale', to: 'editing' } },
    })
    return viewDraft(db, draft)
  })
}

export async function getDraft(spool: Spool, actor: Actor, draftId: string): Promise<Draft> {
  return snapshot(spool.db, async (db) => viewDraft(db, await findDraft(db, actor, draftId)))
}

/** Oldest first. */
export async function listDraftRevisions(
  spool: Spool,
  actor: Actor,
  draftId: string,
): Promise<DraftRevision[]> {
  return snapshot(spool.db, async (db) => {
    const draft = await findDraft(db, actor, draftId)
    return (await listRevisions(db, draft.id)).map(viewRevision)
  })
}

export interface DraftFilters {
  threadId: string | null
  statuses: readonly DraftStatus[] | null
  author?: 'agent' | 'person' | null
}

/** Most recently changed first; an agent sees only its own. */
export async function listDrafts(
  spool: Spool,
  actor: Actor,
  { threadId, statuses, author = null }: DraftFilters,
  page: { cursor: string | null; limit: number } = { cursor: null, limit: 100 },
): Promise<{ data: Draft[]; nextCursor: string | null }> {
  return snapshot(spool.db, async (db) => {
    const thread = threadId === null ? null : (await findThreadInView(db, actor, threadId)).number
    // All agents of a person see the same drafts and share cached pages, so cursors are theirs in common.
    const reader = actor.type === 'agent' ? actor.user.id : actor.id
    const filterText = JSON.stringify(['drafts', reader, thread, statuses, author])
    const rows = await listVisibleDrafts(db, {
      inboxes: numbersOf(await viewOf(db, actor)),
      thread,
      statuses,
      author,
      agentOf: actor.type === 'agent' ? actor.user.id : null,
      after: page.cursor === null ? null : readCursor(spool, filterText, page.cursor),
      limit: page.limit + 1,
    })
    const shown = rows.slice(0, page.limit)
    const last = shown.at(-1)
    const data: Draft[] = []
    for (const row of shown) data.push(await viewDraft(db, row))
    return {
      data,
      nextCursor:
        rows.length > page.limit && last
          ? writeCursor(spool, filterText, { timestamp: last.updated_at, id: last.id })
          : null,
    }
  })
}
