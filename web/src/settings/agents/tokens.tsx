import { useSignal } from '@preact/signals'
import type { TokenView as Token } from '../../../../src/model/settings.ts'
import { ask } from '../../page/api.ts'
import { bind, Field, Form } from '../../controls/form.tsx'
import { isAdmin, session } from '../../session/session.ts'
import { fullTime, futureTime, timeAgo } from '../../page/times.ts'
import { useAnswer } from '../parts/answer.ts'
import { inboxNames } from '../parts/choice.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Copyable } from '../parts/copy.tsx'
import { Card, Loaded, Made, Nothing, Page } from '../parts/page.tsx'
import { TokenOptionFields, useTokenOptions, optionsBody } from './token-options.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.tokens

export function TokensPage() {
  const tokens = useAnswer('/tokens', undefined, { query: { all: isAdmin.value ? '1' : '0' } })
  return (
    <Page title={texts.pages.tokens} lead={t.lead}>
      <Card title={t.make} hint={t.makeHint}>
        <MakeToken onMade={() => void tokens.reload()} />
      </Card>
      <Loaded answer={tokens}>
        {({ data }) => (
          <Card title={isAdmin.value ? t.everyones : t.yours}>
            {data.length === 0 && <Nothing>{t.none}</Nothing>}
            <ul class="lines">
              {data.map((token) => (
                <TokenLine key={token.id} token={token} onGone={() => void tokens.reload()} />
              ))}
            </ul>
          </Card>
        )}
      </Loaded>
    </Page>
  )
}

function MakeToken({ onMade }: { onMade: () => void }) {
  const name = useSignal('')
  const options = useTokenOptions()
  const made = useSignal<{ name: string; token: string } | null>(null)
  const make = async (): Promise<void> => {
    const { token } = await ask('POST', '/tokens', { name: name.value, ...optionsBody(options) })
    made.value = { name: name.value, token }
    name.value = ''
    onMade()
  }
  return (
    <>
      <Form submit={t.makeIt} onSubmit={make}>
        <Field label={t.name} {...bind(name)} placeholder={t.nameExample} />
        <TokenOptionFields options={options} />
      </Form>
      {made.value && (
        <Made key={made.value.token}>
          <p>{t.madeNow(made.value.name)}</p>
          <Copyable label={t.token} text={made.value.token} note={t.shownOnce} />
        </Made>
      )}
    </>
  )
}

function TokenLine({ token, onGone }: { token: Token; onGone: () => void }) {
  const { id, name, scopes, inboxes, expiresAt, lastUsedAt, expiresSoon, user } = token
  const foreign = user.id !== session.value?.user.id
  return (
    <li>
      <span>
        <b>
          {name}
          {foreign && <i> {t.of(user.name)}</i>}
        </b>
        <small>
          {scopes.map((scope) => t.scopesShort[scope]).join(', ')} ·{' '}
          {inboxes === null ? texts.inboxes.allTheirs : inboxNames(inboxes)}
        </small>
        <small title={lastUsedAt === null ? undefined : fullTime(lastUsedAt)}>
          {lastUsedAt === null ? t.neverUsed : t.lastUsed(timeAgo(lastUsedAt))}
        </small>
      </span>
      <span class={expiresSoon ? 'chip warn' : 'chip'}>{expiryText(expiresAt)}</span>
      <Confirm
        of={name}
        title={t.revokeTitle(name)}
        text={t.revokeText}
        act={texts.revoke}
        onAct={() => ask('DELETE', `/tokens/${id}`).then(onGone)}
      />
    </li>
  )
}

function expiryText(expiresAt: string | null): string {
  if (expiresAt === null) return t.neverEnds
  return Date.parse(expiresAt) < Date.now() ? t.ended : t.ends(futureTime(expiresAt))
}
