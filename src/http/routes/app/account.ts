import { z } from 'zod'
import { invite } from '../../../core/invitations.ts'
import { changePassword, listStandingAccess } from '../../../core/new-password.ts'
import { endSession, listSessions, signOutEverywhere } from '../../../core/sessions.ts'
import { changeUser } from '../../../core/people.ts'
import { Role } from '../../../model/access.ts'
import { toTime } from '../../../model/time.ts'
import { endSessionCookie, writeBrowserCookie } from '../../session-cookie.ts'
import { admins, defineAppRoute, everyone } from '../../app-route.ts'
import { viewSession } from './session.ts'

const none = z.strictObject({})
const ids = z.array(z.string().max(300)).max(1000)

export const sessionList = defineAppRoute({
  method: 'GET',
  path: '/sessions',
  operationId: 'listSessions',
  roles: everyone,
  query: none,
  body: null,
  handle: async ({ spool, actor }) => ({ body: { data: await listSessions(spool, actor) } }),
})

export const sessionEnd = defineAppRoute({
  method: 'DELETE',
  path: '/sessions/{id}',
  operationId: 'endSession',
  roles: everyone,
  query: none,
  body: null,
  async handle({ spool, live, actor, path }) {
    await endSession(spool, actor, path['id']!)
    live.presence.leave(path['id']!)
    return { body: { ended: path['id'] } }
  },
})

export const signOutAll = defineAppRoute({
  method: 'POST',
  path: '/sign-out-everywhere',
  operationId: 'signOutEverywhere',
  roles: everyone,
  query: none,
  body: none,
  async handle({ spool, live, actor }) {
    await signOutEverywhere(spool, actor)
    live.presence.leave(actor.session)
    const headers = { 'Content-Type': 'application/json', 'Set-Cookie': endSessionCookie(spool) }
    return { body: JSON.stringify({ signedOut: true }), headers }
  },
})

export const passwordChange = defineAppRoute({
  method: 'POST',
  path: '/password',
  operationId: 'changePassword',
  roles: everyone,
  query: none,
  body: z.strictObject({
    current: z.string().max(1000),
    new: z.string().max(1000),
    keep: z.strictObject({ tokens: ids, webhooks: ids }),
  }),
  async handle({ spool, actor, body, guard }) {
    await guard.countPassword()
    const { current, new: wanted, keep } = body
    const { browser, revoked } = await changePassword(spool, actor, { current, wanted, keep })
    const headers = { 'Content-Type': 'application/json', 'Set-Cookie': writeBrowserCookie(spool, browser) }
    return { body: JSON.stringify({ changed: true, revoked }), headers }
  },
})

export const standingAccessList = defineAppRoute({
  method: 'GET',
  path: '/password/access',
  operationId: 'listStandingAccess',
  roles: everyone,
  query: none,
  body: null,
  handle: async ({ spool, actor }) => ({ body: await listStandingAccess(spool, actor) }),
})

export const profileChange = defineAppRoute({
  method: 'PATCH',
  path: '/profile',
  operationId: 'changeProfile',
  roles: everyone,
  query: none,
  body: z.strictObject({ name: z.string().max(200) }),
  async handle({ spool, actor, body }) {
    const { user } = await changeUser(spool, actor.user.email, { name: body.name }, actor)
    return { body: await viewSession(spool, { ...actor, name: user.name, user }) }
  },
})

export const invitationMake = defineAppRoute({
  method: 'POST',
  path: '/invitations',
  operationId: 'invite',
  roles: admins,
  query: none,
  body: z.strictObject({
    email: z.string().max(254),
    name: z.string().max(200),
    role: Role.default('member'),
    inboxes: z.array(z.string().max(300)).max(1000).default([]),
  }),
  async handle({ spool, actor, body }) {
    const { url, endsAt, replaced } = await invite(spool, actor, body)
    return { body: { url, endsAt: toTime(endsAt), replaced } }
  },
})
