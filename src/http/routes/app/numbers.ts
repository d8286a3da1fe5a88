import { z } from 'zod'
import { viewOfUser } from '../../../core/access.ts'
import { readNumbers } from '../../../core/numbers.ts'
import { defineAppRoute, writers } from '../../app-route.ts'

const day = z
  .string()
  .regex(/^(19[7-9]|20\d)\d-\d\d-\d\d$/, 'must be a day such as 2026-11-14')
  .refine((text) => new Date(text).toJSON()?.slice(0, 10) === text, 'must be a day such as 2026-11-14')
  .nullable()
  .default(null)

export const numbersGet = defineAppRoute({
  method: 'GET',
  path: '/numbers',
  operationId: 'getNumbers',
  roles: writers,
  query: z.strictObject({
    from: day,
    to: day,
    zone: z.string().max(100).default('UTC'),
    inbox: z.string().max(100).nullable().default(null),
  }),
  body: null,
  handle: async ({ spool, actor, query }) => ({
    body: await readNumbers(spool, await viewOfUser(spool.db, actor.user), query),
  }),
})
