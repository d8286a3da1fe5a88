import { useSignal } from '@preact/signals'
import type { Role } from '../../../../src/model/access.ts'
import { ask } from '../../page/api.ts'
import { bind, Field, Form, type Bound } from '../../controls/form.tsx'
import { session } from '../../session/session.ts'
import { InboxChecks, optionsOf, Select } from '../parts/choice.tsx'
import { Copyable } from '../parts/copy.tsx'
import { Made } from '../parts/page.tsx'
import { texts } from '../parts/texts.ts'
import { MailLink } from './mail-link.tsx'

const t = texts.people

export function Invite({ onMade }: { onMade?: () => void }) {
  const email = useSignal('')
  const name = useSignal('')
  const role = useSignal<Role>('member')
  const made = useSignal<{ url: string; name: string; replaced: boolean; canMail: boolean } | null>(null)
  const chosen = useSignal((session.value?.inboxes ?? []).map(({ id }) => id))
  const invite = async (): Promise<void> => {
    const { url, replaced, canMail } = await ask('POST', '/invitations', {
      email: email.value,
      name: name.value,
      role: role.value,
      inboxes: role.value === 'admin' ? [] : chosen.value,
    })
    made.value = { url, name: name.value, replaced, canMail }
    name.value = ''
    email.value = ''
    onMade?.()
  }
  return (
    <>
      <Form submit={t.makeLink} onSubmit={invite}>
        <div class="pair">
          <Field label={t.name} {...bind(name)} />
          <Field label={t.email} type="email" {...bind(email)} />
        </div>
        <RoleSelect {...bind(role)} />
        {role.value !== 'admin' && <InboxChecks {...bind(chosen)} />}
      </Form>
      {made.value && (
        <Made key={made.value.url}>
          <p>{t.linkFor(made.value.name)}</p>
          {made.value.replaced && <p class="caution">{t.replaced}</p>}
          <Copyable label={t.link} text={made.value.url} note={t.linkHint} />
          {made.value.canMail && <MailLink kind="invitation" url={made.value.url} />}
        </Made>
      )}
    </>
  )
}

export function RoleSelect(about: Bound<Role>) {
  const options = optionsOf(['member', 'viewer', 'admin'], texts.rolesAtLength)
  return <Select label={t.role} options={options} {...about} />
}
