/** Times to come as people say them; null when it is not understood or has passed. */
export function readFutureTime(said: string, now = new Date()): Date | null {
  const text = said.trim().toLowerCase().replace(/\s+/g, ' ')
  const at = readRelative(text, now) ?? readDay(text, now)
  return at && at.getTime() > now.getTime() ? at : null
}

export interface Suggestion {
  words: string
  at: Date
}

export function suggestTimes(now = new Date()): Suggestion[] {
  const evening = atHour(now, 0, 18)
  const said = [
    'in 3 hours',
    ...(now.getHours() < 16 ? ['this evening'] : []),
    'tomorrow',
    ...(now.getDay() >= 1 && now.getDay() <= 3 ? ['friday'] : []),
    'next week',
    'in a month',
  ]
  return said.flatMap((words) => {
    const at = words === 'this evening' ? evening : readFutureTime(words, now)
    return at ? [{ words, at }] : []
  })
}

const numbers: Record<string, number> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6 }

function readRelative(text: string, now: Date): Date | null {
  const found =
    /^(?:in )?(\d+|an?|one|two|three|four|five|six) ?(min(?:ute)?s?|m|h(?:our)?s?|d(?:ay)?s?|w(?:eek)?s?|months?)$/.exec(
      text,
    )
  if (!found) return null
  const count = numbers[found[1]!] ?? Number(found[1])
  const unit = found[2]!
  if (unit.startsWith('mo')) {
    const date = atHour(now, 0, 9)
    date.setMonth(date.getMonth() + count)
    return date
  }
  if (unit.startsWith('m')) return new Date(now.getTime() + count * 60_000)
  if (unit.startsWith('h')) return new Date(now.getTime() + count * 3_600_000)
  return atHour(now, unit.startsWith('w') ? 7 * count : count, 9)
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A day and, after it, a time of day. */
function readDay(text: string, now: Date): Date | null {
  const time = /(?:^|\s)(?:at )?(\d{1,2})(?:[:.](\d{2}))? ?(am|pm)?$/.exec(text)
  for (const [words, hour, minute] of [
    ...(time ? [[text.slice(0, time.index).trim(), hourOf(time), Number(time[2] ?? 0)] as const] : []),
    [text, 9, 0] as const,
  ]) {
    const day = hour === null ? null : dayOf(words, now, time !== null && words !== text)
    if (!day) continue
    const evening = (words === 'tonight' || words === 'this evening') && words === text
    const at = new Date(day.getFullYear(), day.getMonth(), day.getDate(), evening ? 18 : hour!, minute)
    // "9:00" when it is later than that means the next day.
    if (words === '' && at <= now) at.setDate(at.getDate() + 1)
    return at
  }
  return null
}

function hourOf([, hour, minute = '0', half]: RegExpExecArray): number | null {
  const number = (Number(hour) % (half ? 12 : 24)) + (half === 'pm' ? 12 : 0)
  return Number(hour) > (half ? 12 : 23) || Number(minute) > 59 ? null : number
}

function dayOf(words: string, now: Date, timed: boolean): Date | null {
  if (words === '') return timed ? atHour(now, 0, 0) : null
  if (['today', 'tonight', 'this evening'].includes(words)) return atHour(now, 0, 0)
  if (words === 'tomorrow') return atHour(now, 1, 0)
  if (words === 'next week') return atHour(now, ((8 - now.getDay()) % 7 || 7) as number, 0)
  const name = words.replace(/^(on|next) /, '')
  const weekday = name.length >= 3 ? weekdays.findIndex((day) => day.startsWith(name)) : -1
  if (weekday >= 0) return atHour(now, (weekday - now.getDay() + 7) % 7 || 7, 0)
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(name)
  if (iso) return new Date(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]))
  const date = /^(\d{1,2})\.? ?([a-z]{3,9})$/.exec(name) ?? /^([a-z]{3,9}) (\d{1,2})$/.exec(name)
  if (!date) return null
  const [number, month] = /^\d/.test(date[1]!) ? [date[1]!, date[2]!] : [date[2]!, date[1]!]
  const index = months.indexOf(month.slice(0, 3))
  if (index < 0) return null
  const at = new Date(now.getFullYear(), index, Number(number))
  if (at < atHour(now, 0, 0)) at.setFullYear(at.getFullYear() + 1)
  return at
}

function atHour(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
}
