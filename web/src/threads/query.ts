import type { ThreadRow } from '../../../src/model/work.ts'
import type { QueryOf, RouteAt } from '../page/contract.ts'
import type { Place } from '../page/router.ts'
import { session } from '../session/session.ts'

type ThreadQuery = QueryOf<RouteAt<'GET', '/threads/count'>>

/** The list's query parameters. */
export function queryOf(place: Exclude<Place, { type: 'search' }>): ThreadQuery {
  // The review is a list of drafts.
  if (place.type === 'view') return place.view === 'review' ? {} : { view: place.view }
  return { inbox: place.inbox, status: 'open' }
}

/** A search as query parameters. Its last word may be incomplete. */
export function searchQuery(search: string): QueryOf<RouteAt<'GET', '/search'>> {
  return { q: search, typing: '1', zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}

/** Whether there is nothing left to do in it for now. */
export function isDone({ status }: Pick<ThreadRow, 'status'>): boolean {
  return status !== 'open' && status !== 'waiting'
}

/** Whether a changed thread still belongs in the list; a search keeps its results. */
export function belongs(place: Place, thread: ThreadRow): boolean {
  if (place.type === 'search') return true
  if (place.type === 'inbox') return thread.inbox.id === place.inbox && thread.status === 'open'
  const me = session.value?.user.id
  switch (place.view) {
    case 'mine':
      return thread.status === 'open' && thread.assignment?.id === me
    case 'unassigned':
      return thread.status === 'open' && thread.assignment === null
    case 'unread':
    case 'review':
      return true
    default:
      return thread.status === place.view
  }
}
