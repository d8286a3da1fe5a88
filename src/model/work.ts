import { z } from 'zod'
import { User } from './access.ts'
import { Draft } from './draft.ts'
import { Thread } from './history.ts'
import { Onlooker } from './live.ts'
import { ThreadSummary } from './thread.ts'

/** A thread as it stands in the page's lists: with who is writing an answer. */
export const ThreadRow = ThreadSummary.extend({
  openDrafts: z.array(Draft.pick({ id: true, status: true, author: true })),
})
export type ThreadRow = z.infer<typeof ThreadRow>

/** The thread to work on: what happened, the drafts that are open, and who is there. */
export const OpenThread = Thread.extend({
  drafts: z.array(Draft),
  /** Whether its inbox has a server to send by: better known before an answer is written than after. */
  canBeAnswered: z.boolean(),
  people: z.array(Onlooker),
})
export type OpenThread = z.infer<typeof OpenThread>

const counted = z.int().min(0).max(999)

/** What the left column shows. */
export const Counts = z.object({
  /** Up to 999, which then means that many or more; null where nobody needs to know. */
  views: z.object({
    mine: counted,
    unassigned: counted,
    unread: counted,
    open: counted,
    waiting: counted,
    snoozed: counted,
    review: counted,
    closed: z.null(),
    spam: z.null(),
  }),
  /** Open threads of each inbox, by its id. */
  inboxes: z.record(z.string(), counted),
})
export type Counts = z.infer<typeof Counts>

/** Somebody who shares an inbox, and which: whom a thread can be given to, and who can be mentioned. */
export const Colleague = User.extend({ inboxes: z.array(z.string()) })
export type Colleague = z.infer<typeof Colleague>
