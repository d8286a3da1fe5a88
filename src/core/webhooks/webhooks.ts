import { randomBytes } from 'node:crypto'
import { actorReference, numbersOf, system, type Actor, type User } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import type { EventType } from '../../model/events.ts'
import { newId } from '../../model/ids.ts'
import { rotationOverlap, type DisabledReason, type Webhook } from '../../model/webhooks.ts'
import { transaction } from '../../store/database.ts'
import type { Db, Tx } from '../../store/db.ts'
import { countWaiting, giveUpWaiting, pruneDeliveries } from '../../store/webhooks/deliveries.ts'
import { appendEvent, currentSeq, readLastSeq } from '../../store/log/events.ts'
import {
  changeWebhook,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks as listStored,
  type StoredWebhook,
} from '../../store/webhooks/webhooks.ts'
import { listUsers } from '../../store/people/users.ts'
import { findActiveUser, findInboxesOf } from '../access/access.ts'
import { decryptSecret, isForgotten, isReadable, sealSecret, type Reseal } from '../access/secrets.ts'
import { renewActor } from '../access/sessions.ts'
import type { Spool } from '../spool.ts'

const mostWebhooks = 50

export interface NewWebhook {
  url: string
  email: string
  /** Empty: all types. */
  types: readonly EventType[]
  /** Addresses or ids; empty: everything the owner can see, now and later. */
  inboxes: readonly string[]
}

/** The webhook receives events from now on. The secret is shown only once; the store keeps it encrypted. */
export async function addWebhook(
  spool: Spool,
  wanted: NewWebhook,
): Promise<{ webhook: Webhook; secret: string }> {
  const url = await spool.checkTarget(wanted.url)
  const secret = makeSecret()
  const now = spool.now()
  return transaction(spool.db, async (db) => {
    const owner = await findActiveUser(db, wanted.email)
    mayHaveWebhooks(owner)
    if ((await listStored(db, owner.id)).length >= mostWebhooks) {
      throw new SpoolError('conflict', `${owner.email} has ${mostWebhooks} webhooks; remove one first.`)
    }
    const inboxes = numbersOf(await findInboxesOf(db, owner, wanted.inboxes))
    const id = newId('whk', now)
    await insertWebhook(db, {
      id,
      userId: owner.id,
      url,
      types: wanted.types.length === 0 ? null : [...new Set(wanted.types)],
      inboxes: inboxes.length === 0 ? null : inboxes,
      createdAt: now,
      secret: await sealSecret(spool, db, contextOf(id), secret),
    })
    return { webhook: (await findWebhook(db, id))!, secret }
  })
}

function mayHaveWebhooks({ role, email }: User): void {
  if (role === 'viewer')
    throw new SpoolError('forbidden', `${email} is a viewer; webhooks are for members and admins.`)
}

/** Webhooks of one person, or of everybody, with how far each is behind the end of the log and how many deliveries wait. */
export async function listWebhooks(spool: Spool, email: string | null) {
  const owner = email === null ? null : await findActiveUser(spool.db, email)
  const lastSeq = await readLastSeq(spool.db)
  const waiting = await countWaiting(spool.db)
  return (await listStored(spool.db, owner?.id ?? null)).map((webhook) => ({
    ...describeWebhook(webhook),
    behind:
      webhook.state === 'enabled' ? Math.max(0, lastSeq - Math.max(webhook.position, webhook.skipUntil)) : 0,
    waiting: waiting.get(webhook.id) ?? 0,
    replaying: webhook.replay !== null,
    failingSince: webhook.failingSince,
  }))
}

/** Without its secrets. */
function describeWebhook(webhook: Webhook): Webhook {
  const { id, userId, url, types, inboxes, state, disabledReason, disabledAt, createdAt, revision } = webhook
  return { id, userId, url, types, inboxes, state, disabledReason, disabledAt, createdAt, revision }
}

/** A person's own webhook; any webhook for admins and the command line. For others it does not exist. */
export async function findWebhookOf(spool: Spool, db: Db, actor: Actor, id: string): Promise<StoredWebhook> {
  const webhook = await findWebhook(db, id)
  const who = await renewActor(spool, db, actor)
  const mine =
    who.type === 'system' ||
    (who.type === 'person' && (who.user.role === 'admin' || webhook?.userId === who.id))
  if (!webhook || !mine) throw new SpoolError('not_found', `There is no webhook ${id}; check the id.`)
  return webhook
}

/** Also deletes its deliveries, in batches, because there may be many. */
export async function removeWebhook(spool: Spool, actor: Actor, id: string): Promise<void> {
  await transaction(spool.db, async (db) => {
    await findWebhookOf(spool, db, actor, id)
    await changeWebhook(db, id, { state: 'removed' })
  })
  await sweepWebhook(spool, id)
}

/** Deletes the remains of a removed webhook. */
export async function sweepWebhook(spool: Spool, id: string): Promise<void> {
  for (let some = 1; some > 0;)
    some = await transaction(spool.db, (db) => pruneDeliveries(db, id, null, 2000))
  await transaction(spool.db, (db) => deleteWebhook(db, id))
}

/** Delivers from now on; events from while it was disabled can be replayed. */
export async function enableWebhook(spool: Spool, actor: Actor, id: string): Promise<void> {
  const before = await findWebhookOf(spool, spool.db, actor, id)
  await spool.checkTarget(before.url)
  await transaction(spool.db, async (db) => {
    const webhook = await findWebhookOf(spool, db, actor, id)
    if (webhook.state === 'enabled') return
    const owner = (await listUsers(db)).find((user) => user.id === webhook.userId)
    if (!owner)
      throw new SpoolError('conflict', `The owner of ${id} was removed; add a webhook for another user.`)
    mayHaveWebhooks(owner)
    if (isForgotten(webhook.secret))
      throw new SpoolError(
        'conflict',
        `The secret of ${id} was lost: make a new one and give it to the receiver (spool webhook rotate ${id}), then enable it.`,
      )
    await changeWebhook(db, id, {
      state: 'enabled',
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      skip_until: await currentSeq(db),
    })
  })
}

export async function disableWebhook(spool: Spool, actor: Actor, id: string): Promise<void> {
  await transaction(spool.db, async (db) => {
    const webhook = await findWebhookOf(spool, db, actor, id)
    await disable(db, webhook, 'by_person', { actor, now: spool.now() })
  })
}

/** Disables the enabled webhooks of a user, except those listed; returns how many. */
export async function disableWebhooksOf(
  db: Tx,
  userId: string,
  reason: DisabledReason,
  by: { actor: Actor; now: number },
  except: readonly string[] = [],
): Promise<number> {
  const webhooks = (await listStored(db, userId)).filter(
    ({ id, state }) => state === 'enabled' && !except.includes(id),
  )
  for (const webhook of webhooks) await disable(db, webhook, reason, by)
  return webhooks.length
}

/** Stops deliveries, gives up waiting ones, and appends an event for the owner. */
export async function disable(
  db: Tx,
  webhook: Webhook,
  reason: DisabledReason,
  { actor, now }: { actor: Actor; now: number },
): Promise<void> {
  if (webhook.state !== 'enabled') return
  await changeWebhook(db, webhook.id, {
    state: 'disabled',
    disabled_reason: reason,
    disabled_at: now,
    replay_after: null,
    replay_until: null,
    replay_previous: null,
  })
  await giveUpWaiting(db, webhook.id, 'The webhook was disabled.')
  await appendEvent(db, {
    type: 'webhook.disabled',
    inbox: null,
    userId: webhook.userId,
    timestamp: now,
    data: {
      threadId: null,
      webhookId: webhook.id,
      actor: actorReference(actor),
      changes: { state: { from: 'enabled', to: 'disabled' }, disabledReason: { from: null, to: reason } },
    },
  })
}

/** The new secret is shown only once. For a day deliveries are also signed with those that were valid before. */
export async function rotateSecret(
  spool: Spool,
  actor: Actor,
  id: string,
): Promise<{ secret: string; oldSecretUntil: number }> {
  const secret = makeSecret()
  const oldSecretUntil = spool.now() + rotationOverlap
  await transaction(spool.db, async (db) => {
    const webhook = await findWebhookOf(spool, db, actor, id)
    const old = isForgotten(webhook.secret) ? null : openSecrets(spool, webhook).join(' ')
    await changeWebhook(db, id, {
      secret: await sealSecret(spool, db, contextOf(id), secret),
      old_secret: old === null ? null : await sealSecret(spool, db, contextOf(id), old),
      old_secret_until: oldSecretUntil,
    })
  })
  return { secret, oldSecretUntil }
}

/** The current signing secrets, newest first. */
export function openSecrets(spool: Spool, webhook: StoredWebhook): string[] {
  const open = (sealed: Uint8Array): string =>
    decryptSecret(spool.keys.secrets, contextOf(webhook.id), sealed)
  const { secret, oldSecret, oldSecretUntil } = webhook
  const old = oldSecret !== null && (oldSecretUntil ?? 0) > spool.now() ? open(oldSecret).split(' ') : []
  return [open(secret), ...old]
}

function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Those whose secret has to be made again. */
export async function listUnsigned(spool: Pick<Spool, 'keys'> & { db: Db }): Promise<StoredWebhook[]> {
  const webhooks = await listStored(spool.db, null)
  return webhooks.filter(({ id, secret }) => !isReadable(spool, contextOf(id), secret))
}

/** One whose secret cannot be read any more could not sign: it is disabled until it has a new one. */
export async function resealWebhooks(db: Tx, reseal: Reseal, now: number): Promise<void> {
  for (const webhook of await listStored(db, null)) {
    const { id, oldSecret } = webhook
    const secret = reseal(contextOf(id), webhook.secret)
    const old = oldSecret && reseal(contextOf(id), oldSecret)
    await changeWebhook(db, id, { secret, old_secret: old && isForgotten(old) ? null : old })
    if (isForgotten(secret)) await disable(db, webhook, 'secret_lost', { actor: system, now })
  }
}

function contextOf(id: string): string {
  return `the secret of webhook ${id}`
}
