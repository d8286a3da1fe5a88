import type { Actor } from '../model/access.ts'
import { SpoolError } from '../model/errors.ts'
import type { EventType } from '../model/events.ts'
import { toTime, toTimeOrNull } from '../model/time.ts'
import { disabledReasons, type Delivery, type DeliveryState } from '../model/webhooks.ts'
import { transaction } from '../store/database.ts'
import { listInboxes } from '../store/inboxes.ts'
import { listAllUsers } from '../store/users.ts'
import { changeWebhook } from '../store/webhooks.ts'
import type { Spool } from './spool.ts'
import { findWebhookOf, listWebhooks, type ListedWebhook } from './webhooks.ts'

/** A subscription as its owner sees it, without its secrets. */
export interface WebhookSettings {
  id: string
  url: string
  /** Null: all kinds. */
  kinds: readonly EventType[] | null
  /** Ids; null: all that its owner sees. */
  inboxes: string[] | null
  state: 'enabled' | 'disabled'
  /** In words. */
  disabledReason: string | null
  disabledAt: string | null
  createdAt: string
  /** How many events it has yet to reach, and how many deliveries wait for another attempt. */
  behind: number
  waiting: number
  replaying: boolean
  failingSince: string | null
  user: { id: string; name: string }
}

/** One's own; an admin sees everybody's. */
export async function listWebhookSettings(
  spool: Spool,
  { user }: Extract<Actor, { type: 'person' }>,
): Promise<WebhookSettings[]> {
  const found = await listWebhooks(spool, user.role === 'admin' ? null : user.email)
  const inboxes = new Map((await listInboxes(spool.db)).map(({ number, id }) => [number, id]))
  const names = new Map((await listAllUsers(spool.db)).map(({ id, name }) => [id, name]))
  return found.map((webhook) => viewWebhook(webhook, inboxes, names))
}

export async function getWebhookSettings(
  spool: Spool,
  actor: Extract<Actor, { type: 'person' }>,
  id: string,
): Promise<WebhookSettings> {
  await findWebhookOf(spool, spool.db, actor, id)
  return (await listWebhookSettings(spool, actor)).find((webhook) => webhook.id === id)!
}

function viewWebhook(
  webhook: ListedWebhook,
  inboxes: ReadonlyMap<number, string>,
  names: ReadonlyMap<string, string>,
): WebhookSettings {
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
}

/** For what happens from now on. Null: all kinds. */
export async function changeKinds(
  spool: Spool,
  actor: Actor,
  id: string,
  kinds: readonly EventType[] | null,
): Promise<void> {
  if (kinds?.length === 0)
    throw new SpoolError('bad_parameter', 'Choose at least one kind of event, or all of them.')
  await transaction(spool.db, async (db) => {
    await findWebhookOf(spool, db, actor, id)
    await changeWebhook(db, id, { types: kinds && JSON.stringify([...new Set(kinds)]) })
  })
}

/** A delivery as people look at it. */
export interface DeliveryView {
  /** The event's `seq`. */
  id: string
  eventId: string
  kind: EventType
  status: DeliveryState
  attempts: number
  attemptedAt: string | null
  nextAttemptAt: string | null
  lastAnswer: { status: number; body: string; durationMs: number } | null
  /** Why there was no answer. */
  error: string | null
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
