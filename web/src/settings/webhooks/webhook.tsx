import { useSignal } from '@preact/signals'
import type { WebhookSettings as Webhook } from '../../../../src/model/settings.ts'
import { ask } from '../../page/api.ts'
import { bind, Form } from '../../controls/form.tsx'
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
import { texts } from '../parts/texts.ts'

const t = texts.webhooks

/** One webhook: state, deliveries, replay, secret, removal. */
export function WebhookPage({ id }: { id: string }) {
  const webhook = useAnswer(`/webhooks/${id}`, () => 4000)
  /** Incremented on every send, so that the list reloads. */
  const changes = useSignal(0)
  const act = async (what: 'test' | 'enable' | 'disable'): Promise<void> => {
    await ask('POST', `/webhooks/${id}/${what}`, {})
    await webhook.reload()
    changes.value++
  }
  return (
    <Page title={texts.pages.webhooks} lead={webhook.value?.url} up="/settings/webhooks" wide>
      <Loaded answer={webhook}>
        {(now) => (
          <>
            <Card title={t.state} extra={<WebhookState webhook={now} />}>
              <Facts webhook={now} />
              <div class="form-foot">
                {now.state === 'enabled' ? (
                  <>
                    <Act onAct={() => act('test')} done={t.tested}>
                      {t.test}
                    </Act>
                    <Act onAct={() => act('disable')}>{t.disable}</Act>
                  </>
                ) : (
                  <Act onAct={() => act('enable')} done={t.enabledNow}>
                    {t.enable}
                  </Act>
                )}
              </div>
            </Card>
            <Deliveries webhook={now} changes={changes.value} />
            <Replay webhook={now} onReplayed={() => changes.value++} />
            <Secret id={id} />
            <Kinds webhook={now} onSaved={() => void webhook.reload()} />
            <Card title={t.end} hint={t.endHint}>
              <Confirm
                title={t.removeTitle}
                text={t.endHint}
                onAct={() =>
                  ask('DELETE', `/webhooks/${id}`).then(() => go('/settings/webhooks', { replace: true }))
                }
              />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Facts({ webhook }: { webhook: Webhook }) {
  const { state, disabledReason, disabledAt, waiting, behind, replaying, failingSince, inboxes } = webhook
  return (
    <>
      {state === 'disabled' && (
        <p class="wrong">
          {t.disabledWhy(disabledReason ?? '', disabledAt === null ? '' : shortTime(disabledAt))}
        </p>
      )}
      {state === 'enabled' && failingSince !== null && (
        <p class="caution">{t.failingSince(shortTime(failingSince))}</p>
      )}
      <p class="hint">
        {[
          inboxes === null ? texts.inboxes.allTheirs : inboxNames(inboxes),
          waiting > 0 ? t.waitingCount(waiting) : null,
          behind > 0 ? t.behind(behind) : null,
          replaying ? t.replaying : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </>
  )
}

function Secret({ id }: { id: string }) {
  const secret = useSignal<string | null>(null)
  const rotate = async (): Promise<void> => {
    secret.value = (await ask('POST', `/webhooks/${id}/rotate`, {})).secret
  }
  return (
    <Card title={t.secret} hint={t.rotateHint}>
      {secret.value !== null ? (
        <Made>
          <WebhookSecret secret={secret.value} />
        </Made>
      ) : (
        <>
          <Act onAct={rotate}>{t.rotate}</Act>
          <Verification />
        </>
      )}
    </Card>
  )
}

function Kinds({ webhook, onSaved }: { webhook: Webhook; onSaved: () => void }) {
  const kinds = useSignal(webhook.kinds?.slice() ?? null)
  return (
    <Card title={t.kinds}>
      <Form
        submit={texts.save}
        done={texts.saved}
        onSubmit={async () => {
          needSome(kinds.value, t.needsKind)
          await ask('PATCH', `/webhooks/${webhook.id}`, { kinds: kinds.value })
          onSaved()
        }}
      >
        <KindChoice {...bind(kinds)} />
      </Form>
    </Card>
  )
}

export function WebhookState({ webhook }: { webhook: Webhook }) {
  if (webhook.state === 'disabled') return <span class="chip danger">{t.states.disabled}</span>
  if (webhook.failingSince !== null) return <span class="chip warn">{t.states.failing}</span>
  return <span class="chip ok">{t.states.enabled}</span>
}
