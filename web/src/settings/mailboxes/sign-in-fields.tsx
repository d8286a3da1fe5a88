import { bind, Field } from '../../controls/form.tsx'
import { Check, optionsOf, Select } from '../parts/choice.tsx'
import { Copyable } from '../parts/copy.tsx'
import type { MailboxDraft } from './mailbox-draft.ts'
import { ServerFields } from './server-fields.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.signIn

/** Fields for a sign-in at the mail provider: the client, whose mailbox it is, and servers unknown to Spool. */
export function SignInFields({ draft }: { draft: MailboxDraft }) {
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
          {...bind(signIn.issuer)}
          placeholder={t.issuerExample}
        />
      )}
      {kind !== 'google' && (
        <Select label={t.way} options={optionsOf(['delegated', 'app'], t.ways)} {...bind(signIn.way)} />
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
            <Field label={t.clientId} {...bind(signIn.clientId)} />
            <Field
              label={t.clientSecret}
              type="password"
              autocomplete="new-password"
              optional={signIn.way.value === 'delegated'}
              {...bind(signIn.clientSecret)}
            />
          </div>
          {kind === 'microsoft' && (
            <Field
              label={t.tenant}
              hint={t.tenantHint}
              optional={signIn.way.value === 'delegated'}
              {...bind(signIn.tenant)}
            />
          )}
        </>
      )}
      {signIn.way.value === 'delegated' && (
        <Check label={t.shared} hint={t.sharedHint} {...bind(signIn.shared)} />
      )}
      {kind === 'microsoft' && <Check label={t.graph} hint={t.graphHint} {...bind(signIn.graph)} />}
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
export function FirstDay({ draft }: { draft: MailboxDraft }) {
  if (draft.inbox?.imap) return null
  return (
    <Select
      label={texts.mailbox.firstDay}
      options={optionsOf(['0', '14', 'all'], texts.mailbox.firstDays)}
      {...bind(draft.openDays)}
    />
  )
}
