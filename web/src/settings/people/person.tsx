import { useSignal } from '@preact/signals'
import type { Teammate } from '../../../../src/model/settings.ts'
import { ask } from '../../page/api.ts'
import { Dialog } from '../../controls/dialog.tsx'
import { bind, Field, Form } from '../../controls/form.tsx'
import { texts as pageTexts } from '../../page/texts.ts'
import { InboxChecks } from '../parts/choice.tsx'
import { Act, Confirm } from '../parts/confirm.tsx'
import { Copyable } from '../parts/copy.tsx'
import { RoleSelect } from './invite.tsx'
import { MailLink } from './mail-link.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.people

/** One person: name, role, inboxes, password reset, removal. */
export function PersonDialog({ person, onClose }: { person: Teammate; onClose: (changed: boolean) => void }) {
  const name = useSignal(person.name)
  const role = useSignal(person.role)
  const inboxes = useSignal(person.inboxes ?? [])
  const link = useSignal<{ url: string; canMail: boolean } | null>(null)
  const save = async (): Promise<void> => {
    // Only what was changed here: another admin may have changed the rest since.
    await ask('PATCH', `/settings/people/${person.id}`, {
      ...(name.value === person.name ? {} : { name: name.value }),
      ...(role.value === person.role ? {} : { role: role.value }),
      ...(role.value === 'admin' || inboxes.value === person.inboxes ? {} : { inboxes: inboxes.value }),
    })
    onClose(true)
  }
  const reset = async (): Promise<void> => {
    link.value = await ask('POST', `/settings/people/${person.id}/reset`, {})
  }
  return (
    <Dialog title={person.name} hasForm leave={pageTexts.dialog.cancel} onClose={() => onClose(false)}>
      <Form submit={texts.save} onSubmit={save} done={texts.saved}>
        <Field label={t.name} {...bind(name)} />
        <RoleSelect {...bind(role)} />
        {role.value !== 'admin' && <InboxChecks {...bind(inboxes)} />}
      </Form>
      <section class="dialog-part">
        <p>{t.resetText}</p>
        {link.value === null ? (
          <Act onAct={reset}>{t.reset}</Act>
        ) : (
          <>
            <Copyable label={t.link} text={link.value.url} note={t.resetHint} />
            {link.value.canMail && <MailLink kind="reset" url={link.value.url} />}
          </>
        )}
      </section>
      <section class="dialog-part">
        <Confirm
          title={texts.removeTitle(person.name)}
          text={t.removeText}
          onAct={() => ask('DELETE', `/settings/people/${person.id}`).then(() => onClose(true))}
        />
      </section>
    </Dialog>
  )
}
