import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { AgentConfigurations, FirstCall } from '../../../../src/model/settings.ts'
import { ask, getUnless } from '../../page/api.ts'
import { bind, Field, Form } from '../../controls/form.tsx'
import { Icon } from '../../controls/icon.tsx'
import { timeAgo } from '../../page/times.ts'
import { Copyable } from '../parts/copy.tsx'
import { Card } from '../parts/page.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { TokenOptionFields, useTokenOptions, optionsBody } from './token-options.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.agents

/** Three steps: choose what the agent may do, paste its configuration, wait for its first call. */
export function ConnectAgent({ onCalled }: { onCalled: () => void }) {
  const name = useSignal('')
  const options = useTokenOptions()
  const made = useSignal<{ name: string; tokenId: string; configurations: AgentConfigurations } | null>(null)
  const make = async (): Promise<void> => {
    const agent = await ask('POST', '/agents', { name: name.value, ...optionsBody(options) })
    made.value = { ...agent, name: name.value }
  }
  if (made.value === null)
    return (
      <Card title={t.first}>
        <Form submit={texts.tokens.makeIt} onSubmit={make}>
          <Field label={t.name} {...bind(name)} placeholder={t.nameExample} hint={t.nameHint} />
          <TokenOptionFields options={options} forAgent />
        </Form>
      </Card>
    )
  const { name: called, configurations, tokenId } = made.value
  return (
    <>
      <Card
        title={t.may(called)}
        hint={options.scopes.value.map((scope) => texts.tokens.scopesShort[scope]).join(', ')}
      />
      <Card title={t.second} hint={texts.tokens.shownOnce}>
        <Tabs label={t.clients} tabs={t.client}>
          {(client) => (
            <>
              <p class="hint">{t.where[client]}</p>
              <Copyable
                key={client}
                block
                label={t.configuration(t.client[client])}
                text={configurations[client]}
              />
            </>
          )}
        </Tabs>
      </Card>
      <AwaitedCall
        key={tokenId}
        tokenId={tokenId}
        name={called}
        onCalled={onCalled}
        onAnother={() => {
          made.value = null
          name.value = ''
        }}
      />
    </>
  )
}

function AwaitedCall({
  tokenId,
  name,
  onCalled,
  onAnother,
}: {
  tokenId: string
  name: string
  onCalled: () => void
  onAnother: () => void
}) {
  const called = useSignal<FirstCall | null>(null)
  useEffect(() => {
    const leaving = new AbortController()
    void waitForCall(tokenId, leaving.signal).then((answer) => {
      if (leaving.signal.aborted) return
      called.value = answer
      onCalled()
    })
    return () => leaving.abort()
  }, [tokenId])
  return (
    <section class={called.value ? 'card called' : 'card'} aria-live="polite">
      <h2>
        {called.value && <Icon name="check" />} {called.value ? t.called(name) : t.third}
      </h2>
      <p class="hint">
        {called.value ? t.calledText(timeAgo(called.value.calledAt!), called.value.tool) : t.waiting}
      </p>
      {called.value && (
        <button type="button" class="btn" onClick={onAnother}>
          {t.another}
        </button>
      )}
    </section>
  )
}

/** Long-polls for the first call. */
async function waitForCall(tokenId: string, signal: AbortSignal): Promise<FirstCall> {
  for (;;) {
    const began = Date.now()
    const answer = await getUnless(signal, `/agents/${tokenId}/first-call`, { query: { wait: '25' } }).catch(
      () => null,
    )
    if (signal.aborted || answer?.calledAt) return answer ?? { calledAt: null, tool: null }
    // If the server is unreachable, the request fails at once, so wait before the next one.
    if (Date.now() - began < 2000) await new Promise((resolve) => setTimeout(resolve, 2000))
  }
}
