import type { Place } from '../page/router.ts'
import { session } from '../session/session.ts'
import { words } from '../page/words.ts'

/** What a list is called. */
export function titleOf(place: Place): string {
  if (place.type === 'view') return words.views[place.view]
  if (place.type === 'search') return words.views.search
  return session.value?.inboxes.find(({ id }) => id === place.inbox)?.name ?? ''
}
