import { z } from 'zod'
import { Scope } from '../../model/access.ts'
import { ClientView, Consent, GrantScope, longestGrantDays } from '../../model/consent.ts'
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
import { lifetimes } from '../../model/token-lifetimes.ts'
import { deliveryStates } from '../../model/webhooks.ts'
import { limit, pageOf, seqOrNull, time } from './paging.ts'
import { get, listOf, none, patch, post, remove, type RouteContract } from './route.ts'

const inboxes = z.array(z.string().max(300)).min(1).max(1000).nullable().default(null)
const Kinds = z.array(EventType).min(1).max(eventTypes.length).nullable()

const NewToken = z.strictObject({
  name: z.string().max(200),
  scopes: z.array(Scope).min(1).max(10),
  inboxes,
  expires: z.enum(lifetimes),
})

const moment = time('must be a time such as 2026-11-14T09:30:00.000Z')

export const programContract = {
  listTokens: get(
    '/tokens',
    z.strictObject({ all: z.enum(['0', '1'], 'must be 0 or 1').default('0') }),
    listOf(TokenView),
  ),
  /** The only answer that ever contains the token. */
  makeToken: post(
    '/tokens',
    NewToken,
    TokenView.pick({ id: true, name: true, scopes: true, inboxes: true, expiresAt: true }).extend({
      token: z.string(),
    }),
  ),
  revokeToken: remove('/tokens/{id}', z.object({ revoked: z.string() })),
  listAgents: get('/agents', none, listOf(AgentView)),
  /** A token, with configurations ready to paste. */
  makeAgent: post(
    '/agents',
    NewToken.extend({ scopes: NewToken.shape.scopes.exactOptional() }),
    z.object({
      tokenId: z.string(),
      token: z.string(),
      expiresAt: Time.nullable(),
      configurations: AgentConfigurations,
    }),
  ),
  awaitFirstCall: get(
    '/agents/{tokenId}/first-call',
    z.strictObject({
      wait: z
        .string()
        .regex(/^([0-9]|1[0-9]|2[0-5])$/, 'must be a number of seconds from 0 to 25')
        .transform(Number)
        .default(0),
    }),
    FirstCall,
  ),
  listWebhookKinds: get('/webhook-kinds', none, listOf(z.object({ kind: EventType, meaning: z.string() }))),
  listWebhooks: get('/webhooks', none, listOf(WebhookSettings)),
  /** Besides rotation, the only answer that contains the secret. */
  makeWebhook: post(
    '/webhooks',
    z.strictObject({ url: z.string().max(2000), kinds: Kinds.default(null), inboxes }),
    WebhookSettings.extend({ secret: z.string() }),
  ),
  getWebhook: get('/webhooks/{id}', none, WebhookSettings),
  changeWebhook: patch('/webhooks/{id}', z.strictObject({ kinds: Kinds }), WebhookSettings),
  removeWebhook: remove('/webhooks/{id}', z.object({ removed: z.string() })),
  enableWebhook: post('/webhooks/{id}/enable', none, WebhookSettings),
  disableWebhook: post('/webhooks/{id}/disable', none, WebhookSettings),
  rotateWebhook: post('/webhooks/{id}/rotate', none, z.object({ secret: z.string(), oldSecretUntil: Time })),
  /** Waits a limited time for the result: `delivery` is null if it is still pending. */
  testWebhook: post(
    '/webhooks/{id}/test',
    none,
    z.object({ seq: z.int(), delivery: DeliveryView.nullable() }),
  ),
  listDeliveries: get(
    '/webhooks/{id}/deliveries',
    z.strictObject({
      status: z
        .enum(deliveryStates, `must be one of ${deliveryStates.join(', ')}`)
        .nullable()
        .default(null),
      cursor: seqOrNull('is not a cursor of this list'),
      limit,
    }),
    pageOf(DeliveryView),
  ),
  retryDelivery: post(
    '/webhooks/{id}/deliveries/{deliveryId}/retry',
    none,
    z.object({ retried: z.string() }),
  ),
  /** `count` is null if that part of the log is too long to count. */
  replayWebhook: post(
    '/webhooks/{id}/replay',
    z.strictObject({ after: moment, until: moment.nullable().default(null) }),
    z.object({ count: z.int().min(0).nullable() }),
  ),
  /** What a program requests. `request` is its unchanged query string. */
  getConsent: get('/consents', z.strictObject({ request: z.string().max(8000) }), Consent),
  /** `url` is where the browser goes next, with the authorization code. */
  giveConsent: post(
    '/consents',
    z.strictObject({
      ticket: z.string().max(10_000),
      name: z.string().max(200),
      scopes: z.array(GrantScope).min(1).max(10),
      inboxes: z.array(z.string().max(300)).min(1).max(1000),
      days: z.int().min(1).max(longestGrantDays),
      replaces: z.string().max(300).nullable(),
    }),
    z.object({ tokenId: z.string(), url: z.string() }),
  ),
  listClients: get('/clients', none, listOf(ClientView)),
  enterClient: post(
    '/clients',
    z.strictObject({
      name: z.string().max(200),
      redirectUris: z.array(z.string().max(500)).min(1).max(10),
    }),
    ClientView,
  ),
  removeClient: remove('/clients/{id}', z.object({ removed: z.string() })),
} as const satisfies Record<string, RouteContract>
