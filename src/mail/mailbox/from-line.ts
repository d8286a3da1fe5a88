import { readDate } from '../parse/dates.ts'

/** `From who when`: the sender may be missing or contain anything; the time is what identifies such a line. */
const fromLine = /^From (.*?) *((?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +.*\d.*)$/
const time = /\d{1,2}:\d{2}/
const longestLine = 500

/** The date of a From_ line; null if it has none, undefined if the line is not a From_ line. */
export function readFromLine(line: string): number | null | undefined {
  if (!line.startsWith('From ') || line.length > longestLine) return undefined
  const match = fromLine.exec(line.trimEnd())
  if (match !== null && time.test(match[2]!)) return readDate(match[2]!)
  // Some exports write the date as RFC 5322 or ISO 8601 without a weekday, or `From - ` and a date.
  const rest = line.slice(5).trim()
  const when = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}\S*$|\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}.*$/.exec(rest)
  return when === null ? undefined : readDate(when[0])
}
