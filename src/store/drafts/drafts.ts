import type { Insertable, Selectable, Updateable } from 'kysely'
import type { ActorReference } from '../../model/access.ts'
import { openDraftStatuses, type DraftStatus } from '../../model/draft.ts'
import type { Db, Tx } from '../db.ts'
import { findRow, insertRow, updateRows } from '../rows.ts'
import type { Position } from '../position.ts'
import type { Tables } from '../tables.ts'
import { touch } from '../log/versions.ts'

/** A draft with the public ids of its thread and inbox. */
export type DraftRow = Selectable<Tables['drafts']> & { thread_id: string | null; inbox_id: string }

function draftsOf(db: Db) {
  return db.build
    .selectFrom('drafts')
    .innerJoin('inboxes', 'inboxes.number', 'drafts.inbox')
    .leftJoin('threads', 'threads.number', 'drafts.thread')
    .selectAll('drafts')
    .select(['threads.id as thread_id', 'inboxes.id as inbox_id'])
}

/** Scoped like a thread: outside the view it does not exist. */
export async function findVisibleDraft(db: Db, id: string, inboxes: readonly number[]) {
  if (inboxes.length === 0) return undefined
  return db.first(draftsOf(db).where('drafts.id', '=', id).where('drafts.inbox', 'in', inboxes))
}

/** For internal use, where the draft is known to exist. */
export async function loadDraft(db: Db, id: string): Promise<DraftRow> {
  const row = await db.first(draftsOf(db).where('drafts.id', '=', id))
  if (!row) throw new Error(`There is no draft ${id}.`)
  return row
}

export interface DraftListing {
  inboxes: readonly number[]
  thread: number | null
  statuses: readonly DraftStatus[] | null
  author: 'agent' | 'person' | null
  /** Only drafts made with a token of this user. */
  agentOf: string | null
  after: Position | null
  limit: number
}

/** Most recently changed first. */
export async function listVisibleDrafts(db: Db, listing: DraftListing): Promise<DraftRow[]> {
  const { inboxes, thread, statuses, author, agentOf, after, limit } = listing
  if (inboxes.length === 0) return []
  let query = draftsOf(db).where('drafts.inbox', 'in', inboxes)
  if (thread !== null) query = query.where('drafts.thread', '=', thread)
  if (statuses !== null) query = query.where('drafts.status', 'in', statuses)
  if (author !== null) query = query.where('drafts.token_id', author === 'agent' ? 'is not' : 'is', null)
  if (agentOf !== null)
    query = query.where('drafts.user_id', '=', agentOf).where('drafts.token_id', 'is not', null)
  if (after)
    query = query.where((where) =>
      where(where.refTuple('drafts.updated_at', 'drafts.id'), '<', where.tuple(after.timestamp, after.id)),
    )
  return db.all(query.orderBy('drafts.updated_at', 'desc').orderBy('drafts.id', 'desc').limit(limit))
}

export async function draftsOfThread(db: Db, thread: number, statuses: readonly DraftStatus[]) {
  return db.all(
    draftsOf(db)
      .where('drafts.thread', '=', thread)
      .where('drafts.status', 'in', statuses)
      .orderBy('drafts.id'),
  )
}

/** Drafts that would go out without further action. */
export async function draftsBeingSent(db: Db): Promise<DraftRow[]> {
  return db.all(
    draftsOf(db)
      .where((where) =>
        where.or([
          where('drafts.status', '=', 'scheduled'),
          where.and([
            where('drafts.status', '=', 'sending'),
            where('drafts.phase', 'in', ['ready', 'waiting', 'over']),
          ]),
        ]),
      )
      .orderBy('drafts.id'),
  )
}

export async function openDraftsOfThreads(db: Db, threadIds: readonly string[]) {
  if (threadIds.length === 0) return []
  return db.all(
    db.build
      .selectFrom('threads')
      .innerJoin('drafts', 'drafts.thread', 'threads.number')
      .select(['threads.id as thread_id', 'drafts.id', 'drafts.status', 'drafts.author'])
      .where('threads.id', 'in', threadIds)
      .where('drafts.status', 'in', openDraftStatuses)
      .orderBy('drafts.id'),
  )
}

export async function countOpenDrafts(db: Db, thread: number): Promise<number> {
  const query = db.build
    .selectFrom('drafts')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('thread', '=', thread)
    .where('status', 'in', openDraftStatuses)
  return Number((await db.first(query))!.count)
}

/** Ids of the drafts that a token proposed on a thread and that may still be sent, oldest first. */
export async function openDraftsOfToken(db: Db, thread: number, tokenId: string): Promise<string[]> {
  const rows = await db.all(
    db.build
      .selectFrom('drafts')
      .select('id')
      .where('thread', '=', thread)
      .where('token_id', '=', tokenId)
      .where('status', 'in', openDraftStatuses)
      .orderBy('id'),
  )
  return rows.map(({ id }) => id)
}

/** The newest draft that a token proposed on a thread with this key. */
export async function findProposal(
  db: Db,
  { thread, tokenId, key, since }: { thread: number; tokenId: string; key: string; since: number },
) {
  return db.first(
    draftsOf(db)
      .where('drafts.token_id', '=', tokenId)
      .where('drafts.created_at', '>', since)
      .where('drafts.thread', '=', thread)
      .where('drafts.idempotency_key', '=', key)
      .orderBy('drafts.id', 'desc')
      .limit(1),
  )
}

/** The draft that a person is editing and first saved with this key. */
export async function findSavedDraft(db: Db, userId: string, inbox: number, key: string) {
  return db.first(
    draftsOf(db)
      .where('drafts.inbox', '=', inbox)
      .where('drafts.status', '=', 'editing')
      .where('drafts.user_id', '=', userId)
      .where('drafts.token_id', 'is', null)
      .where('drafts.idempotency_key', '=', key),
  )
}

export type NewDraft = Omit<
  Insertable<Tables['drafts']>,
  'author' | 'revision' | 'edited' | 'attempts' | 'created_at' | 'updated_at'
> & { author: ActorReference; createdAt: number }

export async function insertDraft(db: Tx, draft: NewDraft): Promise<void> {
  touch(db, `inbox:${draft.inbox}`)
  const { author, createdAt, ...values } = draft
  await insertRow(db, 'drafts', {
    ...values,
    author: JSON.stringify(author),
    revision: 1,
    edited: 0,
    attempts: 0,
    created_at: createdAt,
    updated_at: createdAt,
  })
}

export type DraftChange = Omit<Updateable<Tables['drafts']>, 'id' | 'inbox' | 'status'> & {
  status?: DraftStatus
}

export async function updateDraft(db: Tx, draft: DraftRow, change: DraftChange): Promise<void> {
  touch(db, `inbox:${draft.inbox}`)
  Object.assign(draft, change)
  await updateRows(db, 'drafts', { id: draft.id }, change)
}

export type RevisionRow = Selectable<Tables['draft_revisions']>

export async function insertRevision(db: Tx, revision: RevisionRow): Promise<void> {
  await insertRow(db, 'draft_revisions', revision)
}

export async function listRevisions(db: Db, draft: string): Promise<RevisionRow[]> {
  return db.all(
    db.build.selectFrom('draft_revisions').selectAll().where('draft', '=', draft).orderBy('revision'),
  )
}

export async function loadRevision(db: Db, draft: string, revision: number): Promise<RevisionRow> {
  const row = await findRow(db, 'draft_revisions', { draft, revision })
  if (!row) throw new Error(`Draft ${draft} has no revision ${revision}.`)
  return row
}

/** Call only while the revision itself is still being written. */
export async function updateRevisionContent(
  db: Tx,
  draft: string,
  revision: number,
  content: string,
): Promise<void> {
  await updateRows(db, 'draft_revisions', { draft, revision }, { content })
}
