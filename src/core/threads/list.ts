import type { Inbox, View } from '../../model/access.ts'
import type { ThreadFilters } from '../../model/thread-filters.ts'
import { splitTerms } from '../../model/search-terms.ts'
import { listThreadPage, type ThreadListing } from '../../store/threads/pages.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Spool } from '../spool.ts'

/** JSON in UTF-8, as it goes out: a list is never taken apart and put together again. */
export interface ThreadList {
  items: Uint8Array
  nextCursor: string | null
}

export async function listThreads(
  spool: Spool,
  caller: View,
  filters: ThreadFilters,
  page: { cursor: string | null; limit: number; marked?: boolean },
): Promise<ThreadList> {
  // Cursors are signed with it: those of before stay good.
  const { status, ...rest } = filters
  const filterText = JSON.stringify(['threads', caller.user.id, { ...rest, statuses: status }])
  const after = page.cursor === null ? null : readCursor(spool, filterText, page.cursor)
  const listing = planListing(spool, caller, filters)
  // Words without a letter or digit stand in no message.
  if (listing.terms?.length === 0) return { items: Buffer.of(), nextCursor: null }
  const { limit, marked = false } = page
  const { items, next } = await listThreadPage(spool.db, listing, { after, limit, marked })
  return { items, nextCursor: next && writeCursor(spool, filterText, next) }
}

function planListing(spool: Spool, caller: View, filters: ThreadFilters): ThreadListing {
  const { unread, status, assignee, inbox, q, updatedSince, ...unwired } = filters
  // A filter that is declared and not taken up above does not compile.
  const nothing: Record<string, never> = unwired
  return {
    inboxes: inboxesAsked(caller, inbox),
    url: spool.url,
    userId: caller.user.id,
    unread,
    statuses: status && [...new Set(status)],
    assignee: assignee === null ? undefined : assigneeAsked(caller, assignee),
    terms: q === null ? null : splitTerms(q),
    updatedSince,
    ...nothing,
  }
}

/** An inbox outside the view filters everything away, as one that does not exist would. */
function inboxesAsked(caller: View, asked: string | null): readonly Inbox[] {
  if (asked === null) return caller.inboxes
  return caller.inboxes.filter(({ id, address }) => id === asked || address === asked.toLowerCase())
}

function assigneeAsked(caller: View, asked: string): string | null {
  if (asked === 'none') return null
  return asked === 'me' ? caller.user.id : asked
}
