import type { InboxSettings } from '../../../../src/model/settings.ts'
import { useMemo } from 'preact/hooks'
import { bind, Field, Form } from '../../controls/form.tsx'
import { resumeSession } from '../../session/session.ts'
import { Checks, needSome, optionsOf, Select } from '../parts/choice.tsx'
import { MailboxDraft, nameFor } from './mailbox-draft.ts'
import { FirstDay, SignInFields } from './sign-in-fields.tsx'
import { ServerFields } from './server-fields.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.mailbox

/** Connects an inbox to its mailbox: the servers are tested before anything is saved. */
export function MailboxForm({
  inbox = null,
  onDone,
}: {
  inbox?: InboxSettings | null
  onDone: (inbox: InboxSettings) => void
}) {
  const draft = useMemo(() => new MailboxDraft(inbox), [])
  const submit = async (): Promise<void> => {
    if (draft.signsIn.value) {
      const inbox = await draft.startSignIn()
      if (inbox === null) return
      await resumeSession().catch(() => undefined)
      return onDone(inbox)
    }
    if (draft.folders.value === null) {
      await draft.findProvider()
      if (!(await draft.try())) return
      // The second step is choosing folders, so there is none without IMAP.
      if (draft.fetches.value) return
    }
    needSome(draft.folders.value?.filter(({ chosen }) => chosen) ?? null, t.needsFolder)
    const saved = await draft.save()
    await resumeSession().catch(() => undefined)
    onDone(saved)
  }
  return (
    <Form
      submit={submitLabel(draft)}
      onSubmit={submit}
      extra={
        draft.folders.value !== null && (
          <button type="button" class="btn" onClick={() => (draft.folders.value = null)}>
            {t.changeServers}
          </button>
        )
      }
    >
      {draft.folders.value === null ? <Access draft={draft} /> : <Folders draft={draft} />}
    </Form>
  )
}

/** The submit label for the next step; without a server there is nothing to check. */
function submitLabel({ folders, inbox, fetches, sends, signsIn, signIn }: MailboxDraft): string {
  if (signsIn.value) return signIn.way.value === 'app' ? t.check : texts.signIn.start
  if (folders.value === null && (fetches.value || sends)) return t.check
  if (inbox) return texts.save
  return fetches.value ? t.connect : t.addForwarded
}

/** Address, password and, if needed, the servers. */
function Access({ draft }: { draft: MailboxDraft }) {
  const { address, name } = draft
  return (
    <>
      {draft.inbox === null && (
        <div class="pair">
          <Field
            label={t.address}
            type="email"
            {...bind(address)}
            onLeave={() => void draft.findProvider().catch(() => undefined)}
            placeholder={t.addressExample}
          />
          <Field
            label={t.nameOptional}
            hint={t.nameHint}
            optional
            {...bind(name)}
            placeholder={nameFor(address.value || t.nameExample)}
          />
        </div>
      )}
      <WayChoice draft={draft} />
      {draft.signsIn.value ? <SignInFields draft={draft} /> : <WithPassword draft={draft} />}
    </>
  )
}

/** Switches between a password and a sign-in at the provider. */
function WayChoice({ draft }: { draft: MailboxDraft }) {
  const { provider, signsIn } = draft
  if (provider.value === null && draft.inbox === null) return null
  return (
    <p class="known">
      {texts.signIn.offers[draft.signInProvider]}{' '}
      <button type="button" class="link" onClick={() => (signsIn.value = !signsIn.value)}>
        {signsIn.value ? texts.signIn.usePassword : texts.signIn.useSignIn}
      </button>
    </p>
  )
}

function WithPassword({ draft }: { draft: MailboxDraft }) {
  const { password, provider, imap, smtp } = draft
  const wrongPassword = [imap, ...(draft.smtpPassword.value === null ? [smtp] : [])]
    .map(({ problem }) => problem.value)
    .find((problem) => problem?.field === 'password')
  const known = provider.value?.guessed || !provider.value?.takesPasswords ? null : provider.value
  return (
    <>
      <Field
        label={t.password}
        type="password"
        autocomplete="new-password"
        optional={draft.inbox !== null || !draft.fetches.value}
        {...bind(password)}
        problem={wrongPassword?.message ?? null}
        hint={<PasswordHint draft={draft} />}
      />
      {known && !draft.open.value && (
        <p class="known">
          {t.known(known.name, known.imap.host, known.smtp.host)}{' '}
          <button type="button" class="link" onClick={() => (draft.open.value = true)}>
            {t.showServers}
          </button>
        </p>
      )}
      {draft.open.value && <Servers draft={draft} />}
    </>
  )
}

function PasswordHint({ draft }: { draft: MailboxDraft }) {
  const { passwordHint = null, link = null, takesPasswords = true } = draft.provider.value ?? {}
  return (
    <>
      {(takesPasswords ? passwordHint : null) ?? (draft.inbox ? t.passwordKept : t.passwordHint)}
      {link !== null && (
        <>
          {' '}
          <a class="link" href={link} target="_blank" rel="noreferrer">
            {t.passwordLink}
          </a>
        </>
      )}
    </>
  )
}

function Servers({ draft }: { draft: MailboxDraft }) {
  const { provider, fetches } = draft
  return (
    <>
      {provider.value?.guessed && <p class="known">{t.guessed}</p>}
      {provider.value?.takesPasswords === false && <p class="caution">{provider.value.passwordHint}</p>}
      <Select
        label={t.way}
        options={optionsOf(['imap', 'forwarded'], t.ways)}
        value={fetches.value ? 'imap' : 'forwarded'}
        onValue={(way) => (fetches.value = way === 'imap')}
      />
      {!fetches.value && <p class="hint">{t.forwardedHint}</p>}
      {fetches.value && <ServerFields kind="imap" draft={draft} />}
      <ServerFields kind="smtp" draft={draft} />
    </>
  )
}

function Folders({ draft }: { draft: MailboxDraft }) {
  const folders = draft.folders.value!
  return (
    <>
      <p class="good" role="status">
        {t.works(draft.address.value)}
      </p>
      <Checks
        legend={t.folders}
        options={folders.map(({ path, role }) => ({
          value: path,
          label: path,
          ...(role === null || t.folderRoles[role].toLowerCase() === path.toLowerCase()
            ? {}
            : { hint: t.folderRoles[role] }),
        }))}
        value={folders.filter(({ chosen }) => chosen).map(({ path }) => path)}
        onValue={(chosen) =>
          (draft.folders.value = folders.map((folder) => ({
            ...folder,
            chosen: chosen.includes(folder.path),
          })))
        }
      />
      <p class="hint">{t.foldersHint}</p>
      <FirstDay draft={draft} />
    </>
  )
}
