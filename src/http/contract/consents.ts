import { z } from 'zod'
import { ClientView, Consent, GrantScope, longestGrantDays } from '../../model/consent.ts'
import { get, listOf, none, send, type RouteContract } from './route.ts'

export const consentContract = {
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
