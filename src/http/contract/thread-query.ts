import { z } from 'zod'
import { Status } from '../../model/thread.ts'
import { readTime } from '../../model/time.ts'
import { cursor, limit } from './paging.ts'

const flag = z
  .enum(['1', 'true', '0', 'false'], 'must be 1, true, 0 or false')
  .transform((value) => value === '1' || value === 'true')

const statusList = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(Status.options, 'must be a comma list of open, waiting, snoozed, closed and spam')))

const time = z
  .string()
  .transform((text) => readTime(text))
  .pipe(z.number('must be a time such as 2026-11-14T09:30:00.000Z'))

const statusPattern = `^(${Status.options.join('|')})(,(${Status.options.join('|')}))*$`
const assigneePattern = '^(me|none|usr_[0-9a-z]{1,60})$'
const inboxPattern = '^inb_[0-9a-z]+$|^[^\\s@]+@[^\\s@]+$'

export const ThreadQuery = z.strictObject({
  unread: flag.default(false).meta({
    description: '`1` or `true`: only threads unread by you; `0` or `false`: no restriction.',
    parameter: { type: 'string', enum: ['1', 'true', '0', 'false'], default: '0' },
  }),
  status: statusList
    .nullable()
    .default(null)
    .meta({
      description: 'Comma list of open, waiting, snoozed, closed and spam.',
      parameter: { type: 'string', pattern: statusPattern, examples: ['open,waiting'] },
    }),
  assignee: z
    .string()
    .regex(new RegExp(assigneePattern), "must be me, none or a user's id")
    .nullable()
    .default(null)
    .meta({
      description: "`me`, `none` or a user's id.",
      parameter: { type: 'string', pattern: assigneePattern },
    }),
  inbox: z
    .string()
    .max(300, 'is too long')
    .regex(new RegExp(inboxPattern), "must be an inbox's id or address")
    .nullable()
    .default(null)
    .meta({
      description: "An inbox's id or address.",
      parameter: { type: 'string', maxLength: 300, pattern: inboxPattern },
    }),
  q: z
    .string()
    .max(1000, 'has at most 1000 characters')
    .regex(/\S/, 'needs at least one word')
    .nullable()
    .default(null)
    .meta({
      description: "Plain, whole words; all must stand in one message's subject, people or text.",
      parameter: { type: 'string', maxLength: 1000, pattern: '\\S', examples: ['order 4711'] },
    }),
  updatedSince: time
    .nullable()
    .default(null)
    .meta({
      description: 'Only threads changed at or after this time (RFC 3339).',
      parameter: { type: 'string', format: 'date-time' },
    }),
  limit,
  cursor,
})

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
