import type { JSX } from 'preact'
import type { WebhookSettings as Webhook } from '../../../../src/model/settings.ts'
import { texts } from '../parts/texts.ts'

const t = texts.webhooks

export function WebhookState({ webhook }: { webhook: Webhook }): JSX.Element {
  if (webhook.state === 'disabled') return <span class="chip danger">{t.states.disabled}</span>
  if (webhook.failingSince !== null) return <span class="chip warn">{t.states.failing}</span>
  return <span class="chip ok">{t.states.enabled}</span>
}
