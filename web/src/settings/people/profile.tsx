import { useSignal } from '@preact/signals'
import { ask } from '../../page/api.ts'
import { bind, Field, Form } from '../../controls/form.tsx'
import { canWrite, resumeSession, session, signOut } from '../../session/session.ts'
import { timeAgo } from '../../page/times.ts'
import { useAnswer } from '../parts/answer.ts'
import { Act } from '../parts/confirm.tsx'
import { deviceName } from '../parts/device.ts'
import { Card, Loaded, Page } from '../parts/page.tsx'
import { PasswordCard } from './password.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.profile

/** The signed-in person: name, password, sessions, signatures. */
export function ProfilePage() {
  const { user, inboxes } = session.value!
  return (
    <Page title={texts.pages.profile} lead={`${user.email} · ${texts.roles[user.role]}`}>
      <Name />
      {canWrite.value && inboxes.length > 0 && (
        <Card title={t.signatures} hint={t.signaturesHint}>
          {inboxes.map(({ id, name }) => (
            <Signature key={id} inbox={id} name={name} />
          ))}
        </Card>
      )}
      <Sessions />
      <PasswordCard />
    </Page>
  )
}

function Name() {
  const name = useSignal(session.value!.user.name)
  const save = () => ask('PATCH', '/profile', { name: name.value }).then(resumeSession)
  return (
    <Card title={t.name}>
      <Form submit={texts.save} onSubmit={save} done={texts.saved}>
        <Field label={t.yourName} autocomplete="name" {...bind(name)} hint={t.nameHint} />
      </Form>
    </Card>
  )
}

function Signature({ inbox, name }: { inbox: string; name: string }) {
  const saved = useAnswer(`/inboxes/${inbox}/signature`)
  return (
    <Loaded answer={saved}>{({ text }) => <SignatureForm inbox={inbox} name={name} start={text} />}</Loaded>
  )
}

function SignatureForm({ inbox, name, start }: { inbox: string; name: string; start: string }) {
  const text = useSignal(start)
  const save = () => ask('PUT', `/inboxes/${inbox}/signature`, { text: text.value })
  return (
    <Form submit={texts.save} onSubmit={save} done={texts.saved}>
      <label class="stacked">
        {t.signatureOf(name)}
        <textarea
          class="field-input"
          rows={3}
          maxLength={2000}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
    </Form>
  )
}

function Sessions() {
  const sessions = useAnswer('/sessions')
  const end = (id: string) => ask('DELETE', `/sessions/${id}`).then(sessions.reload)
  return (
    <Card title={t.sessions}>
      <Loaded answer={sessions}>
        {({ data }) => (
          <ul class="lines">
            {data.map(({ id, device, lastSeenAt, current }) => (
              <li key={id}>
                <span>
                  {deviceName(device) ?? t.someBrowser}
                  <small>
                    {texts.tokens.lastUsed(timeAgo(lastSeenAt))}
                    {current && ` · ${t.thisOne}`}
                  </small>
                </span>
                {!current && (
                  <Act of={deviceName(device) ?? t.someBrowser} onAct={() => end(id)}>
                    {t.end}
                  </Act>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Act onAct={() => signOut(true)}>{t.everywhere}</Act>
    </Card>
  )
}
