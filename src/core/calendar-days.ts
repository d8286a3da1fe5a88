import { SpoolError } from '../model/errors.ts'

const dayMilliseconds = 86_400_000

/** A calendar day such as `2026-11-14`, and when it begins in the time zone. */
export interface CalendarDay {
  day: string
  begins: number
}

export function checkZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    throw new SpoolError('bad_parameter', 'zone must be the name of a time zone, such as Europe/Berlin.')
  }
}

export function today(now: number, zone: string): string {
  return writeDay(now + offsetAt(now, zone))
}

export function addDays(day: string, days: number): string {
  return writeDay(Date.parse(day) + days * dayMilliseconds)
}

/** The days from first to last, plus the next day, which marks the end of the last. */
export function listDays(from: string, to: string, zone: string): CalendarDay[] {
  const days: CalendarDay[] = []
  for (let day = from; day <= addDays(to, 1); day = addDays(day, 1))
    days.push({ day, begins: beginOf(day, zone) })
  return days
}

export function beginOf(day: string, zone: string): number {
  return timeOn(day, '00:00', zone)
}

/**
 * A clock time such as `22:00` of a day. Computed twice: the first guess may be across a clock change. A time that the
 * clocks skip is the same time after the change: a day without midnight begins at one.
 */
export function timeOn(day: string, clock: string, zone: string): number {
  const local = Date.parse(`${day}T${clock}Z`)
  const guess = local - offsetAt(local, zone)
  const offset = offsetAt(guess, zone)
  const time = local - offset
  return offsetAt(time, zone) === offset ? time : Math.max(guess, time)
}

const formats = new Map<string, Intl.DateTimeFormat>()
/** Each format takes about 50 kB, and with offsets such as `+01:23` there are thousands of zones. */
const mostFormats = 32

/** The zone's offset from UTC, in milliseconds. */
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
