import { z } from 'zod'
import { Role } from '../../model/access.ts'
import { Session, SessionView } from '../../model/session.ts'
import { Revoked, StandingAccess } from '../../model/settings.ts'
import { Time } from '../../model/thread.ts'
import { get, listOf, none, patch, post, put, remove, type RouteContract } from './route.ts'

const SignedOut = z.object({ signedOut: z.literal(true) })
const ids = z.array(z.string().max(300)).max(1000)
const Signature = z.object({ text: z.string() })

export const accountContract = {
  getSession: get('/session', none, Session),
  signOut: remove('/session', SignedOut),
  listSessions: get('/sessions', none, listOf(SessionView)),
  endSession: remove('/sessions/{id}', z.object({ ended: z.string() })),
  signOutEverywhere: post('/sign-out-everywhere', none, SignedOut),
  changePassword: post(
    '/password',
    z.strictObject({
      current: z.string().max(1000),
      new: z.string().max(1000),
      keep: z.strictObject({ tokens: ids, webhooks: ids }),
    }),
    z.object({ changed: z.literal(true), revoked: Revoked }),
  ),
  listStandingAccess: get('/password/access', none, StandingAccess),
  changeProfile: patch('/profile', z.strictObject({ name: z.string().max(200) }), Session),
  invite: post(
    '/invitations',
    z.strictObject({
      email: z.string().max(254),
      name: z.string().max(200),
      role: Role.default('member'),
      inboxes: ids.default([]),
    }),
    z.object({ url: z.string(), endsAt: Time, replaced: z.boolean(), canMail: z.boolean() }),
  ),
  getSignature: get('/inboxes/{id}/signature', none, Signature),
  setSignature: put('/inboxes/{id}/signature', z.strictObject({ text: z.string() }), Signature),
} as const satisfies Record<string, RouteContract>
