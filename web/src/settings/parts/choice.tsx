import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Bound } from '../../controls/form.tsx'
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

/** Some inboxes to choose one of; `first` stands for all or none of them. */
export function inboxOptions(inboxes: readonly { id: string; name: string }[], first: Option<string>) {
  return [first, ...inboxes.map(({ id, name }) => ({ value: id, label: name }))]
}

export function Select<Value extends string>({
  label,
  options,
  value,
  onValue,
  problemAt = null,
}: Bound<Value> & {
  label: string
  options: readonly Option<Value>[]
  /** The id of the element that shows its error. */
  problemAt?: string | null
}) {
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
}: Bound<boolean> & { label: string; hint?: string | undefined }) {
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
}: Bound<Value[]> & {
  legend: string
  /** Explains the whole group. */
  hint?: string
  options: readonly Option<Value>[]
  /** Shown after the options; cannot be chosen. */
  after?: ComponentChildren
}) {
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
export function InboxChoice({ value, onValue }: Bound<string[] | null>) {
  const inboxes = session.value?.inboxes ?? []
  return (
    <div class="inbox-choice">
      <Select
        label={texts.inboxes.which}
        options={optionsOf(['all', 'some'], texts.inboxes.choice)}
        value={value === null ? 'all' : 'some'}
        onValue={(which) => onValue(which === 'all' ? null : inboxes.map(({ id }) => id))}
      />
      {value !== null && <InboxChecks value={value} onValue={onValue} />}
    </div>
  )
}

export function InboxChecks(about: Bound<string[]>) {
  const inboxes = session.value?.inboxes ?? []
  if (inboxes.length === 0) return <p class="hint">{texts.inboxes.noneYet}</p>
  return (
    <Checks
      legend={texts.pages.inboxes}
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
