import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get } from '../page/api.ts'
import { place, placePath, type Place } from '../page/router.ts'
import { formatCount } from '../threads/counts.ts'
import { session } from '../session/session.ts'
import { texts } from './texts-elsewhere.ts'

const statuses = ['waiting', 'snoozed', 'closed'] as const

/** The list without its status: as a filter, and as the start of a search. Null: its status hides nothing. */
function withoutStatus(at: Place): { filter: object; search: string } | null {
  if (at.type === 'inbox') {
    const inbox = session.value?.inboxes.find(({ id }) => id === at.inbox)
    return inbox ? { filter: { inbox: inbox.id }, search: `in:${inbox.address}` } : null
  }
  if (at.type === 'search') return null
  if (at.view === 'mine') return { filter: { assignee: 'me' }, search: 'assignee:me' }
  if (at.view === 'unassigned') return { filter: { assignee: 'none' }, search: 'assignee:none' }
  return at.view === 'open' ? { filter: {}, search: '' } : null
}

/** Below an empty list: the threads that it leaves out because of their status, with links to them. */
export function Elsewhere() {
  const at = place.value
  const found = useSignal<{ status: (typeof statuses)[number]; count: number; path: string }[]>([])
  useEffect(() => {
    const list = withoutStatus(at)
    found.value = []
    if (!list) return
    const isCurrent = (): boolean => place.peek() === at
    const counted = statuses.map(async (status) => {
      const { count } = await get('/threads/count', { query: { ...list.filter, status } })
      const q = `${list.search} is:${status}`
      const path = placePath(list.search === '' ? { type: 'view', view: status } : { type: 'search', q })
      return { status, count, path }
    })
    Promise.all(counted).then(
      (all) => {
        if (isCurrent()) found.value = all.filter(({ count }) => count > 0)
      },
      () => undefined,
    )
  }, [at])
  if (found.value.length === 0) return null
  return (
    <p class="elsewhere">
      {texts.alsoHere}{' '}
      {found.value.map(({ status, count, path }, index) => (
        <span key={status}>
          {index > 0 && ' · '}
          <a href={path}>{texts.count(formatCount(count), status)}</a>
        </span>
      ))}
    </p>
  )
}
