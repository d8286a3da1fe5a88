import { Icon } from '../controls/icon.tsx'
import { openRail } from '../page/router.ts'
import { texts } from '../page/texts.ts'
import { unreadNotices } from '../session/unread-notices.ts'

/** Opens the left column on a narrow screen, and marks unread notices in place of the badge in that column. */
export function MenuButton() {
  const unread = unreadNotices.value
  return (
    <button
      type="button"
      class={unread > 0 ? 'btn quiet menu-button unread' : 'btn quiet menu-button'}
      aria-label={unread > 0 ? texts.rail.openUnread(unread) : texts.rail.open}
      onClick={openRail}
    >
      <Icon name="menu" />
    </button>
  )
}
