import type { ThreadRow } from '../../../src/model/work.ts'
import type { QueryOf, RouteAt } from '../page/contract.ts'
import type { Place } from '../page/router.ts'
import { session } from '../session/session.ts'

type ThreadQuery = QueryOf<RouteAt<'GET', '/threads/count'>>

/** The list's query parameters. */
export function queryOf(place: Place): ThreadQuery {
  // The review is a list of drafts.
  if (place.type === 'view') return place.view === 'review' ? {} : { view: place.view }
  if (place.type === 'inbox') return { inbox: place.inbox, status: 'open' }
  return readSearch(place.q)
}

/** Search terms, with filters such as `status:closed assignee:me inbox:support is:unread since:2026-11-01`. */
export function readSearch(text: string): ThreadQuery {
  const query: ThreadQuery = {}
  const plain: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const [, name, value] = /^(status|assignee|inbox|is|since):(\S+)$/i.exec(word) ?? []
    const filter = name && value ? readFilter(name.toLowerCase(), value) : null
    if (filter) Object.assign(query, filter)
    else plain.push(word)
  }
  if (plain.length > 0) query.q = plain.join(' ')
  return query
}

function readFilter(name: string, value: string): ThreadQuery | null {
  switch (name) {
    case 'is':
      return value === 'unread' ? { unread: '1' } : null
    case 'since': {
      const at = new Date(value)
      return Number.isNaN(at.getTime()) ? null : { updatedSince: at.toISOString() }
    }
    case 'inbox': {
      const wanted = value.toLowerCase()
      const found = session.value?.inboxes.find(
        ({ id, name, address }) => id === value || address === wanted || name.toLowerCase() === wanted,
      )
      return { inbox: found?.id ?? value }
    }
    case 'status':
      return { status: value }
    default:
      return { assignee: value }
  }
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
