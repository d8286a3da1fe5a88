import { useId } from 'preact/hooks'
import { usualPorts } from '../../../../src/model/mail/ports.ts'
import type { MailServerKind, Security } from '../../../../src/model/mail/server.ts'
import { bind, Field, Problem } from '../../controls/form.tsx'
import { optionsOf, Select } from '../parts/choice.tsx'
import type { MailboxDraft, ServerField } from './mailbox-draft.ts'
import { texts } from '../parts/texts.ts'

const t = texts.mailbox

/** One server and its sign-in; errors are shown at the field they concern. */
export function ServerFields({
  kind,
  draft,
  bySignIn = false,
}: {
  kind: MailServerKind
  draft: MailboxDraft
  /** If true, no user name or password is needed. */
  bySignIn?: boolean
}) {
  const server = draft[kind]
  const { host, port, security, username, state } = server
  const id = useId()
  const { field = null, message = null } = server.problem.value ?? {}
  const at = (each: ServerField): string | null => (field === each ? id : null)
  return (
    <fieldset class="server">
      <legend>
        {t.servers[kind]}
        {state.value === 'trying' && <span class="chip">{t.trying}</span>}
        {state.value === 'good' && <span class="chip ok">{t.good}</span>}
      </legend>
      <div class="server-line">
        <Field
          label={t.host[kind]}
          {...bind(host)}
          problemAt={at('host')}
          optional={kind === 'smtp' && !draft.fetches.value}
        />
        <Field label={t.port[kind]} type="number" {...bind(port)} problemAt={at('port')} />
        <Select
          label={t.security[kind]}
          options={optionsOf(['tls', 'starttls', 'none'], t.securities)}
          value={security.value}
          onValue={(now: Security) => {
            const ports = usualPorts[kind]
            // The port follows, unless the user entered a custom one.
            if (Object.values<number>(ports).includes(Number(port.value))) port.value = String(ports[now])
            security.value = now
          }}
          problemAt={at('security')}
        />
      </div>
      <Problem text={field === 'password' ? null : message} id={id} />
      {!bySignIn && (
        <div class="pair">
          <Field label={t.username[kind]} optional {...bind(username)} />
          {kind === 'smtp' && <SmtpPassword draft={draft} problem={field === 'password' ? message : null} />}
        </div>
      )}
    </fieldset>
  )
}

function SmtpPassword({ draft, problem }: { draft: MailboxDraft; problem: string | null }) {
  const { smtpPassword } = draft
  if (smtpPassword.value === null)
    return (
      <div class="stacked">
        <span>{t.smtpPassword}</span>
        <span class="same">
          {t.samePassword}{' '}
          <button type="button" class="link" onClick={() => (smtpPassword.value = '')}>
            {t.otherPassword}
          </button>
        </span>
      </div>
    )
  return (
    <Field
      label={t.smtpPassword}
      type="password"
      autocomplete="new-password"
      optional
      first
      value={smtpPassword.value}
      onValue={(now) => (smtpPassword.value = now)}
      problem={problem}
    />
  )
}
