import { z } from 'zod'
import { viewOfUser } from '../../../core/access.ts'
import { listColleagues } from '../../../core/colleagues.ts'
import { defineAppRoute } from '../../app-route.ts'

export const peopleList = defineAppRoute({
  method: 'GET',
  path: '/people',
  operationId: 'listPeople',
  query: z.strictObject({}),
  body: null,
  handle: async ({ spool, actor }) => ({
    body: { data: await listColleagues(spool, await viewOfUser(spool.db, actor.user)) },
  }),
})
