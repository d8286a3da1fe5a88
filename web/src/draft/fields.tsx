import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { addressesOf } from '../../../src/model/mail/own-address.ts'
import { session } from '../session/session.ts'
import { threadOf } from '../threads/store.ts'
import { renderNow } from '../page/render-now.ts'
import { texts } from '../page/texts.ts'
import type { DraftEditor } from './editor.ts'
import { Recipients } from './recipients.tsx'

export function Fields({ editor, open }: { editor: DraftEditor; open: boolean }) {
  const { from, subject } = editor.fields.value
  const draft = editor.draft.value
  const box = useRef<HTMLDivElement>(null)
  const copies = useSignal(false)
  const kept = useRef({ cc: false, bcc: false })
  const begun = editor.beginning
  const kind = draft?.kind ?? begun?.kind
  const inboxId =
    draft?.inboxId ?? (begun?.kind === 'reply' ? threadOf(begun.threadId).thread.value?.inbox.id : undefined)
  const inbox = session.value?.inboxes.find(({ id }) => id === inboxId)
  const addresses = inbox ? addressesOf(inbox) : []
  const choosesFrom = open && addresses.length > 1
  const sender = from ?? draft?.from ?? inbox?.address
  /** A field that was shown stays while the draft is open: the cursor may be in it when it becomes empty. */
  const shows = (field: 'cc' | 'bcc'): boolean => {
    const isFilled = editor.fields.value[field].length > 0
    return open ? (kept.current[field] ||= copies.value || isFilled) : isFilled
  }
  const showsBcc = shows('bcc')
  const showsCc = shows('cc') || (open && showsBcc)
  const addCopies = (): void => {
    renderNow(() => (copies.value = true))
    box.current!.querySelectorAll<HTMLElement>('.recipients input')[showsCc ? 2 : 1]?.focus()
  }
  const recipients = (field: 'to' | 'cc' | 'bcc'): JSX.Element => (
    <Recipients
      label={texts.draft[field]}
      people={editor.fields.value[field]}
      notices={draft?.notices ?? []}
      open={open}
      unfinished={editor.unfinished}
      onChange={(now) => editor.change({ [field]: now })}
    />
  )
  return (
    <div class="fields" ref={box}>
      <div class="field">
        {recipients('to')}
        {open && !showsBcc && (
          <button type="button" class="link" onClick={addCopies}>
            {showsCc ? texts.draft.bcc : texts.draft.addCopies}
          </button>
        )}
      </div>
      {showsCc && <div class="field">{recipients('cc')}</div>}
      {showsBcc && <div class="field">{recipients('bcc')}</div>}
      <label class={kind === 'reply' ? 'field subject quiet' : 'field subject'}>
        <span>{texts.draft.subject}</span>
        <input
          value={subject}
          readOnly={!open}
          onInput={(event) => editor.change({ subject: event.currentTarget.value })}
        />
        {sender !== undefined && !choosesFrom && (
          <small class="from-address cut">{`${texts.draft.from} ${sender}`}</small>
        )}
      </label>
      {choosesFrom && (
        <label class="field">
          <span>{texts.draft.from}</span>
          <select
            aria-label={texts.draft.from}
            value={sender}
            onChange={(event) => editor.change({ from: event.currentTarget.value })}
          >
            {addresses.map((address) => (
              <option key={address} value={address} selected={address === sender}>
                {address}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  )
}
