import { z } from 'zod'
import { UserReference } from './access.ts'
import { Event } from './events.ts'

export const doings = ['reading', 'writing'] as const
export type Doing = (typeof doings)[number]

/** Somebody who has a thread before them. */
export const Onlooker = UserReference.extend({
  doing: z.enum(doings),
  /** What they write, once it is saved for the first time. */
  draftId: z.string().optional(),
})
export type Onlooker = z.infer<typeof Onlooker>

/** Where to go on from. */
const LogPosition = z.object({ seq: z.int() })

/** What a page hears of, by the name of the server-sent event. */
export const liveEvents = {
  ready: LogPosition,
  /** Something may have been missed: everything is to be asked for again. */
  resync: LogPosition,
  message: Event,
  presence: z.object({ threadId: z.string(), people: z.array(Onlooker) }),
}
export type LiveEvents = { [Name in keyof typeof liveEvents]: z.infer<(typeof liveEvents)[Name]> }
