import { z } from 'zod'
import {
  changeKinds,
  getWebhookSettings,
  listWebhookSettings,
  viewDelivery,
} from '../../../core/webhook-settings.ts'
import {
  countReplay,
  listDeliveries,
  replayEvents,
  retryDelivery,
  testWebhook,
} from '../../../core/deliveries.ts'
import {
  addWebhook,
  disableWebhook,
  enableWebhook,
  removeWebhook,
  rotateSecret,
} from '../../../core/webhooks.ts'
import { eventMeanings, EventType, eventTypes } from '../../../model/events.ts'
import { readTime, toTime } from '../../../model/time.ts'
import { deliveryStates } from '../../../model/webhooks.ts'
import { defineAppRoute, everyone, writers, type AppCall, type AppRoute } from '../../app-route.ts'
import { limit } from '../../query.ts'

const none = z.strictObject({})
const Kinds = z.array(EventType).min(1).max(eventTypes.length).nullable()

type Call = Pick<AppCall<unknown, unknown>, 'spool' | 'actor' | 'path'>

const readOne = async ({ spool, actor, path }: Call): Promise<{ body: unknown }> => ({
  body: await getWebhookSettings(spool, actor, path['id']!),
})

/** A test is for the one who asks for it, so it is nothing to choose. */
const chosen = eventTypes.filter((kind) => kind !== 'webhook.test')

export const kindList = defineAppRoute({
  method: 'GET',
  path: '/webhook-kinds',
  operationId: 'listWebhookKinds',
  roles: everyone,
  query: none,
  body: null,
  handle: async () => ({
    body: { data: chosen.map((kind) => ({ kind, meaning: eventMeanings[kind] })) },
  }),
})

export const webhookList = defineAppRoute({
  method: 'GET',
  path: '/webhooks',
  operationId: 'listWebhooks',
  roles: writers,
  query: none,
  body: null,
  handle: async ({ spool, actor }) => ({ body: { data: await listWebhookSettings(spool, actor) } }),
})

/** The only answer that holds the secret, but for one that rotates it. */
export const webhookMake = defineAppRoute({
  method: 'POST',
  path: '/webhooks',
  operationId: 'makeWebhook',
  roles: writers,
  query: none,
  body: z.strictObject({
    url: z.string().max(2000),
    kinds: Kinds.default(null),
    inboxes: z.array(z.string().max(300)).min(1).max(1000).nullable().default(null),
  }),
  async handle({ spool, actor, body: { url, kinds, inboxes } }) {
    const { webhook, secret } = await addWebhook(spool, {
      url,
      email: actor.user.email,
      types: kinds ?? [],
      inboxes: inboxes ?? [],
    })
    return { body: { ...(await getWebhookSettings(spool, actor, webhook.id)), secret } }
  },
})

export const webhookGet = defineAppRoute({
  method: 'GET',
  path: '/webhooks/{id}',
  operationId: 'getWebhook',
  roles: writers,
  query: none,
  body: null,
  handle: readOne,
})

export const webhookChange = defineAppRoute({
  method: 'PATCH',
  path: '/webhooks/{id}',
  operationId: 'changeWebhook',
  roles: writers,
  query: none,
  body: z.strictObject({ kinds: Kinds }),
  async handle(call) {
    await changeKinds(call.spool, call.actor, call.path['id']!, call.body.kinds)
    return readOne(call)
  },
})

export const webhookRemove = defineAppRoute({
  method: 'DELETE',
  path: '/webhooks/{id}',
  operationId: 'removeWebhook',
  roles: writers,
  query: none,
  body: null,
  async handle({ spool, actor, path }) {
    await removeWebhook(spool, actor, path['id']!)
    return { body: { removed: path['id'] } }
  },
})

function onWebhook(
  word: string,
  operationId: string,
  work: (call: Call) => Promise<{ body: unknown }>,
): AppRoute {
  return defineAppRoute({
    method: 'POST',
    path: `/webhooks/{id}/${word}`,
    operationId,
    roles: writers,
    query: none,
    body: none,
    handle: work,
  })
}

export const webhookEnable = onWebhook('enable', 'enableWebhook', async (call) => {
  await enableWebhook(call.spool, call.actor, call.path['id']!)
  return readOne(call)
})

export const webhookDisable = onWebhook('disable', 'disableWebhook', async (call) => {
  await disableWebhook(call.spool, call.actor, call.path['id']!)
  return readOne(call)
})

export const webhookRotate = onWebhook('rotate', 'rotateWebhook', async ({ spool, actor, path }) => {
  const { secret, oldSecretUntil } = await rotateSecret(spool, actor, path['id']!)
  return { body: { secret, oldSecretUntil: toTime(oldSecretUntil) } }
})

const testSeconds = 10

/** Waits for what becomes of it, but not for ever: `delivery` is null where that is still to come. */
export const webhookTest = onWebhook('test', 'testWebhook', async ({ spool, actor, path }) => {
  const { seq, delivery } = await testWebhook(spool, actor, path['id']!, testSeconds)
  return { body: { seq, delivery: delivery && viewDelivery(delivery) } }
})

export const deliveryList = defineAppRoute({
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  operationId: 'listDeliveries',
  roles: writers,
  query: z.strictObject({
    status: z
      .enum(deliveryStates, `must be one of ${deliveryStates.join(', ')}`)
      .nullable()
      .default(null),
    cursor: z
      .string()
      .regex(/^\d{1,15}$/, 'is not one that this list gave out')
      .transform(Number)
      .nullable()
      .default(null),
    limit,
  }),
  body: null,
  async handle({ spool, actor, path, query: { status, cursor, limit } }) {
    const page = { state: status, before: cursor, limit: limit + 1 }
    const found = await listDeliveries(spool, actor, path['id']!, page)
    const data = found.slice(0, limit)
    const last = found.length > limit ? data.at(-1)! : null
    return { body: { data: data.map(viewDelivery), nextCursor: last && String(last.seq) } }
  },
})

export const deliveryRetry = defineAppRoute({
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{deliveryId}/retry',
  operationId: 'retryDelivery',
  roles: writers,
  query: none,
  body: none,
  async handle({ spool, actor, path }) {
    const seq = await retryDelivery(spool, actor, path['id']!, path['deliveryId']!)
    return { body: { retried: String(seq) } }
  },
})

const time = z
  .string()
  .transform((text) => readTime(text))
  .pipe(z.number('is a time such as 2026-11-14T09:30:00.000Z'))

export const webhookReplay = defineAppRoute({
  method: 'POST',
  path: '/webhooks/{id}/replay',
  operationId: 'replayWebhook',
  roles: writers,
  query: none,
  body: z.strictObject({ after: time, until: time.nullable().default(null) }),
  async handle({ spool, actor, path, body: { after, until } }) {
    const id = path['id']!
    const range = await replayEvents(
      spool,
      actor,
      id,
      { time: after },
      until === null ? null : { time: until },
    )
    return { body: { count: await countReplay(spool, id, range) } }
  },
})
