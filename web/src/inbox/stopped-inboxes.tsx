import type { JSX } from 'preact'
import { session } from '../session/session.ts'
import { texts } from '../page/texts.ts'

/** For admins: mailboxes that fetch no mail until somebody signs in again. */
export function StoppedInboxes(): JSX.Element | null {
  const stopped = session.value?.stopped ?? []
  if (stopped.length === 0) return null
  return (
    <>
      {stopped.map(({ id, name }) => (
        <div key={id} class="token-ends" role="status">
          <span>{texts.stopped.said(name)}</span>
          <a href={`/settings/inboxes/${id}`}>{texts.stopped.look}</a>
        </div>
      ))}
    </>
  )
}
