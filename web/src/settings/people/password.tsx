import { useSignal } from '@preact/signals'
import type { StandingAccess } from '../../../../src/model/settings.ts'
import { ask } from '../../page/api.ts'
import { bind, Field, Form } from '../../controls/form.tsx'
import { showToast } from '../../page/toasts.ts'
import { isAdmin } from '../../session/session.ts'
import { timeAgo } from '../../page/times.ts'
import { useAnswer } from '../parts/answer.ts'
import { Checks, type Option } from '../parts/choice.tsx'
import { Card, Loaded } from '../parts/page.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.profile

/** Changes the password, and asks about tokens and webhooks, which work without one. */
export function PasswordCard() {
  const access = useAnswer('/password/access')
  const hint = isAdmin.value ? t.passwordHintOfAdmin : t.passwordHint
  return (
    <Card title={t.password} hint={hint}>
      <Loaded answer={access}>{(now) => <PasswordForm access={now} onChanged={access.reload} />}</Loaded>
    </Card>
  )
}

function PasswordForm({ access, onChanged }: { access: StandingAccess; onChanged: () => Promise<void> }) {
  const current = useSignal('')
  const next = useSignal('')
  /** Ids to keep; all others are revoked. */
  const kept = useSignal<readonly string[]>([])
  const change = async (): Promise<void> => {
    const keptOf = (all: readonly { id: string }[]): string[] =>
      all.map(({ id }) => id).filter((id) => kept.value.includes(id))
    const keep = { tokens: keptOf(access.tokens), webhooks: keptOf(access.webhooks) }
    const wanted = { current: current.value, new: next.value, keep }
    const { revoked } = await ask('POST', '/password', wanted, { quiet: true })
    current.value = ''
    next.value = ''
    showToast(t.changed(revoked))
    await onChanged()
  }
  const options = optionsOf(access)
  return (
    <Form submit={texts.change} onSubmit={change}>
      <Field label={t.current} type="password" autocomplete="current-password" {...bind(current)} />
      <Field label={t.next} type="password" autocomplete="new-password" {...bind(next)} />
      {options.length > 0 && (
        <Checks
          legend={t.revokeToo}
          hint={t.revokeTooHint}
          options={options}
          value={options.map(({ value }) => value).filter((id) => !kept.value.includes(id))}
          onValue={(chosen) =>
            (kept.value = options.map(({ value }) => value).filter((id) => !chosen.includes(id)))
          }
        />
      )}
    </Form>
  )
}

function optionsOf({ tokens, webhooks }: StandingAccess): Option<string>[] {
  return [
    ...tokens.map(({ id, name, createdAt, lastUsedAt }) => ({
      value: id,
      label: t.aToken(name),
      hint: `${t.madeAt(timeAgo(createdAt))}, ${lastUsedAt === null ? texts.tokens.neverUsed : texts.tokens.lastUsed(timeAgo(lastUsedAt))}`,
    })),
    ...webhooks.map(({ id, url, createdAt }) => ({
      value: id,
      label: t.aWebhook(url),
      hint: t.madeAt(timeAgo(createdAt)),
    })),
  ]
}
