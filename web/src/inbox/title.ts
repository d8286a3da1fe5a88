import type { Place } from '../page/router.ts'
import { session } from '../session/session.ts'
import { savedViews } from '../search/saved-views.ts'
import { texts } from '../page/texts.ts'

export function titleOf(place: Place): string {
  if (place.type === 'view') return texts.views[place.view]
  if (place.type === 'search')
    return savedViews.value.find(({ search }) => search === place.q)?.name ?? texts.views.search
  return session.value?.inboxes.find(({ id }) => id === place.inbox)?.name ?? ''
}
