import { SpoolError } from '../../model/errors.ts'

const dayMilliseconds = 86_400_000

/** A day as people write it, `2026-11-14`, with the time at which it begins in their zone. */
export interface CalendarDay {
  day: string
  begins: number
}

export function checkZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    throw new SpoolError('bad_parameter', 'zone is the name of a time zone, such as Europe/Berlin.')
  }
}

export function today(now: number, zone: string): string {
  return writeDay(now + offsetAt(now, zone))
}

export function addDays(day: string, days: number): string {
  return writeDay(Date.parse(day) + days * dayMilliseconds)
}

/** From the first to the last; then, so that the last one's end is known, the day after it. */
export function listDays(from: string, to: string, zone: string): CalendarDay[] {
  const days: CalendarDay[] = []
  for (let day = from; day <= addDays(to, 1); day = addDays(day, 1))
    days.push({ day, begins: beginOf(day, zone) })
  return days
}

/** Twice, because the offset of the guess may be that of the other side of a change of the clocks. */
function beginOf(day: string, zone: string): number {
  const local = Date.parse(day)
  const guess = local - offsetAt(local, zone)
  return local - offsetAt(guess, zone)
}

const formats = new Map<string, Intl.DateTimeFormat>()
/** Each takes some fifty kilobytes, and with `+01:23` and the like there are thousands of zones to ask for. */
const mostFormats = 32

/** How far the clocks of the zone are ahead of UTC. */
function offsetAt(time: number, zone: string): number {
  if (zone === 'UTC') return 0
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    if (formats.size >= mostFormats) formats.delete(formats.keys().next().value!)
    formats.set(zone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
  const { year, month, day, hour, minute, second } = parts as Record<string, number>
  return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) - Math.floor(time / 1000) * 1000
}

function writeDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
