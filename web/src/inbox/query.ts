import type { ThreadRow } from '../api.ts'
import type { Place } from '../router.ts'
import { session } from '../session/session.ts'

/** What the list asks the server for. */
export function queryOf(place: Place): URLSearchParams {
  if (place.type === 'view') return new URLSearchParams({ view: place.view })
  if (place.type === 'inbox') return new URLSearchParams({ inbox: place.inbox, status: 'open' })
  return readSearch(place.q)
}

/** Words, and `status:closed assignee:me inbox:support is:unread since:2026-11-01` among them. */
export function readSearch(text: string): URLSearchParams {
  const query = new URLSearchParams()
  const plain: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const [, name, value] = /^(status|assignee|inbox|is|since):(\S+)$/i.exec(word) ?? []
    if (!name || !value || !takeFilter(query, name.toLowerCase(), value)) plain.push(word)
  }
  if (plain.length > 0) query.set('q', plain.join(' '))
  return query
}

function takeFilter(query: URLSearchParams, name: string, value: string): boolean {
  switch (name) {
    case 'is':
      if (value !== 'unread') return false
      query.set('unread', '1')
      return true
    case 'since': {
      const at = new Date(value)
      if (Number.isNaN(at.getTime())) return false
      query.set('updatedSince', at.toISOString())
      return true
    }
    case 'inbox': {
      const wanted = value.toLowerCase()
      const found = session.value?.inboxes.find(
        ({ id, name, address }) => id === value || address === wanted || name.toLowerCase() === wanted,
      )
      query.set('inbox', found?.id ?? value)
      return true
    }
    default:
      query.set(name, value)
      return true
  }
}

/** Whether a thread that has just changed still belongs in the list; a search keeps what it found. */
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
