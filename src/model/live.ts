import { z } from 'zod'
import { UserReference } from './access.ts'
import { Event } from './events.ts'

export const doings = ['reading', 'writing'] as const
export type Doing = (typeof doings)[number]

/** Somebody who has a thread open. */
export const Onlooker = UserReference.extend({
  doing: z.enum(doings),
  /** Set once the draft has been saved for the first time. */
  draftId: z.string().optional(),
})
export type Onlooker = z.infer<typeof Onlooker>

/** The event to resume from. */
const LogPosition = z.object({ seq: z.int() })

/** What a page receives, by the name of the server-sent event. */
export const liveEvents = {
  ready: LogPosition,
  /** Events may have been missed: the page must reload everything. */
  resync: LogPosition,
  message: Event,
  /** How many notices this person has not read, whenever that may have changed. */
  notices: z.object({ unread: z.int() }),
  presence: z.object({ threadId: z.string(), people: z.array(Onlooker) }),
}
export type LiveEvents = { [Name in keyof typeof liveEvents]: z.infer<(typeof liveEvents)[Name]> }
