import { useSignal } from '@preact/signals'
import type { TokenView as Token } from '../../../../src/model/settings.ts'
import type { JSX } from 'preact'
import { ask } from '../../page/api.ts'
import { Field, Form } from '../../controls/form.tsx'
import { session } from '../../session/session.ts'
import { fullTime, futureTime, timeAgo } from '../../page/times.ts'
import { useAnswer } from '../parts/answer.ts'
import { inboxNames } from '../parts/choice.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Copyable } from '../parts/copy.tsx'
import { Card, Loaded, Made, Nothing, Page } from '../parts/page.tsx'
import { TokenWishFields, useTokenWishes, wishesBody } from './token-wishes.tsx'
import { words } from '../parts/words.ts'

const w = words.tokens

export function TokensPage(): JSX.Element {
  const isAdmin = session.value?.user.role === 'admin'
  const tokens = useAnswer('/tokens', undefined, { query: { all: isAdmin ? '1' : '0' } })
  return (
    <Page title={words.pages.tokens} lead={w.lead}>
      <Card title={w.make} hint={w.makeHint}>
        <MakeToken onMade={() => void tokens.reload()} />
      </Card>
      <Loaded answer={tokens}>
        {({ data }) => (
          <Card title={isAdmin ? w.everyones : w.yours}>
            {data.length === 0 && <Nothing>{w.none}</Nothing>}
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

function MakeToken({ onMade }: { onMade: () => void }): JSX.Element {
  const name = useSignal('')
  const wishes = useTokenWishes()
  const made = useSignal<{ name: string; token: string } | null>(null)
  const make = async (): Promise<void> => {
    const { token } = await ask('POST', '/tokens', {
      name: name.value,
      ...wishesBody(wishes),
    })
    made.value = { name: name.value, token }
    name.value = ''
    onMade()
  }
  return (
    <>
      <Form submit={w.makeIt} onSubmit={make}>
        <Field
          label={w.name}
          value={name.value}
          onValue={(now) => (name.value = now)}
          placeholder={w.nameExample}
        />
        <TokenWishFields wishes={wishes} />
      </Form>
      {made.value && (
        <Made key={made.value.token}>
          <p>{w.madeNow(made.value.name)}</p>
          <Copyable label={w.token} text={made.value.token} note={w.shownOnce} />
        </Made>
      )}
    </>
  )
}

function TokenLine({ token, onGone }: { token: Token; onGone: () => void }): JSX.Element {
  const { id, name, scopes, inboxes, expiresAt, lastUsedAt, expiresSoon, user } = token
  const foreign = user.id !== session.value?.user.id
  return (
    <li>
      <span>
        <b>
          {name}
          {foreign && <i> {w.of(user.name)}</i>}
        </b>
        <small>
          {scopes.map((scope) => w.scopesShort[scope]).join(', ')} ·{' '}
          {inboxes === null ? words.inboxes.allTheirs : inboxNames(inboxes)}
        </small>
        <small title={lastUsedAt === null ? undefined : fullTime(lastUsedAt)}>
          {lastUsedAt === null ? w.neverUsed : w.lastUsed(timeAgo(lastUsedAt))}
        </small>
      </span>
      <span class={expiresSoon ? 'chip warn' : 'chip'}>{endWords(expiresAt)}</span>
      <Confirm
        button={
          <>
            {w.revoke}
            <span class="hidden"> {name}</span>
          </>
        }
        title={w.revokeTitle(name)}
        text={w.revokeText}
        act={w.revoke}
        onAct={async () => {
          await ask('DELETE', `/tokens/${id}`)
          onGone()
        }}
      />
    </li>
  )
}

function endWords(expiresAt: string | null): string {
  if (expiresAt === null) return w.neverEnds
  return Date.parse(expiresAt) < Date.now() ? w.ended : w.ends(futureTime(expiresAt))
}
