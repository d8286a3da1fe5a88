import type { JSX } from 'preact'
import { Field } from '../../controls/form.tsx'
import { Select } from '../parts/choice.tsx'
import { Copyable } from '../parts/copy.tsx'
import type { MailboxDraft } from './mailbox-draft.ts'
import { ServerFields } from './server-fields.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.signIn

/** Fields for a sign-in at the mail provider: the client, whose mailbox it is, and servers unknown to Spool. */
export function SignInFields({ draft }: { draft: MailboxDraft }): JSX.Element {
  const { provider, signIn } = draft
  const { client = null, redirectUri = '' } = provider.value?.signIn ?? {}
  const kind = draft.signInProvider
  return (
    <>
      {kind === 'other' && (
        <Field
          label={t.issuer}
          hint={t.issuerHint}
          type="url"
          value={signIn.issuer.value}
          onValue={(now) => (signIn.issuer.value = now)}
          placeholder={t.issuerExample}
        />
      )}
      {kind !== 'google' && (
        <Select
          label={t.way}
          options={[
            { value: 'delegated', label: t.ways.delegated },
            { value: 'app', label: t.ways.app },
          ]}
          value={signIn.way.value}
          onValue={(way) => (signIn.way.value = way)}
        />
      )}
      {client !== null && !signIn.changesClient.value ? (
        <p class="known">
          {t.clientKnown(client.clientId)}{' '}
          <button type="button" class="link" onClick={() => (signIn.changesClient.value = true)}>
            {t.changeClient}
          </button>
        </p>
      ) : (
        <>
          <p class="hint">{t.clientHint[kind]}</p>
          {signIn.way.value === 'delegated' && <Copyable label={t.redirect} text={redirectUri} />}
          <div class="pair">
            <Field
              label={t.clientId}
              value={signIn.clientId.value}
              onValue={(now) => (signIn.clientId.value = now)}
            />
            <Field
              label={t.clientSecret}
              type="password"
              autocomplete="new-password"
              optional={signIn.way.value === 'delegated'}
              value={signIn.clientSecret.value}
              onValue={(now) => (signIn.clientSecret.value = now)}
            />
          </div>
          {kind === 'microsoft' && (
            <Field
              label={t.tenant}
              hint={t.tenantHint}
              optional={signIn.way.value === 'delegated'}
              value={signIn.tenant.value}
              onValue={(now) => (signIn.tenant.value = now)}
            />
          )}
        </>
      )}
      {signIn.way.value === 'delegated' && (
        <label class="check">
          <input
            type="checkbox"
            checked={signIn.shared.value}
            onChange={(event) => (signIn.shared.value = event.currentTarget.checked)}
          />
          <span>
            {t.shared}
            <small>{t.sharedHint}</small>
          </span>
        </label>
      )}
      {kind === 'microsoft' && (
        <label class="check">
          <input
            type="checkbox"
            checked={signIn.graph.value}
            onChange={(event) => (signIn.graph.value = event.currentTarget.checked)}
          />
          <span>
            {t.graph}
            <small>{t.graphHint}</small>
          </span>
        </label>
      )}
      <FirstDay draft={draft} />
      {kind === 'other' && (
        <>
          <ServerFields kind="imap" draft={draft} bySignIn />
          <ServerFields kind="smtp" draft={draft} bySignIn />
        </>
      )}
    </>
  )
}

/** Choice of which old threads start open: years of mail should not all wait for an answer. */
export function FirstDay({ draft }: { draft: MailboxDraft }): JSX.Element | null {
  if (draft.inbox?.imap) return null
  return (
    <Select
      label={texts.mailbox.firstDay}
      options={(['0', '14', 'all'] as const).map((value) => ({
        value,
        label: texts.mailbox.firstDays[value],
      }))}
      value={draft.openDays.value}
      onValue={(now) => (draft.openDays.value = now)}
    />
  )
}
