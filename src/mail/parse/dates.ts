const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Offsets in hours of the zone names found in mail; military letters are unreliable and count as UTC. */
const zones = new Map(
  Object.entries({
    hst: -10,
    akst: -9,
    'pst akdt': -8,
    'mst pdt': -7,
    'cst mdt': -6,
    'est cdt': -5,
    edt: -4,
    'ut utc gmt z wet': 0,
    'bst west cet met mez': 1,
    'cest mest mesz eet': 2,
    'eest msk': 3,
    msd: 4,
    ist: 5.5,
    'hkt sgt': 8,
    'jst kst': 9,
    aest: 10,
    aedt: 11,
    nzst: 12,
    nzdt: 13,
  }).flatMap(([names, hours]) => names.split(' ').map((name): [string, number] => [name, hours])),
)

const dayFirst = /(\d{1,2})[\s-]+(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[\s,-]+(\d{2,4})/i
const monthFirst = /(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:,\s*(\d{4}))?/i
const clock = /(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:\.\d+)?\s*([ap]m\b)?/i
const yearFirst = /^(\d{4})-(\d{2})-(\d{2})(?!\d)[t,\s]*/i
const offset = /([+-])\s*(\d{1,2}):?(\d{2})\b/

/**
 * Parses RFC 5322 dates and their usual broken forms: two-digit years, named or missing zones, comments, asctime order,
 * ISO 8601. Null if nothing plausible can be read.
 */
export function readDate(field: string): number | null {
  const text = field
    .slice(0, 200)
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s*:\s*/g, ':')
    .trim()
  const day = yearFirst.exec(text)
  return plausible(day === null ? readWords(text) : readIso(day, text.slice(day[0].length)))
}

function readIso([, year, month, day]: RegExpExecArray, text: string): number {
  const time = /^\d/.test(text) ? clock.exec(text) : null
  // ISO 8601 may leave out the minutes of the offset.
  const rest = text.slice(time?.[0].length ?? 0).replace(/^\s*[+-]\d\d(?![:\d])/, '$&00')
  return assemble(year!, months[Number(month) - 1] ?? '', day!, time, rest)
}

function readWords(text: string): number {
  const day = dayFirst.exec(text)
  const swapped = day === null ? monthFirst.exec(text) : null
  const time = clock.exec(text)
  if (day !== null) {
    const rest = text.slice(day.index + day[0].length)
    return assemble(day[3]!, day[2]!, day[1]!, clock.exec(rest) ?? time, rest)
  }
  if (swapped === null || time === null) return Number.NaN
  const rest = text.slice(time.index + time[0].length)
  const year = swapped[3] ?? /\b(\d{4})\b(?!\d)/.exec(rest.replace(offset, ' '))?.[1] ?? ''
  return assemble(year, swapped[1]!, swapped[2]!, time, rest)
}

function assemble(
  year: string,
  month: string,
  day: string,
  time: RegExpExecArray | null,
  rest: string,
): number {
  const monthIndex = months.indexOf(month.toLowerCase())
  if (monthIndex === -1 || year === '') return Number.NaN
  let hours = Number(time?.[1] ?? 0)
  const half = time?.[4]?.toLowerCase()
  if (half === 'pm' && hours < 12) hours += 12
  if (half === 'am' && hours === 12) hours = 0
  const [minutes, seconds, date] = [Number(time?.[2] ?? 0), Number(time?.[3] ?? 0), Number(day)]
  if (hours > 24 || minutes > 59 || seconds > 60 || date < 1 || date > 31) return Number.NaN
  return Date.UTC(fullYear(year), monthIndex, date, hours, minutes, seconds) - zoneOffset(rest)
}

/** RFC 5322, 4.3: 00 to 49 are after 2000; other two-digit and all three-digit years count from 1900. */
function fullYear(written: string): number {
  const year = Number(written)
  if (written.length === 2) return year < 50 ? 2000 + year : 1900 + year
  return written.length === 3 ? 1900 + year : year
}

function zoneOffset(rest: string): number {
  const numeric = offset.exec(rest)
  if (numeric !== null) {
    const hours = Number(numeric[2])
    const minutes = Number(numeric[3])
    if (hours > 24 || minutes > 59) return 0
    return (numeric[1] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000
  }
  for (const [word] of rest.toLowerCase().matchAll(/[a-z]+/g)) {
    const hours = zones.get(word)
    if (hours !== undefined) return hours * 3_600_000
  }
  return 0
}

/** A time before 1970, or beyond what a date column can hold, comes from a broken clock. */
function plausible(time: number): number | null {
  return Number.isNaN(time) || time < 0 || time >= Date.UTC(10_000, 0) ? null : time
}

/** The date of a Received field follows its last semicolon. */
export function readReceivedDate(field: string): number | null {
  const at = field.lastIndexOf(';')
  return at === -1 ? null : readDate(field.slice(at + 1))
}
