import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Session } from '../../../src/model/session.ts'
import { ask, sentenceOf } from '../page/api.ts'
import { bind, Field, Form, type Bound } from '../controls/form.tsx'
import { go } from '../page/router.ts'
import { session } from './session.ts'
import { Gate } from './gate.tsx'
import { EmailField } from './sign-in.tsx'
import { texts } from './texts.ts'

/** Creates the first admin, through the link the server printed. */
export function SetUp({ token }: { token: string }) {
  const name = useSignal('')
  const email = useSignal('')
  const password = useSignal('')
  const isGood = useSignal(false)
  const problem = useSignal<string | null>(null)
  useEffect(() => {
    if (token === '') return
    ask('POST', '/setup/look', { token }, { quiet: true }).then(
      () => (isGood.value = true),
      (error: unknown) => (problem.value = sentenceOf(error)),
    )
  }, [token])
  const begin = async (): Promise<void> => {
    const about = { token, email: email.value, name: name.value, password: password.value }
    enter(await ask('POST', '/setup', about, { quiet: true }), '/settings/guide')
  }
  return (
    <Gate title={problem.value === null ? texts.setUp.title : texts.setUp.over}>
      {token === '' && <p>{texts.setUp.noToken}</p>}
      {problem.value && <p role="alert">{problem.value}</p>}
      {isGood.value && (
        <>
          <p>{texts.setUp.text}</p>
          <Form submit={texts.setUp.submit} onSubmit={begin}>
            <Field label={texts.setUp.name} name="name" autocomplete="name" {...bind(name)} first />
            <EmailField {...bind(email)} />
            <NewPassword {...bind(password)} />
          </Form>
        </>
      )}
      {!isGood.value && <SignInInstead />}
    </Gate>
  )
}

/** For people who already have an account. */
function SignInInstead() {
  return (
    <p>
      <a class="link" href="/open">
        {texts.signIn.instead}
      </a>
    </p>
  )
}

function NewPassword(about: Bound<string>) {
  return (
    <Field
      label={texts.setUp.newPassword}
      type="password"
      name="password"
      autocomplete="new-password"
      {...about}
    />
  )
}

/** Applies the session the server has opened. */
function enter(begun: Session, path = '/open'): void {
  session.value = begun
  go(path, { replace: true })
}

/** Invitation and password reset links: both let somebody choose a password. */
export function PasswordLink({ kind, token }: { kind: 'invitation' | 'reset'; token: string }) {
  const person = useSignal<{ email: string; name: string } | null>(null)
  const problem = useSignal<string | null>(null)
  const password = useSignal('')
  const path = `/${kind}s` as const
  const t = texts[kind]
  useEffect(() => {
    ask('POST', `${path}/look`, { token }, { quiet: true }).then(
      (found) => (person.value = found),
      (error: unknown) => (problem.value = sentenceOf(error)),
    )
  }, [path, token])
  const accept = async (): Promise<void> => {
    const own = { token, password: password.value }
    enter(await ask('POST', `${path}/accept`, own, { quiet: true }))
  }
  return (
    <Gate title={t.title}>
      {problem.value && (
        <>
          <p role="alert">{t.gone}</p>
          <SignInInstead />
        </>
      )}
      {person.value && (
        <>
          <p>{t.text(person.value.name, person.value.email)}</p>
          <Form submit={t.submit} onSubmit={accept}>
            <input type="hidden" name="email" autocomplete="username" value={person.value.email} />
            <NewPassword {...bind(password)} />
          </Form>
        </>
      )}
    </Gate>
  )
}
