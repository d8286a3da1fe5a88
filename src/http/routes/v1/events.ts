import { z } from 'zod'
import { listEvents } from '../../../core/log/events.ts'
import { followEvents, type EventBatch } from '../../../core/log/follow.ts'
import { SpoolError } from '../../../model/errors.ts'
import { Event, EventType } from '../../../model/events.ts'
import { inboxPattern } from '../../../model/thread-filters.ts'
import { readWeights } from '../../content/coding.ts'
import { limit, seq, seqForm } from '../../contract/paging.ts'
import { defineRoute, json } from '../../route.ts'

const wantedInboxes = 'must be a comma list of ids or addresses of inboxes'

export const eventList = defineRoute({
  path: '/events',
  scope: 'events:read',
  operationId: 'listEvents',
  tag: 'Events',
  summary: 'List events',
  description:
    'For those who cannot receive webhooks. Oldest first, in your view. `nextCursor` can always be handed back as `after`, at the end of the log too; with `wait` an empty answer waits for news. Events are kept for 30 days: an older `after` is a 410, and the threads are to be read anew; one beyond the end of the log is a 400. A token can wait with ten requests at once; one more is a 429. With `Accept: text/event-stream` the same comes as a stream of server-sent events, which counts among the ten: `id` is the `seq`, `Last-Event-ID` is honoured, `wait` and `limit` are not needed, and every 15 seconds there is a sign of life.',
  query: z.strictObject({
    after: seq.meta({
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
  statuses: [410],
  taggedBy: null,
  async handle({ spool, news, caller, query, header, whenGone, renew }) {
    const until = { signal: whenGone(), renew }
    if (!wantsStream(header('accept'))) return json(await listEvents(spool, news, caller, query, until))
    const after = readLastId(header('last-event-id')) ?? query.after
    const events = followEvents(spool, news, caller, { ...query, after, limit: 100 }, until)
    return { body: { flow: () => writeStream(events) }, contentType: 'text/event-stream; charset=utf-8' }
  },
})

/** Only if the header names the type and does not prefer JSON: a client that accepts anything gets JSON. */
function wantsStream(accept = ''): boolean {
  const weights = readWeights(accept)
  const weight = weights.get('text/event-stream') ?? 0
  const ofJson = ['application/json', 'application/*', '*/*'].find((type) => weights.has(type)) ?? ''
  return weight > 0 && weight >= (weights.get(ofJson) ?? 0)
}

/** A reconnecting client repeats its URL; this header has the id of the last event it has seen. */
function readLastId(text: string | undefined): number | null {
  if (text === undefined || text === '') return null
  if (seqForm.test(text)) return Number(text)
  throw new SpoolError('bad_parameter', 'Last-Event-ID must be a seq: a whole number.', {
    details: { parameter: 'Last-Event-ID' },
  })
}

async function* writeStream(batches: AsyncGenerator<EventBatch>): AsyncGenerator<string> {
  for await (const { events, seq } of batches) {
    const lines = events.map((event) => `id: ${event.data.seq}\ndata: ${JSON.stringify(event)}\n\n`)
    // The client stores an id that comes without data, but dispatches no event.
    yield lines.length > 0 ? lines.join('') : `: nothing new\nid: ${seq}\n\n`
  }
}
