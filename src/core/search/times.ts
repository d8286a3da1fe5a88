import { addDays, beginOf, today } from '../calendar-days.ts'

/** A day, month or year such as `2026-11-14`, `2026/11` or `2026`, or `today` or `yesterday`, in the time zone. */
export function periodOf(value: string, zone: string, now: number): { start: number; end: number } {
  const name = value.toLowerCase()
  if (name === 'today') return dayPeriod(today(now, zone), zone)
  if (name === 'yesterday') return dayPeriod(addDays(today(now, zone), -1), zone)
  const [year = 0, month, day] = value.split(/[-/]/).map(Number)
  if (day !== undefined) return dayPeriod(writeDay(year, month! - 1, day), zone)
  const next = month === undefined ? writeDay(year + 1, 0, 1) : writeDay(year, month, 1)
  return { start: beginOf(writeDay(year, (month ?? 1) - 1, 1), zone), end: beginOf(next, zone) }
}

function dayPeriod(day: string, zone: string): { start: number; end: number } {
  return { start: beginOf(day, zone), end: beginOf(addDays(day, 1), zone) }
}

/** The twelfth month, counted from 0, is the first of the next year. */
function writeDay(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)
}

const hour = 3_600_000
const hours: Record<string, number> = { h: 1, d: 24, w: 7 * 24, m: 30 * 24, y: 365 * 24 }

/** `12h`, `3d`, `2w`, `6m` or `1y` before now. */
export function timeAgo(age: string, now: number): number {
  return now - Number.parseInt(age, 10) * hours[age.at(-1)!.toLowerCase()]! * hour
}
