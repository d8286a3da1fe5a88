import { useSignal, type Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { sentenceOf } from '../page/api.ts'
import { showToast } from '../page/toasts.ts'

/** A value and what is called with the next one. */
export interface Bound<Value> {
  value: Value
  onValue: (value: Value) => void
}

/** For a field whose value is kept in a signal. */
export function bind<Value>(kept: Signal<Value>): Bound<Value> {
  return { value: kept.value, onValue: (value) => (kept.value = value) }
}

/** An error, announced when it appears. */
export function Problem({ text, id }: { text: string | null; id?: string }) {
  if (!text) return null
  return (
    <p class="wrong" id={id} role="alert">
      {text}
    </p>
  )
}

/** For a button: runs the action, ignores further clicks while it is running, and hands over what it throws. */
export function useAction(act: () => Promise<unknown>, onProblem: (error: unknown) => void) {
  const busy = useSignal(false)
  const run = async (): Promise<void> => {
    if (busy.value) return
    busy.value = true
    try {
      await act()
    } catch (error) {
      onProblem(error)
    } finally {
      busy.value = false
    }
  }
  return { isBusy: busy.value, run: () => void run() }
}

/** A form that shows its error and ignores submits while one is running. While typed text is not saved, it says `typed`. */
export function Form({
  submit,
  onSubmit,
  done,
  extra = null,
  children,
}: {
  submit: string
  onSubmit: () => Promise<unknown>
  /** Said once it has succeeded. */
  done?: string
  /** Further buttons next to the submit button. */
  extra?: ComponentChildren
  children: ComponentChildren
}) {
  const problem = useSignal<string | null>(null)
  const typed = useSignal(false)
  const { isBusy, run } = useAction(
    async () => {
      await onSubmit()
      problem.value = null
      typed.value = false
      if (done) showToast(done)
    },
    (error) => (problem.value = sentenceOf(error)),
  )
  return (
    <form
      class={typed.value ? 'stacked-form typed' : 'stacked-form'}
      onInput={() => (typed.value = true)}
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      {children}
      <Problem text={problem.value} />
      <div class="form-foot">
        <button type="submit" class="btn primary" disabled={isBusy}>
          {submit}
        </button>
        {extra}
      </div>
    </form>
  )
}

interface FieldAbout extends Bound<string> {
  label: string
  /** Focused on mount. */
  first?: boolean
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'datetime-local' | 'time'
  name?: string
  autocomplete?: string
  hint?: ComponentChildren
  /** The error for this field. */
  problem?: string | null
  /** The id of the element that shows the error instead, if there is no room here. */
  problemAt?: string | null
  optional?: boolean
  onLeave?: () => void
  placeholder?: string
}

export function Field(about: FieldAbout) {
  const { label, value, onValue, first = false, type = 'text', name, autocomplete = 'off' } = about
  const { hint, problem = null, problemAt = null, optional = false, onLeave, placeholder } = about
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (first) field.current?.focus()
  }, [])
  const problemId = problem === null ? problemAt : `${id}-problem`
  const described = [problemId, hint === undefined ? null : `${id}-hint`].filter((each) => each !== null)
  return (
    <div class="stacked">
      <label for={id}>{label}</label>
      <input
        ref={field}
        id={id}
        class="field-input"
        required={!optional}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
        onBlur={onLeave}
        type={type as 'text'}
        name={name}
        autocomplete={autocomplete}
        placeholder={placeholder}
        aria-invalid={problemId !== null || undefined}
        aria-describedby={described.join(' ') || undefined}
      />
      <Problem text={problem} id={`${id}-problem`} />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
