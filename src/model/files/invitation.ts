import { z } from 'zod'
import { Time } from '../thread.ts'

const Guest = z.object({
  name: z.string(),
  address: z.string(),
  /** What they answered; null if nothing yet. */
  answer: z.enum(['yes', 'no', 'maybe']).nullable(),
})

/** The event of a calendar file, as far as a card needs it; all of it is the sender's word. */
export const Invitation = z.object({
  kind: z.enum(['invitation', 'cancelled', 'answer', 'counter', 'event']),
  title: z.string(),
  /** As written: `2026-11-17T10:00` in `zone`, or a day; the end of whole days is the day after. */
  start: z.string().nullable(),
  end: z.string().nullable(),
  isAllDay: z.boolean(),
  /** The name the organiser's calendar gives its time zone. */
  zone: z.string().nullable(),
  /** The moment; null for a day, and where nobody can tell in which zone it is. */
  startsAt: Time.nullable(),
  endsAt: Time.nullable(),
  repeats: z.enum(['daily', 'weekly', 'monthly', 'yearly']).nullable(),
  where: z.string(),
  organiser: Guest.nullable(),
  guests: z.array(Guest),
  /** Of all, more than are listed here. */
  guestCount: z.int(),
  asksForAnswer: z.boolean(),
})
export type Invitation = z.infer<typeof Invitation>
