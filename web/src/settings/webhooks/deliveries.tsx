import { useSignal } from '@preact/signals'
import type { DeliveryView as Delivery, WebhookSettings as Webhook } from '../../../../src/model/settings.ts'
import { useEffect } from 'preact/hooks'
import { ask, get } from '../../page/api.ts'
import { bind } from '../../controls/form.tsx'
import { showProblem } from '../../page/toasts.ts'
import { fullTime, futureTime, messageTime } from '../../page/times.ts'
import { useAnswer } from '../parts/answer.ts'
import { optionsOf, Select } from '../parts/choice.tsx'
import { Act } from '../parts/confirm.tsx'
import { Card, Loaded, Nothing } from '../parts/page.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.webhooks

type Which = 'all' | Delivery['status']

/** The delivery log, newest first, with the receiver's answers. */
export function Deliveries({ webhook, changes }: { webhook: Webhook; changes: number }) {
  const which = useSignal<Which>('all')
  const status = which.value === 'all' ? null : which.value
  const more = useSignal<{ data: Delivery[]; nextCursor: string | null } | null>(null)
  // No refresh while older deliveries are shown, so that nothing moves.
  const first = useAnswer(`/webhooks/${webhook.id}/deliveries`, () => (more.value === null ? 3000 : null), {
    query: { status },
  })
  useEffect(() => {
    more.value = null
    if (changes > 0) void first.reload()
  }, [changes, status])
  const loadMore = async (cursor: string): Promise<void> => {
    more.value ??= { data: [], nextCursor: cursor }
    first.put(first.value!)
    try {
      const page = await get(`/webhooks/${webhook.id}/deliveries`, { query: { status, cursor } })
      more.value = { data: [...(more.value?.data ?? []), ...page.data], nextCursor: page.nextCursor }
    } catch (error) {
      showProblem(error)
    }
  }
  return (
    <Card title={t.deliveries}>
      <div class="pair narrow">
        <Select
          label={t.show}
          options={optionsOf(['all', 'delivered', 'waiting', 'failed'], t.statuses)}
          {...bind(which)}
        />
      </div>
      <Loaded answer={first}>
        {(page) => {
          const rows = [...page.data, ...(more.value?.data ?? [])]
          const cursor = more.value ? more.value.nextCursor : page.nextCursor
          return (
            <>
              {rows.length === 0 && <Nothing>{t.noDeliveries}</Nothing>}
              <ul class="lines">
                {rows.map((delivery) => (
                  <DeliveryLine
                    key={delivery.id}
                    delivery={delivery}
                    webhook={webhook}
                    onRetried={() => void (more.value === null && first.reload())}
                  />
                ))}
              </ul>
              {cursor !== null && (
                <button type="button" class="btn" onClick={() => void loadMore(cursor)}>
                  {t.earlier}
                </button>
              )}
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

const tones = { delivered: 'ok', waiting: 'warn', failed: 'danger' } as const

function DeliveryLine({
  delivery,
  webhook,
  onRetried,
}: {
  delivery: Delivery
  webhook: Webhook
  onRetried: () => void
}) {
  const { id, kind, status, attempts, attemptedAt, nextAttemptAt, lastAnswer, error } = delivery
  const when = attemptedAt === null ? t.notYet : messageTime(attemptedAt)
  const retry = () => ask('POST', `/webhooks/${webhook.id}/deliveries/${id}/retry`, {}).then(onRetried)
  return (
    <li>
      <span>
        <b>{kind}</b>
        <small title={attemptedAt === null ? undefined : fullTime(attemptedAt)}>
          {when} · {t.attempts(attempts)}
          {lastAnswer && ` · ${t.took(lastAnswer.durationMs)}`}
          {nextAttemptAt !== null && ` · ${t.again(futureTime(nextAttemptAt))}`}
        </small>
        {error !== null && <small class="wrong">{error}</small>}
        {lastAnswer && lastAnswer.body !== '' && <small class="mono answer-text">{lastAnswer.body}</small>}
      </span>
      <span class={`chip ${tones[status]}`}>
        {lastAnswer ? t.answered(t.statuses[status], lastAnswer.status) : t.statuses[status]}
      </span>
      {webhook.state === 'enabled' && (
        <Act of={`${kind} ${when}`} onAct={retry} done={t.retried}>
          {t.retry}
        </Act>
      )}
    </li>
  )
}
