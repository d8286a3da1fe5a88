import type { View } from '../../model/access.ts'
import type { ThreadSummary } from '../../model/thread.ts'
import type { ThreadFilters } from '../../model/thread-filters.ts'
import { mostCounted } from '../../model/thread-views.ts'
import { splitTerms } from '../../model/search/terms.ts'
import type { ThreadListing } from '../../store/threads/listing.ts'
import { countListing, listThreadPage } from '../../store/threads/pages.ts'
import type { MessageSearch } from '../../store/threads/search.ts'
import { decodeItems, decodeItemsAsBytes } from '../../store/threads/summary.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import { inboxesNamed } from '../access/access.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Spool } from '../spool.ts'

/** The threads of a list as objects. */
export function readThreadList({ items }: ThreadList): ThreadSummary[] {
  return decodeItems(items)
}

/** The same with texts as UTF-8 bytes decoded as Latin-1. */
export function readThreadListAsBytes({ items }: Pick<ThreadList, 'items'>): ThreadSummary[] {
  return decodeItemsAsBytes(items)
}

/** JSON in UTF-8, as it is sent: a list need not be parsed and serialised again. */
export interface ThreadList {
  items: Uint8Array
  nextCursor: string | null
}

export async function listThreads(
  spool: Spool,
  caller: View,
  filters: ThreadFilters,
  page: { cursor: string | null; limit: number },
): Promise<ThreadList> {
  // Cursors are signed with this text: it keeps its form, so that earlier cursors remain valid.
  const { status, from, ...rest } = filters
  const sender = from === null ? {} : { from }
  const filterText = JSON.stringify(['threads', caller.user.id, { ...rest, statuses: status, ...sender }])
  const after = page.cursor === null ? null : readCursor(spool, filterText, page.cursor)
  const listing = await planListing(spool, caller, filters)
  // A query without a letter or digit matches no message.
  if (listing.search?.terms.length === 0) return { items: Buffer.of(), nextCursor: null }
  const { items, next } = await listThreadPage(spool.db, listing, { after, limit: page.limit })
  return { items, nextCursor: next && writeCursor(spool, filterText, next) }
}

/** How many threads the list has, up to `mostCounted`. */
export async function countThreads(spool: Spool, caller: View, filters: ThreadFilters): Promise<number> {
  const listing = await planListing(spool, caller, filters)
  return listing.search?.terms.length === 0 ? 0 : countListing(spool.db, listing, mostCounted)
}

/** A search that matches every message. */
export const everyMessage: MessageSearch = {
  terms: [],
  beginning: null,
  without: [],
  since: null,
  until: null,
  withFiles: false,
  test: null,
}

export async function planListing(
  spool: Spool,
  caller: View,
  filters: ThreadFilters,
): Promise<ThreadListing> {
  const { unread, status, assignee, from, inbox, q, updatedSince, ...unwired } = filters
  // Does not compile if a declared filter is not handled above.
  const nothing: Record<string, never> = unwired
  return {
    inboxes: inboxesNamed(caller, inbox === null ? null : [inbox]),
    url: spool.url,
    userId: caller.user.id,
    unread,
    statuses: status && [...new Set(status)],
    assignee: assignee === null ? undefined : await assigneeAsked(spool, caller, assignee),
    from,
    search: q === null ? null : { ...everyMessage, terms: splitTerms(q) },
    updatedSince,
    ...nothing,
  }
}

async function assigneeAsked(spool: Spool, caller: View, asked: string): Promise<string | null> {
  if (asked === 'none') return null
  if (asked.includes('@')) return (await findUserByEmail(spool.db, asked))?.id ?? asked
  return asked === 'me' ? caller.user.id : asked
}
