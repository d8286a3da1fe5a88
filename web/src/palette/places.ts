import { placeActions } from '../page/action-table.ts'
import { placePath } from '../page/router.ts'
import { savedViews } from '../search/saved-views.ts'
import { session } from '../session/session.ts'
import { pagesFor } from '../settings/parts/pages.ts'
import { texts as settingsTexts } from '../settings/parts/texts.ts'
import { texts } from './texts.ts'

/** All destinations: views, saved views, inboxes and settings pages, with the shortcut keys that lead there too. */
export function listPlaces() {
  const { inboxes, user } = session.value!
  return [
    ...placeActions.map(({ command, title, keys }) => ({ title, keys, path: command.replace('go ', '/') })),
    ...savedViews.value.map(({ name, search }) => ({
      title: name,
      path: placePath({ type: 'search', q: search }),
      keys: [],
    })),
    ...inboxes.map(({ id, name }) => ({
      title: name,
      path: placePath({ type: 'inbox', inbox: id }),
      keys: [],
    })),
    ...pagesFor(user.role).map(({ name }) => ({
      title: texts.settings(settingsTexts.pages[name]),
      path: `/settings/${name}`,
      keys: [],
    })),
  ]
}
