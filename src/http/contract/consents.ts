import { z } from 'zod'
import { ClientView, Consent, GrantScope, longestGrantDays } from '../../model/consent.ts'
import { listOf, none, type RouteContract } from './route.ts'

export const consentContract = {
  /** What a program requests. `request` is its unchanged query string. */
  getConsent: {
    method: 'GET',
    path: '/consents',
    query: z.strictObject({ request: z.string().max(8000) }),
    body: null,
    answer: Consent,
  },
  giveConsent: {
    method: 'POST',
    path: '/consents',
    query: none,
    body: z.strictObject({
      ticket: z.string().max(10_000),
      name: z.string().max(200),
      scopes: z.array(GrantScope).min(1).max(10),
      inboxes: z.array(z.string().max(300)).min(1).max(1000),
      days: z.int().min(1).max(longestGrantDays),
      replaces: z.string().max(300).nullable(),
    }),
    /** `url` is where the browser goes next, with the authorization code. */
    answer: z.object({ tokenId: z.string(), url: z.string() }),
  },
  listClients: { method: 'GET', path: '/clients', query: none, body: null, answer: listOf(ClientView) },
  enterClient: {
    method: 'POST',
    path: '/clients',
    query: none,
    body: z.strictObject({
      name: z.string().max(200),
      redirectUris: z.array(z.string().max(500)).min(1).max(10),
    }),
    answer: ClientView,
  },
  removeClient: {
    method: 'DELETE',
    path: '/clients/{id}',
    query: none,
    body: null,
    answer: z.object({ removed: z.string() }),
  },
} as const satisfies Record<string, RouteContract>
