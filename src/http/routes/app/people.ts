import { viewOfUser } from '../../../core/access/access.ts'
import { listColleagues } from '../../../core/people/colleagues.ts'
import { completeAddress } from '../../../core/threads/correspondents.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'

export const peopleRoutes = [
  defineAppRoute('listPeople', everyone, async ({ spool, actor }) => ({
    body: { data: await listColleagues(spool, await viewOfUser(spool.db, actor.user)) },
  })),

  defineAppRoute('completeAddress', everyone, async ({ spool, actor, query }) => ({
    body: { data: await completeAddress(spool, await viewOfUser(spool.db, actor.user), query.q) },
  })),
]
