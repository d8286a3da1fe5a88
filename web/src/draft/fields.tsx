import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { session } from '../session/session.ts'
import { texts } from '../page/texts.ts'
import type { DraftEditor } from './editor.ts'
import { Recipients } from './recipients.tsx'

/** Recipients and subject. */
export function Fields({ editor, open }: { editor: DraftEditor; open: boolean }): JSX.Element {
  const { to, cc, bcc, subject } = editor.fields.value
  const draft = editor.draft.value
  const copies = useSignal(false)
  const notices = draft?.notices ?? []
  const kind = draft?.kind ?? editor.beginning?.kind
  const inbox = session.value?.inboxes.find(({ id }) => id === draft?.inboxId)
  const showCopies = copies.value || cc.length > 0 || bcc.length > 0
  return (
    <div class="fields">
      <div class="field">
        <Recipients
          label={texts.draft.to}
          people={to}
          notices={notices}
          open={open}
          unfinished={editor.unfinished}
          onChange={(now) => editor.change({ to: now })}
        />
        {open && !showCopies && (
          <button type="button" class="link" onClick={() => (copies.value = true)}>
            {texts.draft.addCopies}
          </button>
        )}
      </div>
      {showCopies && (
        <>
          {(open || cc.length > 0) && (
            <div class="field">
              <Recipients
                label={texts.draft.cc}
                people={cc}
                notices={notices}
                open={open}
                unfinished={editor.unfinished}
                onChange={(now) => editor.change({ cc: now })}
              />
            </div>
          )}
          {(copies.value || bcc.length > 0) && (
            <div class="field">
              <Recipients
                label={texts.draft.bcc}
                people={bcc}
                notices={notices}
                open={open}
                unfinished={editor.unfinished}
                onChange={(now) => editor.change({ bcc: now })}
              />
            </div>
          )}
        </>
      )}
      <label class={kind === 'reply' ? 'field subject quiet' : 'field subject'}>
        <span>{texts.draft.subject}</span>
        <input
          value={subject}
          readOnly={!open}
          onInput={(event) => editor.change({ subject: event.currentTarget.value })}
        />
        {inbox && <small class="from-address">{`${texts.draft.from} ${inbox.address}`}</small>}
      </label>
    </div>
  )
}
