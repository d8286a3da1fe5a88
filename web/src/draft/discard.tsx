import { useSignal } from '@preact/signals'
import { Dialog } from '../controls/dialog.tsx'
import { texts } from '../page/texts.ts'
import { draftTexts } from './texts.ts'

export function Discard({
  ofAgent,
  onDiscard,
  onClose,
}: {
  ofAgent: boolean
  onDiscard: (reason: string | null) => void
  onClose: () => void
}) {
  const reason = useSignal('')
  return (
    <Dialog title={draftTexts.discardTitle} hasForm leave={null} onClose={onClose}>
      <form
        class="stacked-form"
        onSubmit={(event) => {
          event.preventDefault()
          onDiscard(reason.value.trim() || null)
        }}
      >
        {ofAgent && <p>{draftTexts.discardAgent}</p>}
        <label class="stacked">
          {draftTexts.discardReason}
          <input
            class="field-input"
            autofocus
            maxLength={1000}
            value={reason.value}
            onInput={(event) => (reason.value = event.currentTarget.value)}
          />
        </label>
        <footer class="buttons">
          <button type="button" class="btn" onClick={onClose}>
            {texts.dialog.cancel}
          </button>
          <button type="submit" class="btn danger">
            {draftTexts.discardDo}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
