import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { sentenceOf } from '../../page/api.ts'
import { Dialog } from '../../controls/dialog.tsx'
import { Problem } from '../../controls/form.tsx'
import { tell } from '../../page/notices.ts'
import { texts } from './texts.ts'

/** A button for something irreversible: it asks for confirmation and says what will happen. */
export function Confirm({
  of,
  title,
  text,
  act,
  onAct,
}: {
  /** What it acts on, for those who do not see the line it stands in. */
  of?: string | null
  title: string
  text: string
  /** The label of both buttons. */
  act: string
  onAct: () => Promise<void>
}): JSX.Element {
  const open = useSignal(false)
  const busy = useSignal(false)
  const problem = useSignal<string | null>(null)
  const begin = (): void => {
    problem.value = null
    open.value = true
  }
  const run = async (): Promise<void> => {
    if (busy.value) return
    busy.value = true
    try {
      await onAct()
      open.value = false
    } catch (error) {
      problem.value = sentenceOf(error)
    } finally {
      busy.value = false
    }
  }
  return (
    <>
      <button type="button" class="btn danger" onClick={begin}>
        {act}
        {of && <span class="hidden"> {of}</span>}
      </button>
      {open.value && (
        <Dialog title={title} leave={null} onClose={() => (open.value = false)}>
          <p>{text}</p>
          <Problem text={problem.value} />
          <footer>
            <button type="button" class="btn" onClick={() => (open.value = false)}>
              {texts.cancel}
            </button>
            <button type="button" class="btn danger" disabled={busy.value} onClick={() => void run()}>
              {act}
            </button>
          </footer>
        </Dialog>
      )}
    </>
  )
}

/** A button that acts at once and reports failure at the bottom of the page. */
export function Act({
  children,
  onAct,
  done,
}: {
  children: ComponentChildren
  onAct: () => Promise<unknown>
  done?: string
}): JSX.Element {
  const busy = useSignal(false)
  const run = async (): Promise<void> => {
    busy.value = true
    try {
      await onAct()
      if (done) tell(done)
    } catch (error) {
      tell(sentenceOf(error), 'problem')
    } finally {
      busy.value = false
    }
  }
  return (
    <button type="button" class="btn" disabled={busy.value} onClick={() => void run()}>
      {children}
    </button>
  )
}
