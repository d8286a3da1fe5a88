import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Command } from '../page/action-table.ts'
import { texts } from '../page/texts.ts'

/** A button that opens a menu; arrow keys move in it, Escape closes it. */
export function Menu({
  label,
  button,
  children,
  command,
  align = 'end',
  quiet = false,
  form = false,
}: {
  label: string
  button: ComponentChildren
  children: (close: () => void) => ComponentChildren
  /** The shortcut that opens it. */
  command?: Command
  align?: 'start' | 'end'
  quiet?: boolean
  /** Contains a field besides the choices, which then form their own menu. */
  form?: boolean
}) {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const isTapped = useRef(false)
  const close = (): void => {
    setOpen(false)
    trigger.current?.focus()
  }
  useLayoutEffect(() => {
    if (!open) return
    // Focusing a field would open a phone's keyboard over the choices.
    const first = isTapped.current ? '[role=menuitem]' : '[role=menuitem], input'
    box.current?.querySelector<HTMLElement>(first)?.focus()
    const away = (event: Event): void => {
      if (!box.current?.parentElement?.contains(event.target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', away)
    return () => removeEventListener('pointerdown', away)
  }, [open])
  return (
    <div class="menu">
      <button
        ref={trigger}
        type="button"
        class={quiet ? 'btn quiet' : 'btn'}
        aria-haspopup={form ? 'dialog' : 'menu'}
        aria-expanded={open}
        aria-label={label}
        title={label}
        data-command={command}
        onClick={({ detail }) => {
          // A click by key has no clicks to count.
          isTapped.current = detail > 0 && matchMedia('(hover: none)').matches
          setOpen(!open)
        }}
      >
        {button}
      </button>
      {/* On a narrow screen: a tap beside the menu closes it and does nothing else. */}
      {open && <div class="menu-away" onClick={close} />}
      {open && (
        <div
          ref={box}
          class={`menu-box ${align}`}
          role={form ? 'dialog' : 'menu'}
          aria-label={label}
          onKeyDown={(event) => moveIn(event, close)}
        >
          {children(close)}
        </div>
      )}
    </div>
  )
}

/** Arrow keys move between field and choices; typing goes to the field. */
export function moveIn(event: KeyboardEvent & { currentTarget: HTMLElement }, close: () => void): void {
  if (event.isComposing) return
  if (event.key === 'Escape') {
    event.stopPropagation()
    return close()
  }
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem], input')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    items.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % items.length)?.focus()
  } else if (event.key.length === 1 && event.key !== ' ' && !(event.ctrlKey || event.metaKey || event.altKey))
    typeIn(items, at, event.key)
}

/** Typing goes to the field if there is one, otherwise to the next item that starts with the letter. */
function typeIn(items: readonly HTMLElement[], at: number, letter: string): void {
  const field = items.find((item) => item instanceof HTMLInputElement)
  if (field) return field.focus()
  const next = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  next.find((item) => item.textContent?.toLowerCase().startsWith(letter.toLowerCase()))?.focus()
}

export interface Choice {
  key: string
  /** Whether it matches what was typed; `first` sorts before `later`. */
  match: (typed: string) => 'first' | 'later' | null
  content: ComponentChildren
  hint?: string
  current?: boolean
  onChoose: () => void
}

/** Choices filtered by typing; Enter picks the first match. */
export function Choices({
  label,
  choices,
  problem,
  onType,
}: {
  label: string
  /** Null while loading. */
  choices: readonly Choice[] | null
  /** Why loading failed. */
  problem: string | null
  onType?: (typed: string) => void
}) {
  const typed = useSignal('')
  /** Enter was pressed before the choices had loaded. */
  const entered = useSignal(false)
  const left = (choices && narrowDown(choices, typed.value.trim())) ?? []
  useLayoutEffect(() => {
    if (!entered.value || (choices === null && problem === null)) return
    entered.value = false
    left[0]?.onChoose()
  }, [choices === null, problem, entered.value])
  return (
    <>
      <form
        class="narrow-down"
        onSubmit={(event) => {
          event.preventDefault()
          entered.value = true
        }}
      >
        <input
          value={typed.value}
          placeholder={label}
          aria-label={label}
          autocomplete="off"
          onInput={(event) => {
            typed.value = event.currentTarget.value
            entered.value = false
            onType?.(typed.value)
          }}
        />
      </form>
      <div role="menu" aria-label={label} aria-busy={choices === null}>
        {left.map(({ key, content, hint, current = false, onChoose }, index) => (
          <MenuItem key={key} hint={hint} current={current} meant={index === 0} onChoose={onChoose}>
            {content}
          </MenuItem>
        ))}
      </div>
      {left.length === 0 && (
        <p class="quiet-text" role="status">
          {choices === null ? (problem ?? texts.menu.loading) : texts.menu.none}
        </p>
      )}
    </>
  )
}

function narrowDown(choices: readonly Choice[], typed: string): readonly Choice[] {
  if (typed === '') return choices
  const { first = [], later = [] } = Object.groupBy(choices, ({ match }) => match(typed) ?? 'none')
  return [...first, ...later]
}

export function MenuItem({
  onChoose,
  children,
  hint,
  current = false,
  meant = false,
}: {
  onChoose: () => void
  children: ComponentChildren
  hint?: string | undefined
  current?: boolean
  /** Enter picks this item while the field has focus. */
  meant?: boolean
}) {
  return (
    <button
      type="button"
      role="menuitem"
      class={`menu-item ${current ? 'current' : ''} ${meant ? 'meant' : ''}`}
      onClick={onChoose}
    >
      <span>{children}</span>
      {hint && <small>{hint}</small>}
    </button>
  )
}
