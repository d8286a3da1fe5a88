import type { Actor } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import type { EventType } from '../../model/events.ts'
import type { DeliveryView, WebhookSettings } from '../../model/settings.ts'
import { toTime, toTimeOrNull } from '../../model/time.ts'
import { disabledReasons, type Delivery } from '../../model/webhooks.ts'
import { transaction } from '../../store/database.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import { listAllUsers } from '../../store/people/users.ts'
import { changeWebhook } from '../../store/webhooks/webhooks.ts'
import type { Spool } from '../spool.ts'
import { findWebhookOf, listWebhooks } from './webhooks.ts'

/** The person's own webhooks; admins see everybody's. */
export async function listWebhookSettings(
  spool: Spool,
  { user }: Extract<Actor, { type: 'person' }>,
): Promise<WebhookSettings[]> {
  const found = await listWebhooks(spool, user.role === 'admin' ? null : user.email)
  const inboxes = new Map((await listInboxes(spool.db)).map(({ number, id }) => [number, id]))
  const names = new Map((await listAllUsers(spool.db)).map(({ id, name }) => [id, name]))
  return found.map((webhook) => {
    const { id, url, types, state, disabledReason, disabledAt, createdAt, userId } = webhook
    const { behind, waiting, replaying, failingSince } = webhook
    return {
      id,
      url,
      kinds: types,
      inboxes: webhook.inboxes?.flatMap((number) => inboxes.get(number) ?? []) ?? null,
      state: state === 'enabled' ? 'enabled' : 'disabled',
      disabledReason: disabledReason && disabledReasons[disabledReason],
      disabledAt: toTimeOrNull(disabledAt),
      createdAt: toTime(createdAt),
      behind,
      waiting,
      replaying,
      failingSince: toTimeOrNull(failingSince),
      user: { id: userId, name: names.get(userId) ?? userId },
    }
  })
}

export async function getWebhookSettings(
  spool: Spool,
  actor: Extract<Actor, { type: 'person' }>,
  id: string,
): Promise<WebhookSettings> {
  await findWebhookOf(spool, spool.db, actor, id)
  return (await listWebhookSettings(spool, actor)).find((webhook) => webhook.id === id)!
}

/** Applies to new events. Null: all types. */
export async function changeKinds(
  spool: Spool,
  actor: Actor,
  id: string,
  kinds: readonly EventType[] | null,
): Promise<void> {
  if (kinds?.length === 0)
    throw new SpoolError('bad_parameter', 'Choose at least one event type, or all of them.')
  await transaction(spool.db, async (db) => {
    await findWebhookOf(spool, db, actor, id)
    await changeWebhook(db, id, { types: kinds && JSON.stringify([...new Set(kinds)]) })
  })
}

export function viewDelivery(delivery: Delivery): DeliveryView {
  const { seq, eventId, type, state, attempts, attemptedAt, nextAttemptAt } = delivery
  const { status, milliseconds, answer, fault } = delivery
  return {
    id: String(seq),
    eventId,
    kind: type,
    status: state,
    attempts,
    attemptedAt: toTimeOrNull(attemptedAt),
    nextAttemptAt: toTimeOrNull(nextAttemptAt),
    lastAnswer: status === null ? null : { status, body: answer ?? '', durationMs: milliseconds ?? 0 },
    error: fault,
  }
}
