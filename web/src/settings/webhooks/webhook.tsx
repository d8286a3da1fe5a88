import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { EventType } from '../../../../src/model/events.ts'
import type { WebhookSettings as Webhook } from '../../../../src/model/settings.ts'
import { ask } from '../../page/api.ts'
import { Form } from '../../controls/form.tsx'
import { tell } from '../../page/notices.ts'
import { go } from '../../page/router.ts'
import { shortTime } from '../../page/times.ts'
import { useAnswer } from '../parts/answer.ts'
import { inboxNames, needSome } from '../parts/choice.tsx'
import { Act, Confirm } from '../parts/confirm.tsx'
import { Deliveries } from './deliveries.tsx'
import { KindChoice } from './kind-choice.tsx'
import { Card, Loaded, Made, Page } from '../parts/page.tsx'
import { Replay } from './replay.tsx'
import { Verification, WebhookSecret } from './secret.tsx'
import { WebhookState } from './state.tsx'
import { words } from '../parts/words.ts'

const w = words.webhooks

/** One subscription: its state, what was delivered, what was missed, its secret, the end. */
export function WebhookPage({ id }: { id: string }): JSX.Element {
  const webhook = useAnswer(`/webhooks/${id}`, () => 4000)
  /** Raised when something goes out, so that the list is read anew. */
  const changes = useSignal(0)
  const act = async (what: 'test' | 'enable' | 'disable'): Promise<void> => {
    await ask('POST', `/webhooks/${id}/${what}`, {})
    await webhook.reload()
    changes.value++
  }
  return (
    <Page title={words.pages.webhooks} lead={webhook.value?.url} up="/settings/webhooks" wide>
      <Loaded answer={webhook}>
        {(now) => (
          <>
            <Card title={w.state} beside={<WebhookState webhook={now} />}>
              <Facts webhook={now} />
              <div class="buttons-left">
                {now.state === 'enabled' ? (
                  <>
                    <Act onAct={() => act('test')} done={w.tested}>
                      {w.test}
                    </Act>
                    <Act onAct={() => act('disable')}>{w.disable}</Act>
                  </>
                ) : (
                  <Act onAct={() => act('enable')} done={w.enabledNow}>
                    {w.enable}
                  </Act>
                )}
              </div>
            </Card>
            <Deliveries webhook={now} changes={changes.value} />
            <Replay webhook={now} onReplayed={() => changes.value++} />
            <Secret id={id} />
            <Kinds webhook={now} onSaved={() => void webhook.reload()} />
            <Card title={w.end} hint={w.endHint}>
              <Confirm
                button={w.remove}
                title={w.removeTitle}
                text={w.endHint}
                act={w.remove}
                onAct={async () => {
                  await ask('DELETE', `/webhooks/${id}`)
                  go('/settings/webhooks', { replace: true })
                }}
              />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Facts({ webhook }: { webhook: Webhook }): JSX.Element {
  const { state, disabledReason, disabledAt, waiting, behind, replaying, failingSince, inboxes } = webhook
  return (
    <>
      {state === 'disabled' && (
        <p class="wrong">
          {w.disabledWhy(disabledReason ?? '', disabledAt === null ? '' : shortTime(disabledAt))}
        </p>
      )}
      {state === 'enabled' && failingSince !== null && (
        <p class="caution">{w.failingSince(shortTime(failingSince))}</p>
      )}
      <p class="hint">
        {[
          inboxes === null ? words.inboxes.allTheirs : inboxNames(inboxes),
          waiting > 0 ? w.waitingCount(waiting) : null,
          behind > 0 ? w.behind(behind) : null,
          replaying ? w.replaying : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </>
  )
}

function Secret({ id }: { id: string }): JSX.Element {
  const secret = useSignal<string | null>(null)
  return (
    <Card title={w.secret} hint={w.rotateHint}>
      {secret.value !== null ? (
        <Made>
          <WebhookSecret secret={secret.value} />
        </Made>
      ) : (
        <>
          <Act
            onAct={async () => {
              secret.value = (await ask('POST', `/webhooks/${id}/rotate`, {})).secret
            }}
          >
            {w.rotate}
          </Act>
          <Verification />
        </>
      )}
    </Card>
  )
}

function Kinds({ webhook, onSaved }: { webhook: Webhook; onSaved: () => void }): JSX.Element {
  const kinds = useSignal<readonly EventType[] | null>(webhook.kinds)
  return (
    <Card title={w.kinds}>
      <Form
        submit={words.save}
        onSubmit={async () => {
          needSome(kinds.value, w.needsKind)
          await ask('PATCH', `/webhooks/${webhook.id}`, { kinds: kinds.value })
          tell(words.saved)
          onSaved()
        }}
      >
        <KindChoice chosen={kinds.value} onChosen={(now) => (kinds.value = now)} />
      </Form>
    </Card>
  )
}
