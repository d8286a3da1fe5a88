import type { Fill } from './thread.ts'

const minute = 60_000
const day = 24 * 60 * minute
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)
const germanMonths =
  'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' ')

/** Midnight (UTC) of the day `count` working days before now; a negative count looks ahead. */
export function workingDay(now: number, count: number): number {
  const step = count < 0 ? -day : day
  let date = now - (now % day)
  for (let left = Math.abs(count); left > 0;) {
    date -= step
    if (!isWeekend(date)) left--
  }
  return date
}

/** Parses the times of the sample mail; see `DemoMessage.at`. */
export function momentOf(at: string, now: number): number {
  const ago = /^-(\d+)([mh])$/.exec(at)
  if (ago) return now - Number(ago[1]) * (ago[2] === 'h' ? 60 : 1) * minute
  const clock = /^(sat|sun)?(\d+) (\d\d):(\d\d)$/.exec(at)
  if (!clock || Number(clock[2]) < 1) throw new Error(`"${at}" is no moment of the sample mail`)
  const [, weekend, count, hours, minutes] = clock
  const date = weekend
    ? weekendDay(now, weekend === 'sat' ? 6 : 0, Number(count))
    : workingDay(now, Number(count))
  return date + (Number(hours) * 60 + Number(minutes)) * minute
}

/**
 * `{d4}` becomes the date four working days ago in words, `{d+4}` the one four working days ahead; `w` its weekday, `t`
 * its ordinal, `i` and `c` its ISO forms, `D` German. So the dates in the mail fit whenever the demo is started.
 */
export function fillDates(now: number): Fill {
  return (text) =>
    text.replace(/\{([dwticD])(\+?)(\d+)\}/g, (_, form: string, ahead: string, count: string) =>
      wordsFor(form, new Date(workingDay(now, ahead ? -Number(count) : Number(count)))),
    )
}

function wordsFor(form: string, date: Date): string {
  const number = date.getUTCDate()
  const iso = date.toISOString().slice(0, 10)
  if (form === 'd') return `${number} ${months[date.getUTCMonth()]}`
  if (form === 'D') return `${number}. ${germanMonths[date.getUTCMonth()]}`
  if (form === 'w') return weekdays[date.getUTCDay()]!
  if (form === 't') return ordinal(number)
  return form === 'i' ? iso : iso.replaceAll('-', '')
}

function ordinal(number: number): string {
  if (number > 10 && number < 14) return `${number}th`
  return `${number}${['th', 'st', 'nd', 'rd'][number % 10] ?? 'th'}`
}

function weekendDay(now: number, weekday: number, count: number): number {
  let date = now - (now % day) - day
  while (new Date(date).getUTCDay() !== weekday) date -= day
  return date - (count - 1) * 7 * day
}

function isWeekend(date: number): boolean {
  return new Date(date).getUTCDay() % 6 === 0
}
