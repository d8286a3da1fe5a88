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
import { readTime } from '../../model/time.ts'
import { lifetimes } from '../../model/token-lifetimes.ts'
import { deliveryStates } from '../../model/webhooks.ts'
import { limit, pageOf } from './paging.ts'
import { get, listOf, none, send, type RouteContract } from './route.ts'

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
  listTokens: get(
    '/tokens',
    z.strictObject({ all: z.enum(['0', '1'], 'must be 0 or 1').default('0') }),
    listOf(TokenView),
  ),
  /** The only answer that ever contains the token. */
  makeToken: send(
    'POST',
    '/tokens',
    NewToken,
    TokenView.pick({ id: true, name: true, scopes: true, inboxes: true, expiresAt: true }).extend({
      token: z.string(),
    }),
  ),
  revokeToken: send('DELETE', '/tokens/{id}', null, z.object({ revoked: z.string() })),
  listAgents: get('/agents', none, listOf(AgentView)),
  /** A token, with configurations ready to paste. */
  makeAgent: send(
    'POST',
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
  makeWebhook: send(
    'POST',
    '/webhooks',
    z.strictObject({ url: z.string().max(2000), kinds: Kinds.default(null), inboxes }),
    WebhookSettings.extend({ secret: z.string() }),
  ),
  getWebhook: get('/webhooks/{id}', none, WebhookSettings),
  changeWebhook: send('PATCH', '/webhooks/{id}', z.strictObject({ kinds: Kinds }), WebhookSettings),
  removeWebhook: send('DELETE', '/webhooks/{id}', null, z.object({ removed: z.string() })),
  enableWebhook: send('POST', '/webhooks/{id}/enable', none, WebhookSettings),
  disableWebhook: send('POST', '/webhooks/{id}/disable', none, WebhookSettings),
  rotateWebhook: send(
    'POST',
    '/webhooks/{id}/rotate',
    none,
    z.object({ secret: z.string(), oldSecretUntil: Time }),
  ),
  /** Waits a limited time for the result: `delivery` is null if it is still pending. */
  testWebhook: send(
    'POST',
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
      cursor: z
        .string()
        .regex(/^\d{1,15}$/, 'is not a cursor of this list')
        .transform(Number)
        .nullable()
        .default(null),
      limit,
    }),
    pageOf(DeliveryView),
  ),
  retryDelivery: send(
    'POST',
    '/webhooks/{id}/deliveries/{deliveryId}/retry',
    none,
    z.object({ retried: z.string() }),
  ),
  /** `count` is null if that part of the log is too long to count. */
  replayWebhook: send(
    'POST',
    '/webhooks/{id}/replay',
    z.strictObject({ after: time, until: time.nullable().default(null) }),
    z.object({ count: z.int().min(0).nullable() }),
  ),
  /** What a program requests. `request` is its unchanged query string. */
  getConsent: get('/consents', z.strictObject({ request: z.string().max(8000) }), Consent),
  /** `url` is where the browser goes next, with the authorization code. */
  giveConsent: send(
    'POST',
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
  enterClient: send(
    'POST',
    '/clients',
    z.strictObject({
      name: z.string().max(200),
      redirectUris: z.array(z.string().max(500)).min(1).max(10),
    }),
    ClientView,
  ),
  removeClient: send('DELETE', '/clients/{id}', null, z.object({ removed: z.string() })),
} as const satisfies Record<string, RouteContract>
