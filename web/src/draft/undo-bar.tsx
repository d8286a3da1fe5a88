import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useCommand } from '../page/command.ts'
import { dismissToast, toasts } from '../page/toasts.ts'
import { place, placePath } from '../page/router.ts'
import { texts } from '../page/texts.ts'
import { actionTexts } from '../threads/texts.ts'
import { doneActions, undo } from '../threads/undo.ts'
import { sendings, takeBack, type Sending } from './sending.ts'

/** At the bottom of the page: what can be undone, mail about to be sent, and short messages. */
export function FootBars() {
  const newest = sendings.value.at(-1)
  const isUnderWay = newest?.state === 'waiting' || newest?.state === 'retrying'
  const unsend = isUnderWay ? () => void takeBack(newest.draftId) : null
  const done = doneActions.value.at(-1)
  const isSendingLast = unsend !== null && newest!.since > (done?.at ?? 0)
  useCommand('undo', isSendingLast ? unsend : done ? () => void undo(done) : unsend)
  return (
    <div class="foot-bars" aria-live="polite">
      {toasts.value.map(({ id, text, kind }) => (
        <div key={id} class={`bar ${kind}`} role={kind === 'problem' ? 'alert' : undefined}>
          <span>{text}</span>
          <button type="button" onClick={() => dismissToast(id)}>
            {texts.errors.dismiss}
          </button>
        </div>
      ))}
      {done && (
        <div key={done.key} class="bar undo">
          <span>{done.said}</span>
          <button type="button" onClick={() => void undo(done)}>
            {actionTexts.undo}
          </button>
        </div>
      )}
      {newest && <SendingBar key={newest.draftId} sending={newest} onUndo={unsend} />}
    </div>
  )
}

function SendingBar({ sending, onUndo }: { sending: Sending; onUndo: (() => void) | null }) {
  const now = useSignal(Date.now())
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const { draftId, who, state, threadId, endsAt } = sending
  const seconds = Math.ceil((endsAt - now.value) / 1000)
  const u = texts.undo
  const countdown = seconds > 0 ? u.sending(who, seconds) : u.now(who)
  return (
    <div class={state === 'failed' || state === 'unknown' ? 'bar undo problem' : 'bar undo'}>
      <span>{state === 'waiting' ? countdown : u[state](who)}</span>
      {onUndo && (
        <button type="button" onClick={onUndo}>
          {u.undo}
        </button>
      )}
      {state === 'failed' && (
        <a href={threadId ? placePath(place.value, threadId) : `/compose/${draftId}`}>
          {texts.help.keys.draft}
        </a>
      )}
    </div>
  )
}
