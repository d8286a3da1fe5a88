/** How long a connection may take, in milliseconds: `connect_timeout` in the URL, in seconds as in libpq, or 3 s. */
export function connectPatience(url: string): number {
  const seconds = Number(new URL(url).searchParams.get('connect_timeout'))
  return seconds > 0 ? seconds * 1000 : 3_000
}
