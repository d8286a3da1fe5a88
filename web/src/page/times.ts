import { texts } from './texts.ts'

const language = texts.language
const clock = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' })
const weekday = new Intl.DateTimeFormat(language, { weekday: 'short' })
const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' })
const dayOfYear = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' })
const full = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })

/** As short as possible: the time if today, the weekday if this week, otherwise the date. */
export function shortTime(time: string, now = new Date()): string {
  const at = new Date(time)
  const days = daysBetween(at, now)
  if (days === 0) return clock.format(at)
  if (days === 1) return texts.times.yesterday
  if (days > 1 && days < 7) return weekday.format(at)
  return at.getFullYear() === now.getFullYear() ? day.format(at) : dayOfYear.format(at)
}

/** Includes the time of day, for messages. */
export function messageTime(time: string, now = new Date()): string {
  const at = new Date(time)
  const days = daysBetween(at, now)
  return days === 0 ? clock.format(at) : `${shortTime(time, now)} ${clock.format(at)}`
}

export function fullTime(time: string): string {
  return full.format(new Date(time))
}

export function timeAgo(time: string, now = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000
  if (seconds > -60) return texts.times.justNow
  if (seconds > -3600) return relative.format(Math.round(seconds / 60), 'minute')
  if (seconds > -86_400) return relative.format(Math.round(seconds / 3600), 'hour')
  return messageTime(time)
}

/** When a snoozed thread comes back. */
export function futureTime(time: string, now = new Date()): string {
  const at = new Date(time)
  const days = -daysBetween(at, now)
  if (days === 0) return clock.format(at)
  if (days === 1) return `${texts.times.tomorrow} ${clock.format(at)}`
  return `${days < 7 ? weekday.format(at) : day.format(at)} ${clock.format(at)}`
}

function daysBetween(earlier: Date, later: Date): number {
  const start = (date: Date): number =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
  return Math.round((start(later) - start(earlier)) / 86_400_000)
}

export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
