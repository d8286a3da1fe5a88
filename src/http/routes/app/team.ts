import { takeBackInvitation } from '../../../core/people/invitations.ts'
import { offerReset } from '../../../core/people/resets.ts'
import { changeTeammate, listTeam, removeTeammate } from '../../../core/people/team.ts'
import { toTime } from '../../../model/time.ts'
import { admins, defineAppRoute } from '../../app-route.ts'

export const teamRoutes = [
  defineAppRoute('listTeam', admins, async ({ spool }) => ({
    body: await listTeam(spool),
  })),

  defineAppRoute('changeTeammate', admins, async ({ spool, actor, path, body }) => ({
    body: await changeTeammate(spool, actor, path.id, body),
  })),

  defineAppRoute('removeTeammate', admins, async ({ spool, actor, path }) => {
    await removeTeammate(spool, actor, path.id)
    return { body: { removed: path.id } }
  }),

  defineAppRoute('offerReset', admins, async ({ spool, actor, path }) => {
    const { url, endsAt } = await offerReset(spool, actor, path.id)
    return { body: { url, endsAt: toTime(endsAt) } }
  }),

  defineAppRoute('takeBackInvitation', admins, async ({ spool, actor, path }) => {
    await takeBackInvitation(spool, actor, path.id)
    return { body: { takenBack: path.id } }
  }),
]
