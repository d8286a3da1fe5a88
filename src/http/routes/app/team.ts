import { z } from 'zod'
import { takeBackInvitation } from '../../../core/invitations.ts'
import { offerReset } from '../../../core/resets.ts'
import { changeTeammate, listTeam, removeTeammate } from '../../../core/team.ts'
import { Role } from '../../../model/access.ts'
import { toTime } from '../../../model/time.ts'
import { admins, defineAppRoute } from '../../app-route.ts'
import { given } from '../../query.ts'

const none = z.strictObject({})

export const teamList = defineAppRoute({
  method: 'GET',
  path: '/settings/people',
  operationId: 'listTeam',
  roles: admins,
  query: none,
  body: null,
  handle: async ({ spool }) => ({ body: await listTeam(spool) }),
})

export const teammateChange = defineAppRoute({
  method: 'PATCH',
  path: '/settings/people/{id}',
  operationId: 'changeTeammate',
  roles: admins,
  query: none,
  body: z.strictObject({
    name: z.string().max(200).optional(),
    role: Role.optional(),
    inboxes: z.array(z.string().max(300)).max(1000).optional(),
  }),
  handle: async ({ spool, actor, path, body }) => ({
    body: await changeTeammate(spool, actor, path['id']!, given(body)),
  }),
})

export const teammateRemove = defineAppRoute({
  method: 'DELETE',
  path: '/settings/people/{id}',
  operationId: 'removeTeammate',
  roles: admins,
  query: none,
  body: null,
  async handle({ spool, actor, path }) {
    await removeTeammate(spool, actor, path['id']!)
    return { body: { removed: path['id'] } }
  },
})

export const resetOffer = defineAppRoute({
  method: 'POST',
  path: '/settings/people/{id}/reset',
  operationId: 'offerReset',
  roles: admins,
  query: none,
  body: none,
  async handle({ spool, actor, path }) {
    const { url, endsAt } = await offerReset(spool, actor, path['id']!)
    return { body: { url, endsAt: toTime(endsAt) } }
  },
})

export const invitationTakeBack = defineAppRoute({
  method: 'DELETE',
  path: '/settings/invitations/{id}',
  operationId: 'takeBackInvitation',
  roles: admins,
  query: none,
  body: null,
  async handle({ spool, actor, path }) {
    await takeBackInvitation(spool, actor, path['id']!)
    return { body: { takenBack: path['id'] } }
  },
})
