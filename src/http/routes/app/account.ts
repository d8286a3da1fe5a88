import { invite } from '../../../core/people/invitations.ts'
import { findLinkSender } from '../../../core/people/link-mail.ts'
import { changePassword, listStandingAccess } from '../../../core/people/new-password.ts'
import { endSession, listSessions, signOutEverywhere } from '../../../core/access/sessions.ts'
import { changeUser } from '../../../core/people/people.ts'
import { getSignature, setSignature } from '../../../core/people/signatures.ts'
import { toTime } from '../../../model/time.ts'
import { browserCookie, sessionCookie } from '../../session-cookie.ts'
import { admins, defineAppRoute, everyone, writers } from '../../app-route.ts'
import { viewSession } from './session.ts'

export const accountRoutes = [
  defineAppRoute('listSessions', everyone, async ({ spool, actor }) => ({
    data: await listSessions(spool, actor),
  })),

  defineAppRoute('endSession', everyone, async ({ spool, live, actor, path }) => {
    await endSession(spool, actor, path.id)
    live.presence.leave(path.id)
    return { ended: path.id }
  }),

  defineAppRoute('signOutEverywhere', everyone, async ({ spool, live, actor, setCookie }) => {
    await signOutEverywhere(spool, actor)
    live.presence.leave(actor.session)
    setCookie(sessionCookie.end(spool))
    return { signedOut: true }
  }),

  defineAppRoute('changePassword', everyone, async ({ spool, actor, body, guard, setCookie }) => {
    await guard.countPassword()
    const { current, new: wanted, keep } = body
    const { browser, revoked } = await changePassword(spool, actor, { current, wanted, keep })
    setCookie(browserCookie.write(spool, browser))
    return { changed: true, revoked }
  }),

  defineAppRoute('listStandingAccess', everyone, ({ spool, actor }) => listStandingAccess(spool, actor)),

  defineAppRoute('changeProfile', everyone, async ({ spool, actor, body }) => {
    const { user } = await changeUser(spool, actor.user.email, { name: body.name }, actor)
    return viewSession(spool, { ...actor, name: user.name, user })
  }),

  defineAppRoute('invite', admins, async ({ spool, actor, body }) => {
    const { url, endsAt, replaced } = await invite(spool, actor, body)
    return { url, endsAt: toTime(endsAt), replaced, canMail: (await findLinkSender(spool)) !== null }
  }),

  defineAppRoute('getSignature', everyone, async ({ spool, actor, path }) => ({
    text: await getSignature(spool, actor, path.id),
  })),

  defineAppRoute('setSignature', writers, async ({ spool, actor, path, body }) => {
    await setSignature(spool, actor, path.id, body.text)
    return { text: await getSignature(spool, actor, path.id) }
  }),
]
