import { readNumbers } from '../../../core/numbers/numbers.ts'
import { defineAppRoute, writers } from '../../app-route.ts'

export const numbersGet = defineAppRoute('getNumbers', writers, async ({ spool, view, query }) =>
  readNumbers(spool, await view(), query),
)
