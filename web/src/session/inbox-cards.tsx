import { isAdmin, session } from './session.ts'
import { texts } from './texts.ts'

/** Without an inbox there is no mail to list or to write. Admins connect one, others have to ask. */
export function NoInbox() {
  return (
    <div class="empty">
      <p>{isAdmin.value ? texts.noInbox.admin : texts.noInbox.others}</p>
      {isAdmin.value && (
        <a class="btn primary" href="/settings/inboxes/new">
          {texts.noInbox.connect}
        </a>
      )}
    </div>
  )
}

/** For admins: mailboxes that fetch no mail until somebody signs in again. */
export function StoppedInboxes() {
  return (
    <>
      {session.value?.stopped?.map(({ id, name }) => (
        <div key={id} class="token-ends" role="status">
          <span>{texts.stopped.said(name)}</span>
          <a href={`/settings/inboxes/${id}`}>{texts.stopped.look}</a>
        </div>
      ))}
    </>
  )
}
