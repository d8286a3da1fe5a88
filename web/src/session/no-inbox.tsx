import type { JSX } from 'preact'
import { texts } from '../page/texts.ts'
import { session } from './session.ts'

export function hasInbox(): boolean {
  return session.value!.inboxes.length > 0
}

/** Without an inbox there is no mail to list or to write. Admins connect one, others have to ask. */
export function NoInbox(): JSX.Element {
  const isAdmin = session.value!.user.role === 'admin'
  return (
    <div class="empty">
      <p>{isAdmin ? texts.noInbox.admin : texts.noInbox.others}</p>
      {isAdmin && (
        <a class="btn primary" href="/settings/inboxes/new">
          {texts.noInbox.connect}
        </a>
      )}
    </div>
  )
}
