import type { NoticeSettings } from '../../model/notices/notices.ts'
import { addDays, timeOn, today } from '../calendar-days.ts'

/** When this person's quiet hours end; null outside of them. */
export function quietUntil({ quiet, zone }: NoticeSettings, now: number): number | null {
  if (!quiet || quiet.from === quiet.until) return null
  const day = today(now, zone)
  // Hours that end the next morning may have begun yesterday.
  for (const begins of [addDays(day, -1), day]) {
    const from = timeOn(begins, quiet.from, zone)
    const until = timeOn(quiet.until > quiet.from ? begins : addDays(begins, 1), quiet.until, zone)
    if (from <= now && now < until) return until
  }
  return null
}

/** The next digest after now. */
export function nextDigest({ digestAt, zone }: NoticeSettings, now: number): number {
  const day = today(now, zone)
  const first = timeOn(day, digestAt, zone)
  return first > now ? first : timeOn(addDays(day, 1), digestAt, zone)
}
