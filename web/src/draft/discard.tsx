import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Dialog } from '../controls/dialog.tsx'
import { words } from '../page/words.ts'

export function Discard({
  ofAgent,
  onDiscard,
  onClose,
}: {
  ofAgent: boolean
  onDiscard: (reason: string | null) => void
  onClose: () => void
}): JSX.Element {
  const reason = useSignal('')
  return (
    <Dialog title={words.draft.discardTitle} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onDiscard(reason.value.trim() || null)
        }}
      >
        {ofAgent && <p>{words.draft.discardAgent}</p>}
        <label class="stacked">
          {words.draft.discardReason}
          <input
            class="field-input"
            maxLength={1000}
            value={reason.value}
            onInput={(event) => (reason.value = event.currentTarget.value)}
          />
        </label>
        <footer class="buttons">
          <button type="button" class="btn" onClick={onClose}>
            {words.draft.cancel}
          </button>
          <button type="submit" class="btn danger">
            {words.draft.discardDo}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
