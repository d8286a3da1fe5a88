/** Times are epoch milliseconds inside and RFC 3339 UTC with milliseconds outside. */
export function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

export function toTimeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : toTime(milliseconds)
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

/** Null unless the text is a complete RFC 3339 time. */
export function readTime(text: string): number | null {
  const match = rfc3339.exec(text)
  if (!match) return null
  const [, year, month, day, hour, minute, second] = match.map(Number)
  const last = new Date(Date.UTC(year!, month!, 0)).getUTCDate()
  if (month! < 1 || month! > 12 || day! < 1 || day! > last || hour! > 23 || minute! > 59 || second! > 59)
    return null
  const time = Date.parse(text.toUpperCase())
  return Number.isNaN(time) ? null : time
}
