import { z } from 'zod'
import { Time } from '../thread.ts'

const Guest = z.object({
  name: z.string(),
  address: z.string(),
  /** What they answered; null if nothing yet. */
  answer: z.enum(['yes', 'no', 'maybe']).nullable(),
})

/** The event of a calendar file, as far as a card needs it; everything in it is the sender's unverified claim. */
export const Invitation = z.object({
  kind: z.enum(['invitation', 'cancelled', 'answer', 'counter', 'event']),
  title: z.string(),
  /** As written: `2026-11-17T10:00` in `zone`, or a date. For all-day events, `end` is the day after the last. */
  start: z.string().nullable(),
  end: z.string().nullable(),
  isAllDay: z.boolean(),
  /** The name the organiser's calendar gives its time zone. */
  zone: z.string().nullable(),
  /** As an instant; null for all-day events, and where the time zone is unknown. */
  startsAt: Time.nullable(),
  endsAt: Time.nullable(),
  repeats: z.enum(['daily', 'weekly', 'monthly', 'yearly']).nullable(),
  where: z.string(),
  organiser: Guest.nullable(),
  guests: z.array(Guest),
  /** Of all guests; can be more than are listed here. */
  guestCount: z.int(),
  asksForAnswer: z.boolean(),
})
export type Invitation = z.infer<typeof Invitation>
