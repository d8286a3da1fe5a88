import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Role } from '../../../../src/model/access.ts'
import { ask } from '../../page/api.ts'
import { Field, Form } from '../../controls/form.tsx'
import { session } from '../../session/session.ts'
import { InboxChecks, Select } from '../parts/choice.tsx'
import { Copyable } from '../parts/copy.tsx'
import { Made } from '../parts/page.tsx'
import { words } from '../parts/words.ts'

const w = words.people

/** An admin makes a link by which somebody joins. */
export function Invite({ onMade }: { onMade?: () => void }): JSX.Element {
  const email = useSignal('')
  const name = useSignal('')
  const role = useSignal<Role>('member')
  const made = useSignal<{ url: string; name: string; replaced: boolean } | null>(null)
  const chosen = useSignal<readonly string[]>((session.value?.inboxes ?? []).map(({ id }) => id))
  const invite = async (): Promise<void> => {
    const { url, replaced } = await ask('POST', '/invitations', {
      email: email.value,
      name: name.value,
      role: role.value,
      inboxes: role.value === 'admin' ? [] : chosen.value,
    })
    made.value = { url, name: name.value, replaced }
    name.value = ''
    email.value = ''
    onMade?.()
  }
  return (
    <>
      <Form submit={w.makeLink} onSubmit={invite}>
        <div class="pair">
          <Field label={w.name} value={name.value} onValue={(now) => (name.value = now)} />
          <Field label={w.email} type="email" value={email.value} onValue={(now) => (email.value = now)} />
        </div>
        <RoleSelect value={role.value} onValue={(now) => (role.value = now)} />
        {role.value !== 'admin' && (
          <InboxChecks chosen={chosen.value} onChosen={(now) => (chosen.value = now)} />
        )}
      </Form>
      {made.value && (
        <Made key={made.value.url}>
          <p>{w.linkFor(made.value.name)}</p>
          {made.value.replaced && <p class="caution">{w.replaced}</p>}
          <Copyable label={w.link} text={made.value.url} note={w.linkHint} />
        </Made>
      )}
    </>
  )
}

export function RoleSelect({ value, onValue }: { value: Role; onValue: (role: Role) => void }): JSX.Element {
  return (
    <Select
      label={w.role}
      options={(['member', 'viewer', 'admin'] as const).map((role) => ({
        value: role,
        label: words.rolesAtLength[role],
      }))}
      value={value}
      onValue={onValue}
    />
  )
}
