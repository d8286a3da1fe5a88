import { isIP } from 'node:net'

export interface ListenAddress {
  host: string
  port: number
}

export function readHost(text: string): string {
  if (isIP(text) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) {
    throw new Error(`must be a host name or an address; it is "${text}".`)
  }
  return text
}

/** Host names as in a Host header, without the port. Docker service names may contain underscores. */
export function readHostNames(text: string): string[] {
  const names = text.split(',').map((part) => part.trim().toLowerCase())
  for (const name of names)
    if (isIP(name) === 0 && !/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/.test(name))
      throw new Error(`must be a comma list of host names without ports, such as spool; it is "${text}".`)
  return names
}

/** Origins in the form that browsers send: scheme, host and port, nothing after that. */
export function readOrigins(text: string): string[] {
  if (text.trim() === '*') return ['*']
  const origins = text.split(',').map((part) => part.trim().replace(/\/$/, '').toLowerCase())
  for (const origin of origins)
    if (!/^https?:/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new Error(
        `must be * or a comma list of origins such as https://app.example.com; it is "${text}".`,
      )
  return origins
}

export function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Error(`must be a port from 0 to 65535; it is "${text}".`)
  return port
}

export function readListenAddress(text: string): ListenAddress {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(text)
  if (!match) throw new Error(`must be HOST:PORT, such as 127.0.0.1:2525 or [::1]:2525; it is "${text}".`)
  return { host: readHost(match[1] ?? match[2]!), port: readPort(match[3]!) }
}
