import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** Tabs; arrow keys switch between them. */
export function Tabs<Name extends string>({
  label,
  tabs,
  children,
}: {
  label: string
  /** The label of each, by its name. */
  tabs: Readonly<Record<Name, string>>
  children: (name: Name) => ComponentChildren
}) {
  const id = useId()
  const names = Object.keys(tabs) as Name[]
  const chosen = useSignal(names[0]!)
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    chosen.value = names.at((names.indexOf(chosen.value) + step) % names.length)!
    event.currentTarget.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${chosen.value}`)}`)?.focus()
  }
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} onKeyDown={move}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            class="chip"
            aria-selected={name === chosen.value}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen.value ? 0 : -1}
            onClick={() => (chosen.value = name)}
          >
            {tabs[name]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen.value}`}>
        {children(chosen.value)}
      </div>
    </div>
  )
}
