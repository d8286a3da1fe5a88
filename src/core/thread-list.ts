import type { Inbox, View } from '../model/access.ts'
import type { Status } from '../model/thread.ts'
import { splitWords } from '../model/words.ts'
import { listThreadPage, type ThreadListing } from '../store/thread-pages.ts'
import { readCursor, writeCursor } from './cursors.ts'
import type { Spool } from './spool.ts'

export interface ThreadFilters {
  unread: boolean
  statuses: readonly Status[] | null
  /** `me`, `none`, a user's id, or null for anybody. */
  assignee: string | null
  /** Id or address. */
  inbox: string | null
  q: string | null
  updatedSince: number | null
}

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
  const filterText = JSON.stringify(['threads', caller.user.id, filters])
  const after = page.cursor === null ? null : readCursor(spool, filterText, page.cursor)
  const listing = recallListing(spool, caller, filters, filterText)
  // Words without a letter or digit stand in no message.
  if (listing.words?.length === 0) return { items: Buffer.of(), nextCursor: null }
  const { limit, marked = false } = page
  const { items, next } = await listThreadPage(spool.db, listing, { after, limit, marked })
  return { items, nextCursor: next && writeCursor(spool, filterText, next) }
}

const listings = new WeakMap<View, Map<string, ThreadListing>>()

/** A caller is made anew when what it may see changes, so what was worked out for it stays true. */
function recallListing(
  spool: Spool,
  caller: View,
  filters: ThreadFilters,
  filterText: string,
): ThreadListing {
  let known = listings.get(caller)
  if (!known) listings.set(caller, (known = new Map()))
  let listing = known.get(filterText)
  if (!listing) {
    listing = planListing(spool, caller, filters)
    if (known.size >= 100) known.delete(known.keys().next().value!)
    known.set(filterText, listing)
  }
  return listing
}

function planListing(spool: Spool, caller: View, filters: ThreadFilters): ThreadListing {
  const { unread, statuses, assignee, inbox, q, updatedSince } = filters
  return {
    inboxes: inboxesAsked(caller, inbox),
    url: spool.url,
    userId: caller.user.id,
    unread,
    statuses: statuses && [...new Set(statuses)],
    assignee: assignee === null ? undefined : assigneeAsked(caller, assignee),
    words: q === null ? null : splitWords(q),
    updatedSince,
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
