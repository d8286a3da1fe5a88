import { useSignal } from '@preact/signals'
import { Dialog } from '../controls/dialog.tsx'
import { bind, Field, Form, type Bound } from '../controls/form.tsx'
import { Gate } from './gate.tsx'
import { notSetUp, session, signIn } from './session.ts'
import { texts } from './texts.ts'

export function SignIn() {
  return (
    <Gate title={texts.signIn.title}>
      {notSetUp.value && <p>{texts.signIn.notSetUp(`${location.origin}/setup#…`)}</p>}
      <SignInForm />
    </Gate>
  )
}

/** Shown over the open page, so that nothing typed is lost. */
export function SignInAgain() {
  return (
    <Dialog title={texts.signIn.again} onClose={null}>
      <p>{texts.signIn.againText}</p>
      <SignInForm email={session.value?.user.email ?? ''} />
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

export function EmailField(about: Bound<string> & { first?: boolean }) {
  return <Field label={texts.signIn.email} type="email" name="email" autocomplete="username" {...about} />
}
