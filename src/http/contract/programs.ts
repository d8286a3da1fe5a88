import { z } from 'zod'
import { Scope } from '../../model/access.ts'
import { EventType, eventTypes } from '../../model/events.ts'
import {
  AgentConfigurations,
  AgentView,
  DeliveryView,
  FirstCall,
  TokenView,
  WebhookSettings,
} from '../../model/settings.ts'
import { Time } from '../../model/thread.ts'
import { readTime } from '../../model/time.ts'
import { lifetimes } from '../../model/token-lifetimes.ts'
import { deliveryStates } from '../../model/webhooks.ts'
import { limit, pageOf } from './paging.ts'
import { listOf, none, type RouteContract } from './route.ts'

const inboxes = z.array(z.string().max(300)).min(1).max(1000).nullable().default(null)
const Kinds = z.array(EventType).min(1).max(eventTypes.length).nullable()

const NewToken = z.strictObject({
  name: z.string().max(200),
  scopes: z.array(Scope).min(1).max(10),
  inboxes,
  expires: z.enum(lifetimes),
})

const time = z
  .string()
  .transform((text) => readTime(text))
  .pipe(z.number('must be a time such as 2026-11-14T09:30:00.000Z'))

export const programContract = {
  listTokens: {
    method: 'GET',
    path: '/tokens',
    query: z.strictObject({ all: z.enum(['0', '1'], 'must be 0 or 1').default('0') }),
    body: null,
    answer: listOf(TokenView),
  },
  /** The only answer that ever contains the token. */
  makeToken: {
    method: 'POST',
    path: '/tokens',
    query: none,
    body: NewToken,
    answer: TokenView.pick({ id: true, name: true, scopes: true, inboxes: true, expiresAt: true }).extend({
      token: z.string(),
    }),
  },
  revokeToken: {
    method: 'DELETE',
    path: '/tokens/{id}',
    query: none,
    body: null,
    answer: z.object({ revoked: z.string() }),
  },
  listAgents: { method: 'GET', path: '/agents', query: none, body: null, answer: listOf(AgentView) },
  /** A token, with configurations ready to paste. */
  makeAgent: {
    method: 'POST',
    path: '/agents',
    query: none,
    body: NewToken.extend({ scopes: NewToken.shape.scopes.exactOptional() }),
    answer: z.object({
      tokenId: z.string(),
      token: z.string(),
      expiresAt: Time.nullable(),
      configurations: AgentConfigurations,
    }),
  },
  awaitFirstCall: {
    method: 'GET',
    path: '/agents/{tokenId}/first-call',
    query: z.strictObject({
      wait: z
        .string()
        .regex(/^([0-9]|1[0-9]|2[0-5])$/, 'must be a number of seconds from 0 to 25')
        .transform(Number)
        .default(0),
    }),
    body: null,
    answer: FirstCall,
  },
  listWebhookKinds: {
    method: 'GET',
    path: '/webhook-kinds',
    query: none,
    body: null,
    answer: listOf(z.object({ kind: EventType, meaning: z.string() })),
  },
  listWebhooks: {
    method: 'GET',
    path: '/webhooks',
    query: none,
    body: null,
    answer: listOf(WebhookSettings),
  },
  /** Besides rotation, the only answer that contains the secret. */
  makeWebhook: {
    method: 'POST',
    path: '/webhooks',
    query: none,
    body: z.strictObject({ url: z.string().max(2000), kinds: Kinds.default(null), inboxes }),
    answer: WebhookSettings.extend({ secret: z.string() }),
  },
  getWebhook: { method: 'GET', path: '/webhooks/{id}', query: none, body: null, answer: WebhookSettings },
  changeWebhook: {
    method: 'PATCH',
    path: '/webhooks/{id}',
    query: none,
    body: z.strictObject({ kinds: Kinds }),
    answer: WebhookSettings,
  },
  removeWebhook: {
    method: 'DELETE',
    path: '/webhooks/{id}',
    query: none,
    body: null,
    answer: z.object({ removed: z.string() }),
  },
  enableWebhook: {
    method: 'POST',
    path: '/webhooks/{id}/enable',
    query: none,
    body: none,
    answer: WebhookSettings,
  },
  disableWebhook: {
    method: 'POST',
    path: '/webhooks/{id}/disable',
    query: none,
    body: none,
    answer: WebhookSettings,
  },
  rotateWebhook: {
    method: 'POST',
    path: '/webhooks/{id}/rotate',
    query: none,
    body: none,
    answer: z.object({ secret: z.string(), oldSecretUntil: Time }),
  },
  /** Waits a limited time for the result: `delivery` is null if it is still pending. */
  testWebhook: {
    method: 'POST',
    path: '/webhooks/{id}/test',
    query: none,
    body: none,
    answer: z.object({ seq: z.int(), delivery: DeliveryView.nullable() }),
  },
  listDeliveries: {
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    query: z.strictObject({
      status: z
        .enum(deliveryStates, `must be one of ${deliveryStates.join(', ')}`)
        .nullable()
        .default(null),
      cursor: z
        .string()
        .regex(/^\d{1,15}$/, 'is not a cursor of this list')
        .transform(Number)
        .nullable()
        .default(null),
      limit,
    }),
    body: null,
    answer: pageOf(DeliveryView),
  },
  retryDelivery: {
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{deliveryId}/retry',
    query: none,
    body: none,
    answer: z.object({ retried: z.string() }),
  },
  replayWebhook: {
    method: 'POST',
    path: '/webhooks/{id}/replay',
    query: none,
    body: z.strictObject({ after: time, until: time.nullable().default(null) }),
    /** Null if that part of the log is too long to count. */
    answer: z.object({ count: z.int().min(0).nullable() }),
  },
} as const satisfies Record<string, RouteContract>
