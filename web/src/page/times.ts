import { formatUnit, locale } from './locale.ts'
import { texts } from './texts.ts'

const { hourCycle } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
const time = { hour: hourCycle === 'h23' ? '2-digit' : 'numeric', minute: '2-digit' } as const
const date = { day: 'numeric', month: 'short' } as const
const clock = new Intl.DateTimeFormat(locale, time)
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' })
const weekdayTime = new Intl.DateTimeFormat(locale, { weekday: 'short', ...time })
const day = new Intl.DateTimeFormat(locale, date)
const dayTime = new Intl.DateTimeFormat(locale, { ...date, ...time })
const dayOfYear = new Intl.DateTimeFormat(locale, { ...date, year: 'numeric' })
const dayOfYearTime = new Intl.DateTimeFormat(locale, { ...date, year: 'numeric', ...time })
const full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' })
// Part of a sentence, so in the language of the texts.
const relative = new Intl.RelativeTimeFormat(locale.startsWith(texts.language) ? locale : texts.language, {
  numeric: 'auto',
  style: 'short',
})

/** As short as possible: the time if today, the weekday if this week, otherwise the date. */
export function shortTime(time: string, now = new Date()): string {
  const at = new Date(time)
  const days = daysBetween(at, now)
  if (days === 0) return clock.format(at)
  if (days === 1) return texts.times.yesterday
  if (days > 1 && days < 7) return weekday.format(at)
  return (isThisYear(at, now) ? day : dayOfYear).format(at)
}

/** Includes the time of day, for messages. */
export function messageTime(time: string, now = new Date(), yesterday = texts.times.yesterday): string {
  const at = new Date(time)
  const days = daysBetween(at, now)
  if (days === 0) return clock.format(at)
  if (days === 1) return `${yesterday} ${clock.format(at)}`
  if (days > 1 && days < 7) return weekdayTime.format(at)
  return (isThisYear(at, now) ? dayTime : dayOfYearTime).format(at)
}

export function fullTime(time: string): string {
  return full.format(new Date(time))
}

export function timeAgo(time: string, now = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000
  if (seconds > -60) return texts.times.justNow
  if (seconds > -3600) return relative.format(Math.round(seconds / 60), 'minute')
  if (seconds > -86_400) return relative.format(Math.round(seconds / 3600), 'hour')
  // Lower case, because it is part of a sentence.
  return messageTime(time, new Date(now), texts.times.yesterday.toLowerCase())
}

/** When a snoozed thread comes back. */
export function futureTime(time: string, now = new Date()): string {
  const at = new Date(time)
  const days = -daysBetween(at, now)
  if (days === 0) return clock.format(at)
  if (days === 1) return `${texts.times.tomorrow} ${clock.format(at)}`
  if (days < 7) return weekdayTime.format(at)
  return (isThisYear(at, now) ? dayTime : dayOfYearTime).format(at)
}

function isThisYear(at: Date, now: Date): boolean {
  return at.getFullYear() === now.getFullYear()
}

function daysBetween(earlier: Date, later: Date): number {
  const start = (date: Date): number =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
  return Math.round((start(later) - start(earlier)) / 86_400_000)
}

export function byteSize(bytes: number): string {
  if (bytes < 1000) return texts.bytes(bytes)
  return bytes < 1e6 ? formatUnit(bytes / 1000, 'kilobyte') : formatUnit(bytes / 1e6, 'megabyte', 1)
}
