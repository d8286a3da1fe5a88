import { z } from 'zod'
import { viewOfUser } from '../../../core/access.ts'
import { listColleagues } from '../../../core/colleagues.ts'
import { completeAddress } from '../../../core/correspondents.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'

export const peopleList = defineAppRoute({
  method: 'GET',
  path: '/people',
  operationId: 'listPeople',
  roles: everyone,
  query: z.strictObject({}),
  body: null,
  handle: async ({ spool, actor }) => ({
    body: { data: await listColleagues(spool, await viewOfUser(spool.db, actor.user)) },
  }),
})

export const addressList = defineAppRoute({
  method: 'GET',
  path: '/addresses',
  operationId: 'completeAddress',
  roles: everyone,
  query: z.strictObject({ q: z.string().max(254, 'has at most 254 characters') }),
  body: null,
  handle: async ({ spool, actor, query }) => ({
    body: { data: await completeAddress(spool, await viewOfUser(spool.db, actor.user), query.q) },
  }),
})
