import { z } from 'zod'
import { filtersAs } from '../../model/thread-filters.ts'
import { cursor, limit } from './paging.ts'

export const ThreadQuery = z.strictObject({ ...filtersAs('parameter'), limit, cursor })

export const HistoryQuery = z.strictObject({
  historyOrder: z
    .enum(['asc', 'desc'], 'must be asc or desc')
    .default('asc')
    .meta({
      description: '`asc`: oldest first; `desc`: newest first.',
      parameter: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
    }),
  historyCursor: cursor.meta({
    description: "The previous page's `historyNextCursor`.",
    parameter: { type: 'string', minLength: 1, maxLength: 200 },
  }),
})
