import { invite } from '../../../core/people/invitations.ts'
import { changePassword, listStandingAccess } from '../../../core/people/new-password.ts'
import { endSession, listSessions, signOutEverywhere } from '../../../core/access/sessions.ts'
import { changeUser } from '../../../core/people/people.ts'
import { getSignature, setSignature } from '../../../core/people/signatures.ts'
import { toTime } from '../../../model/time.ts'
import { endSessionCookie, writeBrowserCookie } from '../../session-cookie.ts'
import { admins, defineAppRoute, everyone, writers } from '../../app-route.ts'
import { viewSession } from './session.ts'

export const accountRoutes = [
  defineAppRoute('listSessions', everyone, async ({ spool, actor }) => ({
    body: { data: await listSessions(spool, actor) },
  })),

  defineAppRoute('endSession', everyone, async ({ spool, live, actor, path }) => {
    await endSession(spool, actor, path['id']!)
    live.presence.leave(path['id']!)
    return { body: { ended: path['id']! } }
  }),

  defineAppRoute('signOutEverywhere', everyone, async ({ spool, live, actor }) => {
    await signOutEverywhere(spool, actor)
    live.presence.leave(actor.session)
    return { body: { signedOut: true }, headers: { 'Set-Cookie': endSessionCookie(spool) } }
  }),

  defineAppRoute('changePassword', everyone, async ({ spool, actor, body, guard }) => {
    await guard.countPassword()
    const { current, new: wanted, keep } = body
    const { browser, revoked } = await changePassword(spool, actor, { current, wanted, keep })
    return { body: { changed: true, revoked }, headers: { 'Set-Cookie': writeBrowserCookie(spool, browser) } }
  }),

  defineAppRoute('listStandingAccess', everyone, async ({ spool, actor }) => ({
    body: await listStandingAccess(spool, actor),
  })),

  defineAppRoute('changeProfile', everyone, async ({ spool, actor, body }) => {
    const { user } = await changeUser(spool, actor.user.email, { name: body.name }, actor)
    return { body: await viewSession(spool, { ...actor, name: user.name, user }) }
  }),

  defineAppRoute('invite', admins, async ({ spool, actor, body }) => {
    const { url, endsAt, replaced } = await invite(spool, actor, body)
    return { body: { url, endsAt: toTime(endsAt), replaced } }
  }),

  defineAppRoute('getSignature', everyone, async ({ spool, actor, path }) => ({
    body: { text: await getSignature(spool, actor, path.id) },
  })),

  defineAppRoute('setSignature', writers, async ({ spool, actor, path, body }) => {
    await setSignature(spool, actor, path.id, body.text)
    return { body: { text: await getSignature(spool, actor, path.id) } }
  }),
]
