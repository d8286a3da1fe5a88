import { texts } from '../page/texts.ts'

const t = texts.snooze

/** Parses a future time in everyday English; null if not understood or in the past. */
export function readFutureTime(said: string, now = new Date()): Date | null {
  const text = said.trim().toLowerCase().replace(/\s+/g, ' ')
  const at = readRelative(text, now) ?? readDay(text, now)
  return at && at.getTime() > now.getTime() ? at : null
}

export interface Suggestion {
  phrase: string
  at: Date
}

/** Suggestions for this hour and weekday. */
export function suggestTimes(now = new Date()): Suggestion[] {
  const early = now.getHours() < 16
  const beginningOfWeek = now.getDay() >= 1 && now.getDay() <= 3
  const said = [
    t.usual.hours,
    ...(early ? [t.usual.evening] : []),
    t.usual.tomorrow,
    ...(beginningOfWeek ? [t.usual.friday] : []),
    t.usual.nextWeek,
    t.usual.month,
  ]
  const offered = new Map<number, Suggestion>()
  for (const phrase of said) {
    const at = readFutureTime(phrase, now)
    // On a Sunday, tomorrow and next week are the same.
    if (at && !offered.has(at.getTime())) offered.set(at.getTime(), { phrase, at })
  }
  return [...offered.values()]
}

type Unit = keyof typeof t.units

/** "in 3 hours", "two weeks", "30m". */
function readRelative(text: string, now: Date): Date | null {
  const [, said, name] = /^(\d+|\p{L}+) ?(\p{L}+)$/u.exec(withoutFirst(text, t.in)) ?? []
  const unit = (Object.keys(t.units) as Unit[]).find((each) => t.units[each].includes(name ?? ''))
  const count = /^\d/.test(said ?? '') ? Number(said) : t.numbers[said ?? '']
  if (!unit || count === undefined) return null
  switch (unit) {
    case 'minutes':
      return new Date(now.getTime() + count * 60_000)
    case 'hours':
      return new Date(now.getTime() + count * 3_600_000)
    case 'days':
      return atHour(now, count, 9)
    case 'weeks':
      return atHour(now, 7 * count, 9)
    case 'months':
      return new Date(now.getFullYear(), now.getMonth() + count, dayInMonth(now, count), 9)
  }
}

/** A month after the 31st is the last day of the next month. */
function dayInMonth(now: Date, months: number): number {
  return Math.min(now.getDate(), new Date(now.getFullYear(), now.getMonth() + months + 1, 0).getDate())
}

/** A day, optionally followed by a time of day. */
function readDay(text: string, now: Date): Date | null {
  const clock = readClock(text)
  const timed = clock && dayOf(clock.before, now)
  // "24" alone is not a time, and "24 dec" has no hour: if day plus time does not parse, try a day alone.
  if (timed) {
    const at = atTime(timed, clock.hour, clock.minute)
    // "9:00" in the past means the next day.
    if (clock.before === '' && at <= now) at.setDate(at.getDate() + 1)
    return at
  }
  const day = text === '' ? null : dayOf(text, now)
  return day && atTime(day, t.evening.includes(text) ? 18 : 9, 0)
}

/** The time at the end, and the text before it. */
function readClock(text: string): { before: string; hour: number; minute: number } | null {
  const found = /(?:^|\s)(\d{1,2})(?:[:.](\d{2}))? ?(\p{L}+)?$/u.exec(text)
  if (!found) return null
  const [, digits, minutes = '0', half] = found
  const afternoon = half === t.halves.afternoon
  if (half !== undefined && !afternoon && half !== t.halves.morning) return null
  if (Number(digits) > (half === undefined ? 23 : 12) || Number(minutes) > 59) return null
  const hour = (Number(digits) % (half === undefined ? 24 : 12)) + (afternoon ? 12 : 0)
  const before = text.slice(0, found.index).trim()
  return { before: before === t.at ? '' : withoutLast(before, t.at), hour, minute: Number(minutes) }
}

/** The start of the day; today if none is given. */
function dayOf(said: string, now: Date): Date | null {
  if (said === '' || t.today.includes(said) || t.evening.includes(said)) return atHour(now, 0, 0)
  if (said === t.usual.tomorrow.toLowerCase()) return atHour(now, 1, 0)
  if (said === t.usual.nextWeek.toLowerCase()) return atHour(now, (8 - now.getDay()) % 7 || 7, 0)
  const name = t.on.reduce((text, word) => withoutFirst(text, word), said)
  const weekday = name.length >= 3 ? t.weekdays.findIndex((day) => day.startsWith(name)) : -1
  if (weekday >= 0) return atHour(now, (weekday - now.getDay() + 7) % 7 || 7, 0)
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(name)
  if (iso) return makeDay(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]))
  return dayOfYear(name, now)
}

/** "24 dec" or "december 24", this year or next. */
function dayOfYear(name: string, now: Date): Date | null {
  const date = /^(\d{1,2})\.? ?(\p{L}{3,})$/u.exec(name) ?? /^(\p{L}{3,}) (\d{1,2})$/u.exec(name)
  if (!date) return null
  const [number, month] = /^\d/.test(date[1]!) ? [date[1]!, date[2]!] : [date[2]!, date[1]!]
  const index = t.months.findIndex((each) => each.startsWith(month))
  if (index < 0) return null
  const year = now.getFullYear()
  const at = makeDay(year, index, Number(number))
  return at && at < atHour(now, 0, 0) ? makeDay(year + 1, index, Number(number)) : at
}

/** Null if the month has no such day. */
function makeDay(year: number, month: number, date: number): Date | null {
  const day = new Date(year, month, date)
  return day.getMonth() === month && day.getDate() === date ? day : null
}

function atHour(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
}

function atTime(day: Date, hour: number, minute: number): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour, minute)
}

function withoutFirst(text: string, word: string): string {
  return text.startsWith(`${word} `) ? text.slice(word.length + 1) : text
}

function withoutLast(text: string, word: string): string {
  return text.endsWith(` ${word}`) ? text.slice(0, -word.length - 1) : text
}
