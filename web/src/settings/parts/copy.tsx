import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
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
}): JSX.Element {
  const shown = useRef<HTMLElement>(null)
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
      <CopyButton text={text} what={label} shown={shown} />
      {note && <p class="hint">{note}</p>}
    </div>
  )
}

function CopyButton({
  text,
  what,
  shown,
}: {
  text: string
  what: string
  shown: { current: HTMLElement | null }
}): JSX.Element {
  const copied = useSignal<boolean | null>(null)
  const copy = async (): Promise<void> => {
    copied.value = await copyText(text, shown.current)
    setTimeout(() => (copied.value = null), 2500)
  }
  return (
    <button type="button" class="btn" onClick={() => void copy()}>
      <Icon name={copied.value ? 'check' : 'copy'} />
      <span aria-live="polite">
        {copied.value === null ? texts.copy : copied.value ? texts.copied : texts.copyByHand}
      </span>
      <span class="hidden">{what}</span>
    </button>
  )
}

/** Browsers provide no clipboard over plain http, so the text is selected for Ctrl+C instead. */
async function copyText(text: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (shown instanceof HTMLInputElement) shown.select()
    else if (shown) getSelection()?.selectAllChildren(shown)
    return false
  }
}
