import { computed, signal } from '@preact/signals'

export const viewNames = [
  'mine',
  'unassigned',
  'review',
  'unread',
  'open',
  'waiting',
  'snoozed',
  'closed',
  'spam',
] as const
export type ViewName = (typeof viewNames)[number]

/** What the middle column shows. */
export type Place =
  | { type: 'view'; view: ViewName }
  | { type: 'inbox'; inbox: string }
  | { type: 'search'; q: string }

export type Route =
  | { name: 'inbox'; place: Place; thread: string | null; draft: string | null }
  | { name: 'compose'; inbox: string | null; draft: string | null }
  | { name: 'setup' | 'invitation' | 'reset'; token: string }
  | { name: 'consent'; request: string }
  | { name: 'notices' }
  | { name: 'settings'; page: string | null; item: string | null }

const address = signal(location.pathname + location.search + location.hash)

/** On a narrow screen the left column opens on demand, as an entry of the history: going back closes it. */
export const railOpen = signal(history.state === 'rail')

addEventListener('popstate', () => {
  address.value = location.pathname + location.search + location.hash
  railOpen.value = history.state === 'rail'
})

export function openRail(): void {
  if (!railOpen.value) history.pushState('rail', '')
  railOpen.value = true
}

export function closeRail(): void {
  if (railOpen.value) history.back()
  railOpen.value = false
}

export const route = computed(() => readAddress(address.value))

export function readAddress(text: string): Route {
  const url = new URL(text, location.origin)
  const [first = '', second = null, third = null] = url.pathname
    .split('/')
    .filter(Boolean)
    .map((part) => safeDecode(part))
  const draft = url.searchParams.get('draft')
  const inbox = (place: Place, thread: string | null): Route => ({ name: 'inbox', place, thread, draft })
  const way = ({ setup: 'setup', invitations: 'invitation', reset: 'reset' } as const)[first]
  if (way) return { name: way, token: second ?? url.searchParams.get('token') ?? url.hash.slice(1) }
  if (first === 'consent') return { name: 'consent', request: url.search.slice(1) }
  if (first === 'compose') return { name: 'compose', inbox: url.searchParams.get('inbox'), draft: second }
  if (first === 'account') return { name: 'settings', page: 'profile', item: null }
  if (first === 'oauth') return { name: 'settings', page: 'inboxes', item: 'signed-in' }
  if (first === 'notices') return { name: 'notices' }
  if (first === 'settings') return { name: 'settings', page: second, item: third }
  if (first === 'threads') return inbox({ type: 'view', view: 'open' }, second)
  if (first === 'inboxes' && second) return inbox({ type: 'inbox', inbox: second }, third)
  if (first === 'search') return inbox({ type: 'search', q: url.searchParams.get('q') ?? '' }, second)
  const view = viewNames.find((name) => name === first) ?? 'open'
  return inbox({ type: 'view', view }, second)
}

function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function placePath(place: Place, thread: string | null = null, draft: string | null = null): string {
  const tail = thread === null ? '' : `/${thread}`
  const query = new URLSearchParams()
  if (place.type === 'search') query.set('q', place.q)
  if (draft !== null) query.set('draft', draft)
  const base =
    place.type === 'view' ? `/${place.view}` : place.type === 'inbox' ? `/inboxes/${place.inbox}` : '/search'
  const text = query.toString()
  return base + tail + (text === '' ? '' : `?${text}`)
}

/** Navigates within the page; `replace` adds no history entry. */
export function go(path: string, { replace = false } = {}): void {
  if (path === address.value) return
  if (replace || railOpen.value) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  railOpen.value = false
  address.value = path
}

/** Plain clicks on internal links navigate within the page; all others are left to the browser. */
export function followLinks(event: MouseEvent): void {
  const link = event.defaultPrevented ? null : internalLink(event)
  if (!link) return
  event.preventDefault()
  go(link.pathname + link.search + link.hash)
}

/** The link that a click follows within the page, if any. */
export function internalLink(event: MouseEvent): HTMLAnchorElement | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = (event.target as Element).closest('a')
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return null
  return /^\/(app|api|docs)(\/|$)/.test(link.pathname) ? null : link
}

/** The current list; pages without a list keep the last one. */
let lastPlace: Place = { type: 'view', view: 'open' }
export const place = computed<Place>(() => {
  const now = route.value
  if (now.name === 'inbox' && !samePlace(now.place, lastPlace)) lastPlace = now.place
  return lastPlace
})

/** Back from a page without a list; closes the left column first. */
export function goToList(): void {
  if (railOpen.value) closeRail()
  else go(placePath(place.value))
}

/** Whether the list is the one of drafts to review. */
export const isReview = computed(() => place.value.type === 'view' && place.value.view === 'review')

export function samePlace(one: Place, other: Place): boolean {
  return placePath(one) === placePath(other)
}

/** Whether this draft is open as a mail of its own; null: the new one that the server does not have yet. */
export function isComposing(draftId: string | null): boolean {
  return route.value.name === 'compose' && route.value.draft === draftId
}

export const threadId = computed(() => (route.value.name === 'inbox' ? route.value.thread : null))
