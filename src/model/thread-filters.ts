import { z } from 'zod'
import { Status } from './thread.ts'
import { readTime } from './time.ts'

/** One filter as each door accepts it: a query parameter or a tool argument. Both mean the same. */
function filter<Parameter extends z.ZodType, Argument extends z.ZodType<z.output<Parameter>>>(each: {
  parameter: Parameter
  argument: Argument
}) {
  return each
}

const addressPattern = '[^\\s@,]+@[^\\s@,]+'
const assigneePattern = `^(me|none|usr_[0-9a-z]{1,60}|${addressPattern})$`
const wantedAssignee = "must be me, none, a user's id or their address"
const domainPattern = '[^\\s@,;:/?#%&=()<>"*]+'
const fromPattern = `^(${addressPattern}|${domainPattern})$`
const wantedSender = 'must be an address or a domain, such as brandt.example'
export const inboxPattern = `^inb_[0-9a-z]+$|^${addressPattern}$`
const wantedInbox = "must be an inbox's id or address"
const wantedTime = 'must be a time such as 2026-11-14T09:30:00.000Z'
const wantedStatuses = 'must be a list of open, waiting, snoozed, closed and spam'

const storedText = (text: z.ZodString, pattern: string, wanted: string) =>
  text
    .max(300, 'is too long')
    .regex(new RegExp(pattern), wanted)
    // PostgreSQL takes no NUL in a text.
    .refine((given) => !given.includes('\0'), wanted)
    .nullable()
    .default(null)
const assignee = (text: z.ZodString) => storedText(text, assigneePattern, wantedAssignee)
const from = (text: z.ZodString) => storedText(text, fromPattern, wantedSender)
const inbox = (text: z.ZodString) =>
  text.max(300, 'is too long').regex(new RegExp(inboxPattern), wantedInbox).nullable().default(null)
const searchText = (text: z.ZodString) => text.regex(/\S/, 'needs at least one word').nullable().default(null)
const time = (text: z.ZodString) =>
  text
    .transform((given) => readTime(given))
    .pipe(z.number(wantedTime))
    .nullable()
    .default(null)

/**
 * The filters of a thread list, for every door. A filter declared here must be wired in `core/threads/list` and
 * `store/threads/page-sql`, or the code does not compile.
 */
export const threadFilters = {
  unread: filter({
    parameter: z
      .enum(['1', 'true', '0', 'false'], 'must be 1, true, 0 or false')
      .transform((value) => value === '1' || value === 'true')
      .default(false)
      .meta({
        description: '`1` or `true`: only threads unread by you; `0` or `false`: no restriction.',
        parameter: { anyOf: [{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }], default: false },
      }),
    argument: z
      .boolean('must be true or false')
      .default(false)
      .meta({ description: 'true: only threads unread by your user.' }),
  }),
  status: filter({
    parameter: z
      .string()
      .transform((text) => text.split(','))
      .pipe(
        z.array(z.enum(Status.options, 'must be a comma list of open, waiting, snoozed, closed and spam')),
      )
      .nullable()
      .default(null)
      .meta({
        description: 'Comma list of open, waiting, snoozed, closed and spam.',
        parameter: {
          type: 'array',
          items: { type: 'string', enum: Status.options },
          minItems: 1,
          examples: [['open', 'waiting']],
        },
      }),
    argument: z
      .array(z.enum(Status.options, wantedStatuses), wantedStatuses)
      .min(1, wantedStatuses)
      .max(20, wantedStatuses)
      .nullable()
      .default(null)
      .meta({ description: 'Only threads of these statuses.' }),
  }),
  assignee: filter({
    parameter: assignee(z.string()).meta({
      description: "`me`, `none`, a user's id or their address.",
      parameter: { type: 'string', maxLength: 300, pattern: assigneePattern },
    }),
    argument: assignee(z.string(wantedAssignee)).meta({
      description: "me, none, a user's id or their address.",
    }),
  }),
  from: filter({
    parameter: from(z.string()).meta({
      description: 'Who started the thread: an address, or a domain without its subdomains.',
      parameter: { type: 'string', maxLength: 300, pattern: fromPattern },
    }),
    argument: from(z.string(wantedSender)).meta({
      description: 'Who started the thread: an address, or a domain without its subdomains.',
    }),
  }),
  inbox: filter({
    parameter: inbox(z.string()).meta({
      description: "An inbox's id or address.",
      parameter: { type: 'string', maxLength: 300, pattern: inboxPattern },
    }),
    argument: inbox(z.string(wantedInbox)).meta({ description: "An inbox's id or address." }),
  }),
  q: filter({
    parameter: searchText(z.string().max(1000, 'has at most 1000 characters')).meta({
      description: "Plain, whole words; all must be in one message's subject, people or text.",
      parameter: { type: 'string', maxLength: 1000, pattern: '\\S', examples: ['order 4711'] },
    }),
    argument: searchText(
      z
        .string('must be words to search for')
        .max(1000, 'has at most 1000 characters')
        .regex(/^[^\0]*$/, 'must be text without control characters'),
    ).meta({ description: "Whole words; all must be in one message's subject, people or text." }),
  }),
  updatedSince: filter({
    parameter: time(z.string()).meta({
      description: 'Only threads changed at or after this time (RFC 3339).',
      parameter: { type: 'string', format: 'date-time' },
    }),
    argument: time(z.string(wantedTime)).meta({
      description: 'Only threads changed at or after this time (RFC 3339).',
    }),
  }),
}

type Filters = typeof threadFilters
export type ThreadFilters = { [Name in keyof Filters]: z.output<Filters[Name]['parameter']> }

/** The filters in the form one door accepts, for its schema. */
export function filtersAs<Way extends 'parameter' | 'argument'>(
  way: Way,
): { [Name in keyof Filters]: Filters[Name][Way] } {
  const shape = Object.entries(threadFilters).map(([name, each]) => [name, each[way]])
  return Object.fromEntries(shape) as { [Name in keyof Filters]: Filters[Name][Way] }
}
