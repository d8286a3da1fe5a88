import { z } from 'zod'
import { listEvents } from '../../../core/log/events.ts'
import { Event, EventType } from '../../../model/events.ts'
import { inboxPattern } from '../../../model/thread-filters.ts'
import { limit } from '../../contract/paging.ts'
import { defineRoute, json } from '../../route.ts'

const wantedInboxes = 'must be a comma list of ids or addresses of inboxes'

export const eventList = defineRoute({
  path: '/events',
  scope: 'events:read',
  operationId: 'listEvents',
  tag: 'Events',
  summary: 'List events',
  description:
    'For those who cannot receive webhooks. Oldest first, in your view. `nextCursor` can always be handed back as `after`, at the end of the log too; with `wait` an empty answer waits for news. Events are kept for 30 days: an older `after` is a 410, and the threads are to be read anew; one beyond the end of the log is a 400. A token can wait with ten requests at once; one more is a 429.',
  parameters: {},
  query: z.strictObject({
    after: z
      .string()
      .regex(/^\d{1,15}$/, 'must be a seq: a whole number')
      .transform(Number)
      .nullable()
      .default(null)
      .meta({
        description: 'The last `seq` you have seen; without it the oldest kept comes first.',
        parameter: { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 },
      }),
    type: z
      .string()
      .transform((text) => text.split(','))
      .pipe(
        z
          .array(z.enum(EventType.options, 'must be a comma list of kinds, such as message.received'))
          .max(50, 'has at most 50 kinds'),
      )
      .nullable()
      .default(null)
      .meta({
        description: 'Only events of these kinds, a comma list.',
        parameter: { type: 'array', items: { type: 'string', enum: EventType.options }, minItems: 1 },
      }),
    inbox: z
      .string()
      .max(3000, 'is too long')
      .transform((text) => text.split(','))
      .pipe(z.array(z.string().regex(new RegExp(inboxPattern), wantedInboxes)))
      .nullable()
      .default(null)
      .meta({
        description: 'Only events of these inboxes, a comma list of ids and addresses.',
        parameter: { type: 'array', items: { type: 'string', pattern: inboxPattern }, minItems: 1 },
      }),
    wait: z
      .string()
      .regex(/^([0-9]|[12][0-9]|30)$/, 'must be a whole number of seconds from 0 to 30')
      .transform(Number)
      .default(0)
      .meta({
        description: 'Seconds to wait for news when there is none.',
        parameter: { type: 'integer', minimum: 0, maximum: 30, default: 0 },
      }),
    limit,
  }),
  answer: z
    .object({
      data: z.array(Event),
      nextCursor: z.string().meta({
        description: 'The last `seq`, also at the end of the log: hand it back as `after`.',
        example: '4182',
      }),
    })
    .meta({ id: 'EventList' }),
  statuses: [400, 410],
  taggedBy: null,
  async handle({ spool, news, caller, query, whenGone, renew }) {
    return json(await listEvents(spool, news, caller, query, { signal: whenGone(), renew }))
  },
})
