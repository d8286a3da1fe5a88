import { useSignal } from '@preact/signals'
import { ask } from '../../page/api.ts'
import type { EventType } from '../../../../src/model/events.ts'
import type { WebhookSettings as Webhook } from '../../../../src/model/settings.ts'
import { bind, Field, Form } from '../../controls/form.tsx'
import { session } from '../../session/session.ts'
import { useAnswer } from '../parts/answer.ts'
import { InboxChoice, needSome } from '../parts/choice.tsx'
import { KindChoice } from './kind-choice.tsx'
import { Card, Loaded, Made, Nothing, Page } from '../parts/page.tsx'
import { WebhookPage, WebhookState } from './webhook.tsx'
import { WebhookSecret } from './secret.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.webhooks

export function WebhooksPage({ item }: { item: string | null }) {
  return item === null ? <WebhookList /> : <WebhookPage key={item} id={item} />
}

function WebhookList() {
  const webhooks = useAnswer('/webhooks', () => 10_000)
  return (
    <Page title={texts.pages.webhooks} lead={t.lead}>
      <Card title={t.make}>
        <MakeWebhook onMade={() => void webhooks.reload()} />
      </Card>
      <Loaded answer={webhooks}>
        {({ data }) => (
          <Card title={t.yours}>
            {data.length === 0 && <Nothing>{t.none}</Nothing>}
            <ul class="lines">
              {data.map((webhook) => (
                <WebhookLine key={webhook.id} webhook={webhook} />
              ))}
            </ul>
          </Card>
        )}
      </Loaded>
    </Page>
  )
}

function WebhookLine({ webhook }: { webhook: Webhook }) {
  const { id, url, kinds, user } = webhook
  return (
    <li>
      <span>
        <b class="mono">{url}</b>
        <small>
          {kinds === null ? t.kindChoice.all : t.kindCount(kinds.length)}
          {user.id !== session.value?.user.id && ` · ${texts.tokens.of(user.name)}`}
        </small>
      </span>
      <WebhookState webhook={webhook} />
      <a class="btn" href={`/settings/webhooks/${id}`}>
        {t.open}
        <span class="hidden"> {url}</span>
      </a>
    </li>
  )
}

function MakeWebhook({ onMade }: { onMade: () => void }) {
  const url = useSignal('')
  const kinds = useSignal<EventType[] | null>(null)
  const inboxes = useSignal<string[] | null>(null)
  const made = useSignal<{ id: string; secret: string } | null>(null)
  const make = async (): Promise<void> => {
    needSome(kinds.value, t.needsKind)
    needSome(inboxes.value, texts.inboxes.needsOne)
    made.value = await ask('POST', '/webhooks', {
      url: url.value.trim(),
      kinds: kinds.value,
      inboxes: inboxes.value,
    })
    url.value = ''
    onMade()
  }
  return (
    <>
      <Form submit={t.makeIt} onSubmit={make}>
        <Field label={t.url} type="url" {...bind(url)} placeholder={t.urlExample} hint={t.urlHint} />
        <KindChoice {...bind(kinds)} />
        <InboxChoice {...bind(inboxes)} />
      </Form>
      {made.value && (
        <Made key={made.value.id}>
          <WebhookSecret secret={made.value.secret} />
          <a class="btn" href={`/settings/webhooks/${made.value.id}`}>
            {t.goTest}
          </a>
        </Made>
      )}
    </>
  )
}
