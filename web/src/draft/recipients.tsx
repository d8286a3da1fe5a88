import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { RecipientNotice } from '../../../src/model/draft.ts'
import type { MailAddress } from '../../../src/model/thread.ts'
import { get } from '../page/api.ts'
import { Icon } from '../controls/icon.tsx'
import { showToast } from '../page/toasts.ts'
import { matchPerson } from '../page/person-match.ts'
import { texts } from '../page/texts.ts'
import { nameOf, readAddress, splitAddresses, withoutDoubles } from '../mail/address.ts'

/** Addresses as chips, completed from earlier correspondents; amber for those to check before sending. */
export function Recipients({
  label,
  people,
  notices,
  open,
  unfinished,
  onChange,
}: {
  label: string
  people: readonly MailAddress[]
  notices: readonly RecipientNotice[]
  open: boolean
  unfinished: Set<() => boolean>
  onChange: (people: MailAddress[]) => void
}) {
  const typed = useSignal('')
  const found = useSignal<MailAddress[]>([])
  /** The suggestion selected with the arrow keys, if any. */
  const moved = useSignal<number | null>(null)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  // What is typed is added after the field has lost focus: by then a recipient may have been removed.
  const latest = useRef(people)
  latest.current = people
  // Older suggestions are shown only while they still match.
  const offersNow = (): MailAddress[] =>
    typed.value.trim() === '' ? [] : found.value.filter((person) => matchPerson(typed.value, person) !== null)
  // A complete address is taken as typed, not replaced by a longer suggestion.
  const chosenNow = (): number => {
    if (moved.value !== null) return moved.value
    const whole = wholeAddress(typed.value)
    return whole === null ? 0 : offersNow().findIndex(({ address }) => address.toLowerCase() === whole)
  }
  const offers = offersNow()
  useEffect(() => {
    const q = typed.value.trim()
    if (q === '') {
      found.value = []
      return
    }
    const timer = setTimeout(() => {
      get('/addresses', { query: { q } }).then(
        ({ data }) => {
          if (typed.value.trim() !== q) return
          found.value = data
            .filter(({ address }) => !people.some((each) => each.address === address))
            .slice(0, 6)
          moved.value = null
        },
        () => undefined,
      )
    }, 120)
    return () => clearTimeout(timer)
  }, [typed.value])
  const add = (...more: MailAddress[]): void => {
    typed.value = ''
    found.value = []
    moved.value = null
    onChange(withoutDoubles([...latest.current, ...more], []))
  }
  const remove = (person: MailAddress): void => {
    onChange(people.filter((each) => each !== person))
    // The button that had the focus is gone.
    field.current?.focus()
  }
  const take = (text: string): boolean => {
    if (text.trim() === '') return true
    const read = splitAddresses(text).map((part) => [part, readAddress(part)] as const)
    add(...read.flatMap(([, address]) => address ?? []))
    const wrong = read.flatMap(([part, address]) => (address ? [] : part))
    if (wrong.length === 0) return true
    // What is no address stays in the field.
    typed.value = wrong.join(', ')
    showToast(texts.draft.badAddress(wrong[0]!), 'problem')
    return false
  }
  useLayoutEffect(() => {
    const finish = (): boolean => take(typed.value)
    unfinished.add(finish)
    return () => unfinished.delete(finish)
  })
  const keyDown = (event: KeyboardEvent): void => {
    const isBack = event.key === 'Tab' && event.shiftKey
    if (event.isComposing || event.ctrlKey || event.metaKey || isBack) return
    const offered = offersNow()
    if (offered.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      const from = chosenNow()
      moved.value =
        event.key === 'ArrowDown' ? (from + 1) % offered.length : (from > 0 ? from : offered.length) - 1
    } else if (offered.length > 0 && event.key === 'Escape') {
      event.preventDefault()
      found.value = []
    } else if (['Enter', ',', ';', 'Tab'].includes(event.key) && typed.value.trim() !== '') {
      event.preventDefault()
      const chosen = event.key === ',' || event.key === ';' ? undefined : offered[chosenNow()]
      if (chosen) add(chosen)
      else if (event.key !== 'Tab') take(typed.value)
      // Typed text is committed when the field loses focus.
      if (event.key === 'Tab') goOn(event.currentTarget as HTMLInputElement)
    } else if (event.key === 'Backspace' && typed.value === '' && people.length > 0)
      onChange(people.slice(0, -1))
  }
  return (
    <div class="recipients">
      <label for={open ? id : undefined}>{label}</label>
      {people.map((person) => (
        <Chip
          key={person.address}
          person={person}
          notices={notices}
          onRemove={open ? () => remove(person) : null}
        />
      ))}
      {open && (
        <div class="completing">
          <input
            ref={field}
            id={id}
            type="text"
            inputMode="email"
            autocomplete="off"
            role="combobox"
            aria-expanded={offers.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value
              moved.value = null
            }}
            onKeyDown={keyDown}
            onBlur={() => setTimeout(() => take(typed.value), 150)}
            onPaste={(event) => {
              const text = event.clipboardData?.getData('text') ?? ''
              if (!/[,;\n]/.test(text)) return
              event.preventDefault()
              take(`${typed.value}\n${text}`)
            }}
          />
          <div
            id={`${id}-list`}
            class={offers.length > 0 ? 'offers' : 'offers none'}
            role="listbox"
            aria-label={label}
          >
            {offers.map((person, index) => (
              <button
                key={person.address}
                type="button"
                tabIndex={-1}
                role="option"
                aria-selected={index === chosenNow()}
                class={index === chosenNow() ? 'on' : ''}
                onPointerDown={(event) => (event.preventDefault(), add(person))}
              >
                {person.name && <b>{person.name}</b>} <small>{person.address}</small>
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  )
}

/** Moves the focus to the next field, past the button for copies. */
function goOn(from: HTMLInputElement): void {
  const fields = [...from.closest('.fields')!.querySelectorAll('input')]
  fields[fields.indexOf(from) + 1]?.focus()
}

function wholeAddress(typed: string): string | null {
  const address = readAddress(typed)?.address.toLowerCase() ?? ''
  return /@.*\.[^.]+$/.test(address) ? address : null
}

function Chip({
  person,
  notices,
  onRemove,
}: {
  person: MailAddress
  notices: readonly RecipientNotice[]
  onRemove: (() => void) | null
}) {
  const notice = notices.find(({ address }) => address.toLowerCase() === person.address.toLowerCase())
  return (
    <span class={notice ? 'who new' : 'who'} title={person.address}>
      <span>
        {notice ? person.address : nameOf(person)}
        {notice && ` · ${texts.draft.notices[notice.kind]}`}
      </span>
      {onRemove && (
        <button type="button" aria-label={texts.draft.remove(nameOf(person))} onClick={onRemove}>
          <Icon name="cross" size={10} />
        </button>
      )}
    </span>
  )
}
