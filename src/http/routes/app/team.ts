import { takeBackInvitation } from '../../../core/people/invitations.ts'
import { findLinkSender, mailLink } from '../../../core/people/link-mail.ts'
import { offerReset } from '../../../core/people/resets.ts'
import { changeTeammate, listTeam, removeTeammate } from '../../../core/people/team.ts'
import { toTime } from '../../../model/time.ts'
import { admins, defineAppRoute } from '../../app-route.ts'

export const teamRoutes = [
  defineAppRoute('listTeam', admins, ({ spool }) => listTeam(spool)),

  defineAppRoute('changeTeammate', admins, ({ spool, actor, path, body }) =>
    changeTeammate(spool, actor, path.id, body),
  ),

  defineAppRoute('removeTeammate', admins, async ({ spool, actor, path }) => {
    await removeTeammate(spool, actor, path.id)
    return { removed: path.id }
  }),

  defineAppRoute('offerReset', admins, async ({ spool, actor, path }) => {
    const { url, endsAt } = await offerReset(spool, actor, path.id)
    return { url, endsAt: toTime(endsAt), canMail: (await findLinkSender(spool)) !== null }
  }),

  defineAppRoute('mailLink', admins, async ({ spool, actor, body, guard }) => {
    await guard.countTrial()
    return { mailedTo: await mailLink(spool, actor, body) }
  }),

  defineAppRoute('takeBackInvitation', admins, async ({ spool, actor, path }) => {
    await takeBackInvitation(spool, actor, path.id)
    return { takenBack: path.id }
  }),
]
