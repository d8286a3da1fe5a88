import { useSignal } from '@preact/signals'
import type { Teammate } from '../../../../src/model/settings.ts'
import type { JSX } from 'preact'
import { ask } from '../../page/api.ts'
import { Dialog } from '../../controls/dialog.tsx'
import { Field, Form } from '../../controls/form.tsx'
import { tell } from '../../page/notices.ts'
import { InboxChecks } from '../parts/choice.tsx'
import { Act, Confirm } from '../parts/confirm.tsx'
import { Copyable } from '../parts/copy.tsx'
import { RoleSelect } from './invite.tsx'
import { words } from '../parts/words.ts'

const w = words.people

/** One person: name, role, inboxes; a link for a new password; the end. */
export function PersonDialog({
  person,
  onClose,
}: {
  person: Teammate
  onClose: (changed: boolean) => void
}): JSX.Element {
  const name = useSignal(person.name)
  const role = useSignal(person.role)
  const inboxes = useSignal<string[]>(person.inboxes ?? [])
  const link = useSignal<string | null>(null)
  const save = async (): Promise<void> => {
    await ask('PATCH', `/settings/people/${person.id}`, {
      name: name.value,
      role: role.value,
      ...(role.value === 'admin' ? {} : { inboxes: inboxes.value }),
    })
    tell(words.saved)
    onClose(true)
  }
  return (
    <Dialog title={person.name} onClose={() => onClose(false)}>
      <Form submit={words.save} onSubmit={save}>
        <Field label={w.name} value={name.value} onValue={(now) => (name.value = now)} />
        <RoleSelect value={role.value} onValue={(now) => (role.value = now)} />
        {role.value !== 'admin' && (
          <InboxChecks chosen={inboxes.value} onChosen={(now) => (inboxes.value = now)} />
        )}
      </Form>
      <section class="dialog-part">
        <p>{w.resetText}</p>
        {link.value === null ? (
          <Act
            onAct={async () => {
              const { url } = await ask('POST', `/settings/people/${person.id}/reset`, {})
              link.value = url
            }}
          >
            {w.reset}
          </Act>
        ) : (
          <Copyable label={w.link} text={link.value} note={w.resetHint} />
        )}
      </section>
      <section class="dialog-part">
        <Confirm
          button={w.remove}
          title={w.removeTitle(person.name)}
          text={w.removeText}
          act={w.remove}
          onAct={async () => {
            await ask('DELETE', `/settings/people/${person.id}`)
            onClose(true)
          }}
        />
      </section>
    </Dialog>
  )
}
