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
  historyLimit: z
    .string()
    .regex(/^(\d|[1-9]\d|1\d\d|200)$/, 'must be a whole number from 0 to 200')
    .transform(Number)
    .default(200)
    .meta({
      description: 'How many entries at most.',
      parameter: { type: 'integer', minimum: 0, maximum: 200, default: 200 },
    }),
  historyCursor: cursor.meta({
    description: "The previous page's `historyNextCursor`.",
    parameter: { type: 'string', minLength: 1, maxLength: 200 },
  }),
})
