import { parseNames } from '../../model/characters/names.ts'
import type { ActorReference, View } from '../../model/access.ts'
import { openDraftStatuses, type Draft } from '../../model/draft.ts'
import { SpoolError } from '../../model/errors.ts'
import type { HistoryEntry } from '../../model/history.ts'
import type { ThreadSummary } from '../../model/thread.ts'
import type { ThreadFilters } from '../../model/thread-filters.ts'
import { viewFilters, type ThreadView, type ViewFilters } from '../../model/thread-views.ts'
import type { OpenThread, ThreadRow } from '../../model/work.ts'
import { snapshot } from '../../store/database.ts'
import { draftsOfThread, openDraftsOfThreads } from '../../store/drafts/drafts.ts'
import { followingOf } from '../../store/notices/follows.ts'
import { findMailServer } from '../../store/inboxes/mail-servers.ts'
import { decodeItems } from '../../store/threads/summary.ts'
import { findThreadIn } from '../access/access.ts'
import { viewDraft } from '../drafts/view.ts'
import type { Spool } from '../spool.ts'
import { listThreads } from './list.ts'
import { readThread, summarise, type HistoryPage } from './threads.ts'

export async function listWork(
  spool: Spool,
  view: View,
  { named, ...filters }: ThreadFilters & { named: ThreadView | null },
  page: { cursor: string | null; limit: number },
): Promise<{ data: ThreadRow[]; nextCursor: string | null }> {
  const { items, nextCursor } = await listThreads(spool, view, withNamed(filters, named), page)
  return { data: await addDrafts(spool, decodeItems(items)), nextCursor }
}

/** A view fixes its own filters; others can narrow it. */
export function withNamed(filters: ThreadFilters, named: ThreadView | null): ThreadFilters {
  if (named === null) return filters
  const { statuses, assignee, unread }: ViewFilters = viewFilters[named]
  const settled = filters.status !== null ? 'status' : assignee && filters.assignee ? 'assignee' : null
  if (settled)
    throw new SpoolError('bad_parameter', `The view ${named} already sets ${settled}; leave it out.`, {
      details: { parameter: settled },
    })
  return {
    ...filters,
    status: [...statuses],
    assignee: assignee ?? filters.assignee,
    unread: unread ?? filters.unread,
  }
}

/** One thread as a list row, for the page to show after a change. */
export async function getWork(spool: Spool, view: View, id: string): Promise<ThreadRow> {
  const thread = await snapshot(spool.db, async (db) =>
    summarise(db, spool, view, await findThreadIn(db, view.inboxes, id)),
  )
  const [work] = await addDrafts(spool, [thread])
  return work!
}

export async function addDrafts(spool: Spool, threads: readonly ThreadSummary[]): Promise<ThreadRow[]> {
  const written = threads.filter(({ draftCount }) => draftCount > 0).map(({ id }) => id)
  const drafts = Map.groupBy(await openDraftsOfThreads(spool.db, written), ({ thread_id }) => thread_id)
  return threads.map((thread) => ({
    ...thread,
    openDrafts: (drafts.get(thread.id) ?? []).map(({ id, status, author }) => ({
      id,
      status,
      author: parseNames(author) as ActorReference,
    })),
  }))
}

/** An open thread: its history and its open drafts. */
export async function openThread(
  spool: Spool,
  view: View,
  id: string,
  page: HistoryPage,
): Promise<Omit<OpenThread, 'people'>> {
  const { summary, history, nextCursor } = await readThread(spool, view, id, page)
  const found = await snapshot(spool.db, async (db) => {
    const row = await findThreadIn(db, view.inboxes, summary.id)
    const open = row.draft_count === 0 ? [] : await draftsOfThread(db, row.number, openDraftStatuses)
    const drafts: Draft[] = []
    for (const draft of open) drafts.push(await viewDraft(db, draft))
    return {
      drafts,
      following: await followingOf(db, row.number, view.user.id),
      canBeAnswered: (await findMailServer(db, row.inbox, 'smtp')) !== undefined,
    }
  })
  return { ...summary, history: history.map(withOwnFiles), historyNextCursor: nextCursor, ...found }
}

const filesOfApi = '/api/v1/attachments/'
const filesOfPage = '/app/api/attachments/'

/** The page has no token: it fetches files with its session. */
function withOwnFiles(entry: HistoryEntry): HistoryEntry {
  if (entry.type !== 'message') return entry
  const attachments = entry.attachments.map((file) => ({ ...file, url: filesOfPage + file.id }))
  let { html } = entry
  for (const { id } of entry.attachments)
    html = html?.replaceAll(`"${filesOfApi}${id}"`, `"${filesOfPage}${id}"`) ?? null
  return { ...entry, attachments, html }
}
