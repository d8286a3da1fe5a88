import { z } from 'zod'
import { User } from './access.ts'
import { InboxReference, Time } from './thread.ts'

/** Who is signed in, and what they see and may do. */
export const Session = z.object({
  user: User,
  inboxes: z.array(InboxReference),
  canSend: z.boolean(),
  undoSeconds: z.number(),
  /** For an admin: whether steps of the first run are open. */
  guide: z.boolean().optional(),
})
export type Session = z.infer<typeof Session>

/** A browser that somebody is signed in with. */
export const SessionView = z.object({
  id: z.string(),
  device: z.string().nullable(),
  createdAt: Time,
  lastSeenAt: Time,
  current: z.boolean(),
})
export type SessionView = z.infer<typeof SessionView>
