import { z } from 'zod'
import { readTime } from '../../model/time.ts'

export const cursor = z
  .string()
  .min(1, 'is empty; leave it out to start at the beginning')
  .max(200, 'is not a cursor of this list')
  .nullable()
  .default(null)
  .meta({
    description: "The previous page's `nextCursor`; only with the filters it was made with.",
    parameter: { type: 'string', minLength: 1, maxLength: 200 },
  })

export const nextCursor = z.string().nullable().meta({
  description: 'Hand it back as `cursor` for the next page; `null` on the last one.',
  example: 'AZqBzJkA1k9v2c4xq7m3n5p8r0sQ7hY2mVw4Kc',
})

export const limit = z
  .string()
  .regex(/^([1-9]|[1-9]\d|100)$/, 'must be a whole number from 1 to 100')
  .transform(Number)
  .default(50)
  .meta({
    description: 'How many at most.',
    parameter: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  })

export const seqForm = /^\d{1,15}$/

export const seqOrNull = (wanted: string) =>
  z.string().regex(seqForm, wanted).transform(Number).nullable().default(null)

export const seq = seqOrNull('must be a seq: a whole number')

export const time = (wanted: string) => z.string().transform(readTime).pipe(z.number(wanted))

export const pageOf = <Item extends z.core.$ZodType>(item: Item) =>
  z.object({ data: z.array(item), nextCursor })
