import { Dialog } from '../controls/dialog.tsx'
import { texts } from '../page/texts.ts'
import { draftTexts } from './texts.ts'

/** Before mail goes out that is mostly a colleague's text. */
export function ConfirmSending({
  writer,
  onSend,
  onClose,
}: {
  writer: string
  onSend: () => void
  onClose: () => void
}) {
  return (
    <Dialog title={draftTexts.confirmTitle(writer)} leave={null} onClose={onClose}>
      {/* Opens while somebody may be typing: without a focused button no key presses one by accident. */}
      <p tabIndex={-1} autofocus>
        {draftTexts.confirmText(writer)}
      </p>
      <footer class="buttons">
        <button type="button" class="btn" onClick={onClose}>
          {texts.dialog.cancel}
        </button>
        <button type="button" class="btn primary" onClick={onSend}>
          {texts.draft.send}
        </button>
      </footer>
    </Dialog>
  )
}
