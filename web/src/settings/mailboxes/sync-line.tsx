import { useRef } from 'preact/hooks'
import type { InboxSettings, SyncView } from '../../../../src/model/settings.ts'
import { ask } from '../../page/api.ts'
import { fullTime, futureTime, timeAgo } from '../../page/times.ts'
import { Act } from '../parts/confirm.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.sync

/** Polling interval: shorter while a sync is running. */
export function pace(inboxes: readonly InboxSettings[]): number {
  const moves = inboxes.some(({ sync }) => sync && ['starting', 'syncing'].includes(sync.state))
  return moves ? 700 : 5000
}

/** Sync state, progress, and on failure what to do. */
export function SyncLine({ inbox, onTried }: { inbox: InboxSettings; onTried: () => void }) {
  return (
    <>
      {inbox.passwordsLost.length > 0 && (
        <p class="wrong" role="status">
          {t.passwordsLost(inbox.passwordsLost)}
        </p>
      )}
      <SyncState inbox={inbox} onTried={onTried} />
    </>
  )
}

function SyncState({ inbox, onTried }: { inbox: InboxSettings; onTried: () => void }) {
  const { sync, imap, id } = inbox
  if (!imap) return <p class="sync">{inbox.smtp ? t.forwarded : t.unconnected}</p>
  const retry = () => ask('POST', `/settings/inboxes/${id}/sync`, {}).then(onTried)
  return (
    <div class="sync">
      <p>
        <span class={`chip ${tone(sync)}`}>{t.states[sync?.state ?? 'starting']}</span>{' '}
        {sync?.lastSyncAt && (
          <span title={fullTime(sync.lastSyncAt)}>{t.last(timeAgo(sync.lastSyncAt))}</span>
        )}
      </p>
      {sync?.progress && <Progress {...sync.progress} />}
      {sync?.error && (
        <p class="wrong" role="status">
          {sync.error.message}{' '}
          {sync.error.retryAt && <small>{t.retries(futureTime(sync.error.retryAt))}</small>}
        </p>
      )}
      {sync && !['starting', 'syncing'].includes(sync.state) && (
        <Act of={inbox.name} onAct={retry} done={t.tried}>
          {t.tryNow}
        </Act>
      )}
    </div>
  )
}

function Progress({ done, total }: { done: number; total: number }) {
  const said = t.progress(done, total)
  const began = useRef({ at: performance.now(), done })
  const minutes = minutesLeft(began.current, done, total)
  return (
    <div class="progress">
      <progress max={Math.max(total, 1)} value={done} aria-label={said} />
      <small>
        {said} {minutes !== null && t.left(minutes)}
      </small>
    </div>
  )
}

/** An estimate from the speed since this page was opened; null while there is too little data. */
function minutesLeft(began: { at: number; done: number }, done: number, total: number): number | null {
  const [seconds, count] = [(performance.now() - began.at) / 1000, done - began.done]
  return seconds < 3 || count <= 0 ? null : Math.ceil(((total - done) * seconds) / count / 60)
}

function tone(sync: SyncView | null): string {
  if (!sync) return ''
  if (sync.state === 'failed') return 'danger'
  return sync.error ? 'warn' : 'ok'
}
