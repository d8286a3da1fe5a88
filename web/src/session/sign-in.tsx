import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { sentenceOf } from '../api.ts'
import { Dialog } from '../dialog.tsx'
import { Brand } from '../icon.tsx'
import { words } from '../words.ts'
import { session, signIn } from './session.ts'

export function Gate({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <main class="gate">
      <div class="gate-card">
        <div class="brand">
          <Brand /> {words.name}
        </div>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}

export function SignIn(): JSX.Element {
  return (
    <Gate title={words.signIn.title}>
      <SignInForm />
    </Gate>
  )
}

/** Over what is open, so that nothing that was typed goes. */
export function SignInAgain(): JSX.Element {
  return (
    <Dialog title={words.signIn.again} onClose={null}>
      <p>{words.signIn.againText}</p>
      <SignInForm email={session.value?.user.email ?? ''} />
    </Dialog>
  )
}

function SignInForm({ email = '' }: { email?: string }): JSX.Element {
  const address = useSignal(email)
  const password = useSignal('')
  return (
    <Form submit={words.signIn.submit} onSubmit={() => signIn(address.value, password.value)}>
      <Field
        label={words.signIn.email}
        type="email"
        name="email"
        autocomplete="username"
        value={address.value}
        onValue={(now) => (address.value = now)}
        first={email === ''}
      />
      <Field
        label={words.signIn.password}
        type="password"
        name="password"
        autocomplete="current-password"
        value={password.value}
        onValue={(now) => (password.value = now)}
        first={email !== ''}
      />
    </Form>
  )
}

/** A form that says what went wrong and does one thing at a time. */
export function Form({
  submit,
  onSubmit,
  children,
}: {
  submit: string
  onSubmit: () => Promise<void>
  children: ComponentChildren
}): JSX.Element {
  const problem = useSignal<string | null>(null)
  const busy = useSignal(false)
  return (
    <form
      class="stacked-form"
      onSubmit={async (event) => {
        event.preventDefault()
        if (busy.value) return
        busy.value = true
        try {
          await onSubmit()
          problem.value = null
        } catch (error) {
          problem.value = sentenceOf(error)
        } finally {
          busy.value = false
        }
      }}
    >
      {children}
      {problem.value && (
        <p class="wrong" role="alert">
          {problem.value}
        </p>
      )}
      <button type="submit" class="btn primary" disabled={busy.value}>
        {submit}
      </button>
    </form>
  )
}

export function Field({
  label,
  value,
  onValue,
  first = false,
  type = 'text',
  name,
  autocomplete = 'off',
}: {
  label: string
  value: string
  onValue: (value: string) => void
  first?: boolean
  type?: 'text' | 'email' | 'password'
  name?: string
  autocomplete?: string
}): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (first) field.current?.focus()
  }, [])
  return (
    <label class="stacked">
      {label}
      <input
        ref={field}
        class="field-input"
        required
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
        type={type as 'text'}
        name={name}
        autocomplete={autocomplete}
      />
    </label>
  )
}
