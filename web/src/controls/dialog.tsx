import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { texts } from '../page/texts.ts'

/** A modal dialog; Escape closes it, and so does a click outside if it has no form whose text would be lost. */
export function Dialog({
  title,
  onClose,
  children,
  wide = false,
  hasForm = false,
  leave = texts.dialog.done,
}: {
  title: string
  onClose: (() => void) | null
  children: ComponentChildren
  wide?: boolean
  hasForm?: boolean
  /** The name of the button at the top; null if the content has its own Cancel button. */
  leave?: string | null
}) {
  const box = useRef<HTMLDialogElement>(null)
  const pressed = useRef<EventTarget | null>(null)
  useLayoutEffect(() => {
    const dialog = box.current!
    dialog.showModal()
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={box}
      class={wide ? 'wide' : ''}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      // Who selects text in a field may release the pointer outside.
      onPointerDown={({ target }) => (pressed.current = target)}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget && target === pressed.current && !hasForm) onClose?.()
      }}
    >
      <div class="dialog">
        <header>
          <h2>{title}</h2>
          {onClose && leave !== null && (
            <button type="button" class="btn quiet" aria-label={leave} title={leave} onClick={onClose}>
              <Icon name="cross" />
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  )
}
