import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Icon } from '../../controls/icon.tsx'
import { texts } from './texts.ts'

/** Text to copy: a link, a secret, a configuration. */
export function Copyable({
  label,
  text,
  note,
  block = false,
}: {
  label: string
  text: string
  note?: ComponentChildren
  /** Multi-line. */
  block?: boolean
}) {
  const shown = useRef<HTMLElement>(null)
  const copied = useSignal<boolean | null>(null)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      copied.value = true
    } catch {
      // Browsers provide no clipboard over plain http, so the text is selected for Ctrl+C instead.
      if (shown.current instanceof HTMLInputElement) shown.current.select()
      else if (shown.current) getSelection()?.selectAllChildren(shown.current)
      copied.value = false
    }
    setTimeout(() => (copied.value = null), 2500)
  }
  return (
    <div class="copyable">
      {block ? (
        <pre ref={shown as never} tabIndex={0} role="region" aria-label={label}>
          {text}
        </pre>
      ) : (
        <input
          ref={shown as never}
          class="field-input mono"
          readOnly
          aria-label={label}
          value={text}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      <button type="button" class="btn" onClick={() => void copy()}>
        <Icon name={copied.value ? 'check' : 'copy'} />
        <span aria-live="polite">
          {copied.value === null ? texts.copy : copied.value ? texts.copied : texts.copyByHand}
        </span>
        <span class="hidden">{label}</span>
      </button>
      {note && <p class="hint">{note}</p>}
    </div>
  )
}
