import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { sentenceOf } from '../../page/api.ts'
import { Dialog } from '../../controls/dialog.tsx'
import { Problem, useAction } from '../../controls/form.tsx'
import { showToast, showProblem } from '../../page/toasts.ts'
import { texts } from './texts.ts'

/** A button for something irreversible: it asks for confirmation and says what will happen. */
export function Confirm({
  of,
  title,
  text,
  act = texts.remove,
  onAct,
}: {
  /** What it acts on, for those who do not see the line it stands in. */
  of?: string | null
  title: string
  text: string
  /** The label of both buttons. */
  act?: string
  onAct: () => Promise<unknown>
}) {
  const open = useSignal(false)
  const problem = useSignal<string | null>(null)
  const begin = (): void => {
    problem.value = null
    open.value = true
  }
  const { isBusy, run } = useAction(
    async () => {
      await onAct()
      open.value = false
    },
    (error) => (problem.value = sentenceOf(error)),
  )
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
            <button type="button" class="btn danger" disabled={isBusy} onClick={run}>
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
  of,
  children,
  onAct,
  done,
}: {
  /** As in `Confirm`. */
  of?: string
  children: ComponentChildren
  onAct: () => Promise<unknown>
  done?: string
}) {
  const { isBusy, run } = useAction(async () => {
    await onAct()
    if (done) showToast(done)
  }, showProblem)
  return (
    <button type="button" class="btn" disabled={isBusy} onClick={run}>
      {children}
      {of && <span class="hidden"> {of}</span>}
    </button>
  )
}
