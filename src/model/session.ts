import { z } from 'zod'
import { User } from './access.ts'
import { InboxReference, Time } from './thread.ts'

/** Who is signed in, what they see and what they may do. */
export const Session = z.object({
  user: User,
  inboxes: z.array(InboxReference.extend({ aliases: z.array(z.string()) })),
  canSend: z.boolean(),
  undoSeconds: z.number(),
  /** Admins only: whether first-run steps are still open. */
  guide: z.boolean().optional(),
  /** Admins only: inboxes whose provider refuses the sign-in. */
  stopped: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
})
export type Session = z.infer<typeof Session>

/** What the page needs to know before anybody has signed in. */
export const Entry = z.object({
  /** Null: nobody is signed in. */
  session: Session.nullable(),
  /** There is no admin yet. */
  notSetUp: z.boolean(),
  /** Whether people can have a link for a new password sent to them. */
  resetByMail: z.boolean(),
})
export type Entry = z.infer<typeof Entry>

/** A browser in which somebody is signed in. */
export const SessionView = z.object({
  id: z.string(),
  device: z.string().nullable(),
  createdAt: Time,
  lastSeenAt: Time,
  current: z.boolean(),
})
export type SessionView = z.infer<typeof SessionView>
