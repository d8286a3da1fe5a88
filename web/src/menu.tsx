import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Command } from './keys.ts'
import { useCommand } from './command.ts'

/** A button that opens a list of choices; arrows move in it, Escape closes it. */
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
  command?: Command
  align?: 'start' | 'end'
  quiet?: boolean
  /** There is something to fill in beside the choices, which then stand in a menu of their own. */
  form?: boolean
}): JSX.Element {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setOpen(false)
    trigger.current?.focus()
  }
  useCommand(command ?? 'go menu', command ? () => setOpen(true) : null)
  useLayoutEffect(() => {
    if (!open) return
    box.current?.querySelector<HTMLElement>('[role=menuitem], input')?.focus()
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
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
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

function moveIn(event: KeyboardEvent & { currentTarget: HTMLElement }, close: () => void): void {
  if (event.key === 'Escape') {
    event.stopPropagation()
    return close()
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem], input')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  items.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % items.length)?.focus()
}

export function MenuItem({
  onChoose,
  children,
  hint,
  current = false,
}: {
  onChoose: () => void
  children: ComponentChildren
  hint?: string
  current?: boolean
}): JSX.Element {
  return (
    <button
      type="button"
      role="menuitem"
      class={current ? 'menu-item current' : 'menu-item'}
      onClick={onChoose}
    >
      <span>{children}</span>
      {hint && <small>{hint}</small>}
    </button>
  )
}
