/** In seconds. Timers of more than 24 days would fire at once. */
const longest = 3_600

/**
 * How long to wait for a connection, in milliseconds: `connect_timeout` in the URL, in seconds as in libpq, or 3 s.
 */
export function connectPatience(url: string): number {
  const seconds = Number(new URL(url).searchParams.get('connect_timeout'))
  return seconds > 0 ? Math.min(seconds, longest) * 1_000 : 3_000
}
