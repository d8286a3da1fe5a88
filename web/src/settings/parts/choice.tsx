import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import { ApiError } from '../../page/api.ts'
import { session } from '../../session/session.ts'
import { texts } from './texts.ts'

export interface Option<Value extends string> {
  value: Value
  label: string
  hint?: string
}

export function Select<Value extends string>({
  label,
  options,
  value,
  onValue,
  problemAt = null,
}: {
  label: string
  options: readonly Option<Value>[]
  value: Value
  onValue: (value: Value) => void
  /** The id of the element that shows its error. */
  problemAt?: string | null
}): JSX.Element {
  const id = useId()
  return (
    <div class="stacked">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="field-input"
        value={value}
        onChange={(event) => onValue(event.currentTarget.value as Value)}
        aria-invalid={problemAt !== null || undefined}
        aria-describedby={problemAt ?? undefined}
      >
        {options.map(({ value: each, label }) => (
          <option key={each} value={each}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}

export function Check({
  label,
  hint,
  value,
  onValue,
}: {
  label: string
  hint?: string | undefined
  value: boolean
  onValue: (value: boolean) => void
}): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={value} onChange={(event) => onValue(event.currentTarget.checked)} />
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </label>
  )
}

/** Check boxes. */
export function Checks<Value extends string>({
  legend,
  hint: about,
  options,
  chosen,
  onChosen,
  after,
}: {
  legend: string
  /** Explains the whole group. */
  hint?: string
  options: readonly Option<Value>[]
  chosen: readonly Value[]
  onChosen: (chosen: Value[]) => void
  /** Shown after the options; cannot be chosen. */
  after?: ComponentChildren
}): JSX.Element {
  const id = useId()
  return (
    <fieldset class="checks" aria-describedby={about === undefined ? undefined : id}>
      <legend>{legend}</legend>
      {about !== undefined && (
        <p class="hint" id={id}>
          {about}
        </p>
      )}
      {options.map(({ value, label, hint }) => (
        <Check
          key={value}
          label={label}
          hint={hint}
          value={chosen.includes(value)}
          onValue={(checked) =>
            onChosen(
              options
                .map((option) => option.value)
                .filter((each) => (each === value ? checked : chosen.includes(each))),
            )
          }
        />
      ))}
      {after}
    </fieldset>
  )
}

/** Checked before the request; the error appears at the bottom of the form. */
export function needSome(chosen: readonly unknown[] | null, sentence: string): void {
  if (chosen?.length === 0) throw new ApiError(400, sentence)
}

/** All inboxes including future ones (null), or some. */
export function InboxChoice({
  chosen,
  onChosen,
  all = texts.inboxes.all,
}: {
  chosen: readonly string[] | null
  onChosen: (chosen: string[] | null) => void
  all?: string
}): JSX.Element {
  const inboxes = session.value?.inboxes ?? []
  return (
    <div class="inbox-choice">
      <Select
        label={texts.inboxes.which}
        options={[
          { value: 'all', label: all },
          { value: 'some', label: texts.inboxes.some },
        ]}
        value={chosen === null ? 'all' : 'some'}
        onValue={(which) => onChosen(which === 'all' ? null : inboxes.map(({ id }) => id))}
      />
      {chosen !== null && <InboxChecks chosen={chosen} onChosen={onChosen} />}
    </div>
  )
}

export function InboxChecks({
  chosen,
  onChosen,
}: {
  chosen: readonly string[]
  onChosen: (chosen: string[]) => void
}): JSX.Element {
  const inboxes = session.value?.inboxes ?? []
  if (inboxes.length === 0) return <p class="hint">{texts.inboxes.noneYet}</p>
  return (
    <Checks
      legend={texts.inboxes.legend}
      options={inboxes.map(({ id, name, address }) => ({ value: id, label: name, hint: address }))}
      chosen={chosen}
      onChosen={onChosen}
    />
  )
}

export function inboxNames(ids: readonly string[] | null): string {
  if (ids === null) return texts.inboxes.all
  const names = ids.map((id) => session.value?.inboxes.find((inbox) => inbox.id === id)?.name ?? id)
  return names.length === 0 ? texts.inboxes.none : names.join(', ')
}
