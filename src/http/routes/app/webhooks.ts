import {
  changeKinds,
  getWebhookSettings,
  listWebhookSettings,
  viewDelivery,
} from '../../../core/webhooks/settings.ts'
import {
  countReplay,
  listDeliveries,
  replayEvents,
  retryDelivery,
  testWebhook,
} from '../../../core/webhooks/deliveries.ts'
import {
  addWebhook,
  disableWebhook,
  enableWebhook,
  removeWebhook,
  rotateSecret,
} from '../../../core/webhooks/webhooks.ts'
import { eventMeanings, eventTypes } from '../../../model/events.ts'
import { toTime } from '../../../model/time.ts'
import type { WebhookSettings } from '../../../model/settings.ts'
import { defineAppRoute, everyone, writers, type AppCall } from '../../app-route.ts'

interface Call extends Pick<AppCall, 'spool' | 'actor'> {
  path: { id: string }
}

const readOne = ({ spool, actor, path }: Call): Promise<WebhookSettings> =>
  getWebhookSettings(spool, actor, path.id)

/** `webhook.test` is sent on request only, so it is not offered for subscription. */
const chosen = eventTypes.filter((kind) => kind !== 'webhook.test')

const testSeconds = 10

export const webhookRoutes = [
  defineAppRoute('listWebhookKinds', everyone, async () => ({
    data: chosen.map((kind) => ({ kind, meaning: eventMeanings[kind] })),
  })),

  defineAppRoute('listWebhooks', writers, async ({ spool, actor }) => ({
    data: await listWebhookSettings(spool, actor),
  })),

  defineAppRoute('makeWebhook', writers, async ({ spool, actor, body: { url, kinds, inboxes } }) => {
    const { webhook, secret } = await addWebhook(spool, {
      url,
      email: actor.user.email,
      types: kinds ?? [],
      inboxes: inboxes ?? [],
    })
    return { ...(await getWebhookSettings(spool, actor, webhook.id)), secret }
  }),

  defineAppRoute('getWebhook', writers, readOne),

  defineAppRoute('changeWebhook', writers, async (call) => {
    await changeKinds(call.spool, call.actor, call.path.id, call.body.kinds)
    return readOne(call)
  }),

  defineAppRoute('removeWebhook', writers, async ({ spool, actor, path }) => {
    await removeWebhook(spool, actor, path.id)
    return { removed: path.id }
  }),

  defineAppRoute('enableWebhook', writers, async (call) => {
    await enableWebhook(call.spool, call.actor, call.path.id)
    return readOne(call)
  }),

  defineAppRoute('disableWebhook', writers, async (call) => {
    await disableWebhook(call.spool, call.actor, call.path.id)
    return readOne(call)
  }),

  defineAppRoute('rotateWebhook', writers, async ({ spool, actor, path }) => {
    const { secret, oldSecretUntil } = await rotateSecret(spool, actor, path.id)
    return { secret, oldSecretUntil: toTime(oldSecretUntil) }
  }),

  defineAppRoute('testWebhook', writers, async ({ spool, actor, path }) => {
    const { seq, delivery } = await testWebhook(spool, actor, path.id, testSeconds)
    return { seq, delivery: delivery && viewDelivery(delivery) }
  }),

  defineAppRoute(
    'listDeliveries',
    writers,
    async ({ spool, actor, path, query: { status, cursor, limit } }) => {
      const page = { state: status, before: cursor, limit: limit + 1 }
      const found = await listDeliveries(spool, actor, path.id, page)
      const data = found.slice(0, limit)
      const last = found.length > limit ? data.at(-1)! : null
      return { data: data.map(viewDelivery), nextCursor: last && String(last.seq) }
    },
  ),

  defineAppRoute('retryDelivery', writers, async ({ spool, actor, path }) => {
    const seq = await retryDelivery(spool, actor, path.id, path.deliveryId)
    return { retried: String(seq) }
  }),

  defineAppRoute('replayWebhook', writers, async ({ spool, actor, path, body: { after, until } }) => {
    const end = until === null ? null : { time: until }
    const range = await replayEvents(spool, actor, path.id, { time: after }, end)
    return { count: await countReplay(spool, path.id, range) }
  }),
]
