import { useSignal } from '@preact/signals'
import type { WebhookSettings as Webhook } from '../../../../src/model/settings.ts'
import { useEffect } from 'preact/hooks'
import { ask } from '../../page/api.ts'
import { bind, Field, Form } from '../../controls/form.tsx'
import { Card } from '../parts/page.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.webhooks

/** Sends the events of a period again, in order. */
export function Replay({ webhook, onReplayed }: { webhook: Webhook; onReplayed: () => void }) {
  const from = useSignal(localTime(webhook.disabledAt ?? new Date(Date.now() - 86_400_000).toISOString()))
  // Keep the start time when the webhook is enabled again: that is when it is needed.
  useEffect(() => {
    if (webhook.disabledAt !== null) from.value = localTime(webhook.disabledAt)
  }, [webhook.disabledAt])
  const until = useSignal('')
  const said = useSignal<string | null>(null)
  const replay = async (): Promise<void> => {
    const { count } = await ask('POST', `/webhooks/${webhook.id}/replay`, {
      after: new Date(from.value).toISOString(),
      until: until.value === '' ? null : new Date(until.value).toISOString(),
    })
    said.value = t.replayed(count)
    onReplayed()
  }
  return (
    <Card title={t.replay} hint={webhook.state === 'enabled' ? t.replayHint : t.replayDisabled}>
      {webhook.state === 'enabled' && (
        <Form submit={t.replay} onSubmit={replay}>
          <div class="pair">
            <Field label={t.from} type="datetime-local" {...bind(from)} />
            <Field label={t.until} type="datetime-local" optional {...bind(until)} hint={t.untilHint} />
          </div>
        </Form>
      )}
      {said.value !== null && (
        <p class="good" role="status">
          {said.value}
        </p>
      )}
    </Card>
  )
}

/** For a datetime-local field: local time, to the minute. */
function localTime(time: string): string {
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
