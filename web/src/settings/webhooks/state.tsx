import type { JSX } from 'preact'
import type { WebhookSettings as Webhook } from '../../../../src/model/settings.ts'
import { words } from '../parts/words.ts'

const w = words.webhooks

export function WebhookState({ webhook }: { webhook: Webhook }): JSX.Element {
  if (webhook.state === 'disabled') return <span class="chip danger">{w.states.disabled}</span>
  if (webhook.failingSince !== null) return <span class="chip warn">{w.states.failing}</span>
  return <span class="chip ok">{w.states.enabled}</span>
}
