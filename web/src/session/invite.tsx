import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { ask } from '../api.ts'
import { words } from '../words.ts'
import { session } from './session.ts'
import { Field, Form } from './sign-in.tsx'

const a = words.account

/** An admin makes a link by which somebody joins. */
export function Invite(): JSX.Element {
  const email = useSignal('')
  const name = useSignal('')
  const role = useSignal<'member' | 'viewer' | 'admin'>('member')
  const url = useSignal<string | null>(null)
  const chosen = useSignal<readonly string[]>((session.value?.inboxes ?? []).map(({ id }) => id))
  const invite = async (): Promise<void> => {
    const made = await ask<{ url: string }>('POST', '/invitations', {
      email: email.value,
      name: name.value,
      role: role.value,
      inboxes: role.value === 'admin' ? [] : chosen.value,
    })
    url.value = made.url
  }
  return (
    <section class="card">
      <h2>{a.invite}</h2>
      <Form submit={a.makeLink} onSubmit={invite}>
        <Field label={words.setUp.name} value={name.value} onValue={(now) => (name.value = now)} />
        <Field
          label={words.signIn.email}
          type="email"
          value={email.value}
          onValue={(now) => (email.value = now)}
        />
        <label class="stacked">
          {a.roleLabel}
          <select
            class="field-input"
            value={role.value}
            onChange={(event) => (role.value = event.currentTarget.value as typeof role.value)}
          >
            {(['member', 'viewer', 'admin'] as const).map((each) => (
              <option key={each} value={each}>
                {a.role[each]}
              </option>
            ))}
          </select>
        </label>
        {role.value !== 'admin' && (
          <fieldset>
            <legend>{words.rail.inboxes}</legend>
            {(session.value?.inboxes ?? []).map(({ id, name: inbox }) => (
              <label key={id}>
                <input
                  type="checkbox"
                  checked={chosen.value.includes(id)}
                  onChange={(event) =>
                    (chosen.value = event.currentTarget.checked
                      ? [...chosen.value, id]
                      : chosen.value.filter((each) => each !== id))
                  }
                />{' '}
                {inbox}
              </label>
            ))}
          </fieldset>
        )}
      </Form>
      {url.value && (
        <p>
          {a.link}
          <input
            class="field-input"
            readOnly
            aria-label={a.link}
            value={url.value}
            onFocus={(event) => event.currentTarget.select()}
          />
        </p>
      )}
    </section>
  )
}
