import { z } from 'zod'
import { listThreads } from '../../../core/thread-list.ts'
import { getThread } from '../../../core/threads.ts'
import { Thread } from '../../../model/history.ts'
import { Status, ThreadSummary } from '../../../model/thread.ts'
import { readTime } from '../../../model/time.ts'
import { cursor, limit, nextCursor } from '../../query.ts'
import { defineRoute, list } from '../../route.ts'

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

export const threadList = defineRoute({
  path: '/threads',
  scope: 'threads:read',
  operationId: 'listThreads',
  tag: 'Threads',
  summary: 'List threads',
  description:
    'Threads in your view, newest activity first. Without a filter the list is unfiltered: everything in your view, whatever its status.',
  parameters: {},
  query: ThreadQuery,
  answer: z.object({ data: z.array(ThreadSummary), nextCursor }).meta({ id: 'ThreadList' }),
  statuses: [400],
  taggedBy: 'view',
  async handle(call) {
    const { status, limit, cursor, ...rest } = call.query
    const page = await listThreads(call.spool, call.caller, { ...rest, statuses: status }, { limit, cursor })
    return list(call, page.items, page.nextCursor)
  },
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

export const threadGet = defineRoute({
  path: '/threads/{id}',
  scope: 'threads:read',
  operationId: 'getThread',
  tag: 'Threads',
  summary: 'Get a thread',
  description:
    'The thread and what happened in it: messages, changes of status and assignment, drafts. At most 200 entries at once; `historyNextCursor` leads on. The id of a thread that was joined into another answers with that one.',
  parameters: { id: "The thread's id." },
  query: HistoryQuery,
  answer: Thread,
  statuses: [400, 404],
  taggedBy: 'content',
  async handle({ spool, caller, path, query }) {
    const page = { order: query.historyOrder, cursor: query.historyCursor, limit: 200 }
    const { text, messages } = await getThread(spool, caller, path['id']!, page)
    return { body: text, reads: { threads: 1, messages, notes: 0 } }
  },
})
