import { useSignal } from '@preact/signals'
import { Dialog } from '../controls/dialog.tsx'
import { bind, Field, Form, type Bound } from '../controls/form.tsx'
import { Gate } from './gate.tsx'
import { ask as askServer } from '../page/api.ts'
import { notSetUp, resetByMail, session, signIn } from './session.ts'
import { texts } from './texts.ts'

export function SignIn() {
  return (
    <Gate title={texts.signIn.title}>
      {notSetUp.value && <p>{texts.signIn.notSetUp(`${location.origin}/setup#…`)}</p>}
      <SignInForm />
      {!notSetUp.value && <Forgotten />}
    </Gate>
  )
}

/** Shown over the open page, so that nothing typed is lost. */
export function SignInAgain() {
  return (
    <Dialog title={texts.signIn.again} onClose={null}>
      <p>{texts.signIn.againText}</p>
      <SignInForm email={session.value?.user.email ?? ''} />
      <Forgotten email={session.value?.user.email ?? ''} />
    </Dialog>
  )
}

function SignInForm({ email = '' }: { email?: string }) {
  const address = useSignal(email)
  const password = useSignal('')
  return (
    <Form submit={texts.signIn.submit} onSubmit={() => signIn(address.value, password.value)}>
      <EmailField {...bind(address)} first={email === ''} />
      <Field
        label={texts.signIn.password}
        type="password"
        name="password"
        autocomplete="current-password"
        {...bind(password)}
        first={email !== ''}
      />
    </Form>
  )
}

/** What to do without the password: get a link by mail where Spool can send one, otherwise from an admin. */
function Forgotten({ email = '' }: { email?: string }) {
  const open = useSignal(false)
  const address = useSignal(email)
  const asked = useSignal(false)
  const t = texts.forgotten
  const ask = async (): Promise<void> => {
    await askServer('POST', '/resets/ask', { email: address.value }, { quiet: true })
    asked.value = true
  }
  return (
    <div class="forgotten">
      <button
        type="button"
        class="link"
        aria-expanded={open.value}
        onClick={() => (open.value = !open.value)}
      >
        {t.title}
      </button>
      {open.value &&
        (!resetByMail.value ? (
          <p>{t.askAdmin}</p>
        ) : asked.value ? (
          <p role="status">{t.asked}</p>
        ) : (
          <Form submit={t.submit} onSubmit={ask}>
            <EmailField {...bind(address)} first />
          </Form>
        ))}
    </div>
  )
}

export function EmailField(about: Bound<string> & { first?: boolean }) {
  return <Field label={texts.signIn.email} type="email" name="email" autocomplete="username" {...about} />
}
