import { viewOfUser } from '../../../core/access/access.ts'
import { readNumbers } from '../../../core/numbers/numbers.ts'
import { defineAppRoute, writers } from '../../app-route.ts'

export const numbersGet = defineAppRoute('getNumbers', writers, async ({ spool, actor, query }) => ({
  body: await readNumbers(spool, await viewOfUser(spool.db, actor.user), query),
}))
