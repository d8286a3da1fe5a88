import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { OpenThread, ThreadRow } from '../../../src/model/work.ts'
import { ask, getUnless } from '../page/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { useAction } from '../controls/form.tsx'
import { showProblem } from '../page/toasts.ts'
import { go, place, placePath } from '../page/router.ts'
import { shortTime } from '../page/times.ts'
import { texts } from '../page/texts.ts'
import { loadThread, markOld } from '../threads/store.ts'
import { joinTexts } from './texts-join.ts'

/** Merges two threads of one inbox. */
export function Join({ thread, onClose }: { thread: OpenThread; onClose: () => void }) {
  const q = useSignal(thread.sender.address)
  const found = useSignal<ThreadRow[] | null>(null)
  const chosen = useSignal<ThreadRow | null>(null)
  useEffect(() => {
    const gone = new AbortController()
    const timer = setTimeout(() => {
      const query = { inbox: thread.inbox.id, limit: '20', q: q.value.trim() || null }
      getUnless(gone.signal, '/threads', { query }).then(
        ({ data }) => {
          found.value = data.filter(({ id }) => id !== thread.id)
        },
        (error: unknown) => {
          if (!gone.signal.aborted) showProblem(error)
        },
      )
    }, 200)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [q.value])
  const { run: join } = useAction(async () => {
    const other = chosen.value!.id
    const { id } = await ask('POST', `/threads/${thread.id}/join`, { other })
    for (const each of [thread.id, other]) markOld(each)
    // The older thread survives.
    await loadThread(id)
    onClose()
    go(placePath(place.value, id), { replace: true })
  }, showProblem)
  if (chosen.value)
    return (
      <Dialog key="ask" title={joinTexts.sure.title} leave={texts.dialog.cancel} onClose={onClose}>
        <p>{joinTexts.sure.text}</p>
        {[thread, chosen.value].map((each) => (
          <div key={each.id} class="merged-thread">
            <b>{each.subject || texts.list.noSubject}</b>
            <span>{each.sender.name ?? each.sender.address}</span>
            <small>
              {joinTexts.sure.messages(each.messageCount)} · {shortTime(each.timestamp)}
            </small>
          </div>
        ))}
        <footer>
          <button type="button" class="btn" onClick={() => (chosen.value = null)}>
            {joinTexts.sure.back}
          </button>
          <button type="button" class="btn primary" onClick={join}>
            {joinTexts.sure.merge}
          </button>
        </footer>
      </Dialog>
    )
  return (
    <Dialog key="choose" title={joinTexts.title} leave={texts.dialog.cancel} onClose={onClose}>
      <p>{joinTexts.text}</p>
      <input
        class="field-input"
        autofocus
        value={q.value}
        aria-label={joinTexts.search}
        placeholder={joinTexts.search}
        onInput={(event) => (q.value = event.currentTarget.value)}
      />
      <div class="join-list">
        {found.value?.length === 0 && <p class="quiet-text">{joinTexts.none}</p>}
        {found.value?.map((row) => (
          <button key={row.id} type="button" class="menu-item" onClick={() => (chosen.value = row)}>
            <span class="cut">
              {row.sender.name ?? row.sender.address} · {row.subject || texts.list.noSubject}
            </span>
            <small>{shortTime(row.timestamp)}</small>
          </button>
        ))}
      </div>
    </Dialog>
  )
}
