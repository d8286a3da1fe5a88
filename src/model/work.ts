import { z } from 'zod'
import { User } from './access.ts'
import { Draft } from './draft.ts'
import { Thread } from './history.ts'
import { Onlooker } from './live.ts'
import { followings } from './notices/notices.ts'
import { ThreadSummary, Time } from './thread.ts'
import { mostCounted } from './thread-views.ts'

/** A thread in the page's lists, with its open drafts. */
export const ThreadRow = ThreadSummary.extend({
  openDrafts: z.array(Draft.pick({ id: true, status: true, author: true })),
})
export type ThreadRow = z.infer<typeof ThreadRow>

/** An open thread: its history, its open drafts and who else has it open. */
export const OpenThread = Thread.extend({
  drafts: z.array(Draft),
  /** Whether its inbox has an SMTP server: worth knowing before writing a reply. */
  canBeAnswered: z.boolean(),
  people: z.array(Onlooker),
  /** Whether the person follows it or has muted it; null: neither. */
  following: z.enum(followings).nullable(),
})
export type OpenThread = z.infer<typeof OpenThread>

const counted = z.int().min(0).max(mostCounted)

/** Counts in the left column. */
export const Counts = z.object({
  /** Exact below `mostCounted`; null where no count is shown. */
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
  /** Open threads per inbox id. */
  inboxes: z.record(z.string(), counted),
})
export type Counts = z.infer<typeof Counts>

/** How many threads a list has, and when they were counted. */
export const Matching = z.object({ count: counted, asOf: Time })
export type Matching = z.infer<typeof Matching>

/** What a change did to each of the threads. */
export const Changed = z.object({
  done: z.array(z.string()),
  failed: z.array(z.object({ id: z.string(), message: z.string() })),
  /** For `undoChange`; null if nothing changed. */
  receipt: z.string().nullable(),
})
export type Changed = z.infer<typeof Changed>

/** The same for one page of a list; `left` counts those that had changed since. */
export const MatchingChanged = Changed.extend({ nextCursor: z.string().nullable(), left: z.int().min(0) })
export type MatchingChanged = z.infer<typeof MatchingChanged>

export const Undone = z.object({
  undone: z.array(z.string()),
  /** Threads where somebody has changed the same since, so that change stays. */
  kept: z.array(z.string()),
  /** Names of people who have changed any of these threads since. */
  others: z.array(z.string()),
})
export type Undone = z.infer<typeof Undone>

/** A search that a person keeps in the left column. */
export const SavedView = z.object({ id: z.string(), name: z.string(), search: z.string() })
export type SavedView = z.infer<typeof SavedView>

/** Somebody who shares an inbox: can be assigned and mentioned. */
export const Colleague = User.extend({ inboxes: z.array(z.string()) })
export type Colleague = z.infer<typeof Colleague>
