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

/** Options in this order. */
export function optionsOf<const Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): Option<Value>[] {
  return values.map((value) => ({ value, label: labels[value] }))
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

export function Checks<Value extends string>({
  legend,
  hint: about,
  options,
  value: chosen,
  onValue,
  after,
}: {
  legend: string
  /** Explains the whole group. */
  hint?: string
  options: readonly Option<Value>[]
  value: readonly Value[]
  onValue: (chosen: Value[]) => void
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
            onValue(
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
  value,
  onValue,
}: {
  value: readonly string[] | null
  onValue: (chosen: string[] | null) => void
}): JSX.Element {
  const inboxes = session.value?.inboxes ?? []
  return (
    <div class="inbox-choice">
      <Select
        label={texts.inboxes.which}
        options={[
          { value: 'all', label: texts.inboxes.allMine },
          { value: 'some', label: texts.inboxes.some },
        ]}
        value={value === null ? 'all' : 'some'}
        onValue={(which) => onValue(which === 'all' ? null : inboxes.map(({ id }) => id))}
      />
      {value !== null && <InboxChecks value={value} onValue={onValue} />}
    </div>
  )
}

export function InboxChecks(about: {
  value: readonly string[]
  onValue: (chosen: string[]) => void
}): JSX.Element {
  const inboxes = session.value?.inboxes ?? []
  if (inboxes.length === 0) return <p class="hint">{texts.inboxes.noneYet}</p>
  return (
    <Checks
      legend={texts.inboxes.legend}
      options={inboxes.map(({ id, name, address }) => ({ value: id, label: name, hint: address }))}
      {...about}
    />
  )
}

export function inboxNames(ids: readonly string[] | null): string {
  if (ids === null) return texts.inboxes.all
  const names = ids.map((id) => session.value?.inboxes.find((inbox) => inbox.id === id)?.name ?? id)
  return names.length === 0 ? texts.inboxes.none : names.join(', ')
}
