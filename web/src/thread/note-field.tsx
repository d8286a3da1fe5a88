import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Avatar } from '../controls/avatar.tsx'
import { Icon } from '../controls/icon.tsx'
import { texts } from '../page/texts.ts'
import { session } from '../session/session.ts'
import { team } from '../threads/people.ts'

/** A note field that suggests names after @. The text is kept on this device until it is sent. */
export function NoteField({
  name,
  label,
  inbox = null,
  start = '',
  fieldRef,
  onSay,
  onCancel,
}: {
  name?: string
  label: string
  /** Suggests only people with access to this inbox: nobody else can read the note. */
  inbox?: string | null
  start?: string
  fieldRef?: RefObject<HTMLTextAreaElement | null>
  onSay: (text: string) => Promise<boolean>
  onCancel?: () => void
}) {
  const key = name ? `spool:${session.value?.user.id ?? ''}:${name}` : null
  const submit = name ? texts.notes.send : texts.notes.save
  const text = useSignal(start || (key ? (localStorage.getItem(key) ?? '') : ''))
  const caret = useSignal(text.value.length)
  /** Below 0: the list was closed, until the next @. */
  const chosen = useSignal(0)
  const own = useRef<HTMLTextAreaElement>(null)
  const field = fieldRef ?? own
  // The button that opened it is gone: what is typed next would be taken for shortcuts.
  useLayoutEffect(() => own.current?.focus(), [])
  /** The text before the cursor. */
  const typed = text.value.slice(0, caret.value)
  const begun = /(^|\s)@([\p{L}\p{N}.]*)$/u.exec(typed)
  const found =
    begun && chosen.value >= 0
      ? (team.value ?? [])
          .filter((person) => person.id !== session.value?.user.id)
          .filter((person) => inbox === null || person.inboxes.includes(inbox))
          .filter((person) =>
            person.name
              .toLowerCase()
              .split(' ')
              .some((part) => part.startsWith(begun[2]!.toLowerCase())),
          )
          .slice(0, 5)
      : []
  const set = (now: string, at = now.length): void => {
    text.value = now
    caret.value = at
    chosen.value = begun ? Math.min(chosen.value, 0) : 0
    if (key && now === '') localStorage.removeItem(key)
    else if (key) localStorage.setItem(key, now)
  }
  const complete = (person: string): void => {
    const before = typed.replace(/@[\p{L}\p{N}.]*$/u, `@${person} `)
    const now = before + text.value.slice(caret.value)
    set(now, before.length)
    const element = field.current!
    element.value = now
    element.focus()
    element.setSelectionRange(before.length, before.length)
  }
  const say = async (): Promise<void> => {
    const said = text.value.trim()
    if (said === '') return
    set('')
    // What was typed meanwhile stays.
    if (!(await onSay(said))) set(text.value === '' ? said : `${said}\n${text.value}`)
  }
  return (
    <form
      class="say"
      onSubmit={(event) => {
        event.preventDefault()
        void say()
      }}
    >
      {found.length > 0 && (
        <div class="names" role="listbox" aria-label={texts.notes.people}>
          {found.map((person, index) => (
            <button
              key={person.id}
              type="button"
              role="option"
              aria-selected={index === chosen.value}
              class={index === chosen.value ? 'on' : ''}
              onClick={() => complete(person.name)}
            >
              <Avatar name={person.name} /> {person.name}
            </button>
          ))}
        </div>
      )}
      <textarea
        ref={field}
        rows={1}
        value={text.value}
        placeholder={label}
        aria-label={label}
        onInput={({ currentTarget: { value, selectionStart } }) => set(value, selectionStart)}
        onKeyDown={(event) => {
          if (event.isComposing) return
          if (found.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
            event.preventDefault()
            chosen.value = (chosen.value + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length
          } else if (found.length > 0 && (event.key === 'Enter' || event.key === 'Tab')) {
            event.preventDefault()
            complete(found[chosen.value]!.name)
          } else if (found.length > 0 && event.key === 'Escape') {
            event.preventDefault()
            chosen.value = -1
          } else if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            void say()
          } else if (event.key === 'Escape') onCancel?.()
        }}
      />
      <button type="submit" class="btn quiet" aria-label={submit} title={submit}>
        <Icon name="send" />
      </button>
    </form>
  )
}
