import { z } from 'zod'
import { Role } from '../../model/access.ts'
import { Session, SessionView } from '../../model/session.ts'
import { Revoked, StandingAccess } from '../../model/settings.ts'
import { Time } from '../../model/thread.ts'
import { listOf, none, type RouteContract } from './route.ts'

const SignedOut = z.object({ signedOut: z.literal(true) })
const ids = z.array(z.string().max(300)).max(1000)
const Signature = z.object({ text: z.string() })

export const accountContract = {
  getSession: { method: 'GET', path: '/session', query: none, body: null, answer: Session },
  signOut: { method: 'DELETE', path: '/session', query: none, body: null, answer: SignedOut },
  listSessions: { method: 'GET', path: '/sessions', query: none, body: null, answer: listOf(SessionView) },
  endSession: {
    method: 'DELETE',
    path: '/sessions/{id}',
    query: none,
    body: null,
    answer: z.object({ ended: z.string() }),
  },
  signOutEverywhere: {
    method: 'POST',
    path: '/sign-out-everywhere',
    query: none,
    body: none,
    answer: SignedOut,
  },
  changePassword: {
    method: 'POST',
    path: '/password',
    query: none,
    body: z.strictObject({
      current: z.string().max(1000),
      new: z.string().max(1000),
      keep: z.strictObject({ tokens: ids, webhooks: ids }),
    }),
    answer: z.object({ changed: z.literal(true), revoked: Revoked }),
  },
  listStandingAccess: {
    method: 'GET',
    path: '/password/access',
    query: none,
    body: null,
    answer: StandingAccess,
  },
  changeProfile: {
    method: 'PATCH',
    path: '/profile',
    query: none,
    body: z.strictObject({ name: z.string().max(200) }),
    answer: Session,
  },
  invite: {
    method: 'POST',
    path: '/invitations',
    query: none,
    body: z.strictObject({
      email: z.string().max(254),
      name: z.string().max(200),
      role: Role.default('member'),
      inboxes: ids.default([]),
    }),
    answer: z.object({ url: z.string(), endsAt: Time, replaced: z.boolean() }),
  },
  getSignature: {
    method: 'GET',
    path: '/inboxes/{id}/signature',
    query: none,
    body: null,
    answer: Signature,
  },
  setSignature: {
    method: 'PUT',
    path: '/inboxes/{id}/signature',
    query: none,
    body: z.strictObject({ text: z.string() }),
    answer: Signature,
  },
} as const satisfies Record<string, RouteContract>
