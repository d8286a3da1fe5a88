/** How long to wait for a connection, in milliseconds: `connect_timeout` in the URL, in seconds as in libpq, or 3 s. */
export function connectTimeout(url: string): number {
  const seconds = Number(new URL(url).searchParams.get('connect_timeout'))
  // Node's timers end at 24 days: a longer one fires at once.
  return seconds > 0 ? Math.min(seconds, 3_600) * 1_000 : 3_000
}
