import { SpoolError } from '../errors.ts'
import { usualPorts } from './ports.ts'

/** `imap`: where an inbox's mail is fetched. `smtp`: where its replies are sent. */
export const mailServerKinds = ['imap', 'smtp'] as const
export type MailServerKind = (typeof mailServerKinds)[number]

/** `tls`: from the first byte. `starttls`: upgraded before anything else. `none`: only for a server on this machine. */
export const securities = ['tls', 'starttls', 'none'] as const
export type Security = (typeof securities)[number]

export interface ServerAddress {
  host: string
  port: number
  security: Security
}

export interface MailServerAddress extends ServerAddress {
  kind: MailServerKind
  user: string | null
  /** Options from the query string, such as `?sent=Gesendet`; docs list them. */
  options: Readonly<Record<string, string>>
}

export interface MailServer extends MailServerAddress {
  password: string | null
  /** An access token, where the mailbox is opened by OAuth instead of a password. */
  token?: string
}

/** Whether mail is sent through Microsoft Graph instead of SMTP. */
export function sendsByGraph({ options }: Pick<MailServerAddress, 'options'>): boolean {
  return options['via'] === 'graph'
}

/** Whether it signs in with the OAuth grant of its inbox: it has a user, but no password. */
export function usesGrant({ user, password }: { user: string | null; password: unknown }): boolean {
  return user !== null && password === null
}

/** imaps://user@host:993, imap://… (STARTTLS), smtps://…, smtp://… (STARTTLS); `?tls=none` for this machine only. */
export function readMailServerAddress(kind: MailServerKind, text: string): MailServerAddress {
  const example = `${kind}s://name%40example.com@${kind}.example.com`
  const wrong = (what: string): SpoolError =>
    new SpoolError('bad_parameter', `--${kind} ${what}; write it like ${example}.`)
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || ![`${kind}:`, `${kind}s:`].includes(url.protocol) || url.hostname === '')
    throw wrong(`must be an address that begins with ${kind}s:// or ${kind}://`)
  if (url.password !== '')
    throw wrong(
      'must not hold the password, which everyone on the machine could see: give it by --credentials-stdin',
    )
  if (!['', '/'].includes(url.pathname) || url.hash !== '') throw wrong('must end after the host and port')
  const { tls, ...options } = Object.fromEntries(url.searchParams)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (tls !== undefined && !(tls === 'none' && url.protocol === `${kind}:` && isLoopback(host)))
    throw wrong(`takes only ?tls=none, with ${kind}:// and a server on this machine`)
  const security: Security = url.protocol === `${kind}s:` ? 'tls' : tls === 'none' ? 'none' : 'starttls'
  return {
    kind,
    host,
    port: url.port === '' ? usualPorts[kind][security] : Number(url.port),
    security,
    user: url.username === '' ? null : decodeURIComponent(url.username),
    options,
  }
}

/** For display. An address never contains a password. */
export function writeMailServerAddress(server: MailServerAddress): string {
  const { kind, host, port, security, user, options } = server
  const scheme = security === 'tls' ? `${kind}s` : kind
  const query = new URLSearchParams({
    ...(security === 'none' ? { tls: 'none' } : {}),
    ...options,
  }).toString()
  const name = user === null ? '' : `${encodeURIComponent(user)}@`
  return `${scheme}://${name}${host.includes(':') ? `[${host}]` : host}:${port}${query === '' ? '' : `?${query}`}`
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** From `?folders=`; a comma inside a name is escaped with a backslash. Null: the default choice. */
export function readFolderNames({ options }: Pick<MailServerAddress, 'options'>): string[] | null {
  const names = options['folders']?.split(/(?<!\\),/).map((name) => name.replaceAll('\\,', ',').trim())
  return names?.filter((name) => name !== '') ?? null
}

export function writeFolderNames(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(',', '\\,')).join(',')
}

/** Whether messages are marked as read on the server when somebody opens their thread. */
export function marksSeen({ options }: Pick<MailServerAddress, 'options'>): boolean {
  return options['mark-seen'] === '1'
}

/** Threads of the first sync that are older than this many days start closed; null: none. Undefined: the default. */
export function readOpenDays({ options }: Pick<MailServerAddress, 'options'>): number | null | undefined {
  const text = options['open-days']
  if (text === undefined) return undefined
  if (text === 'all') return null
  if (!/^\d{1,5}$/.test(text))
    throw new SpoolError('bad_parameter', 'open-days must be a number of days, or all.')
  return Number(text)
}

export function writeOpenDays(days: number | null): string {
  return days === null ? 'all' : String(days)
}

const hostForm = /^[\p{L}\p{N}._:-]{1,253}$/u

/** Rejects what a form can contain but a parsed address cannot. */
export function checkMailServer(server: MailServerAddress): void {
  const { kind, host, port, security, user } = server
  const wrong = (what: string): SpoolError =>
    new SpoolError('bad_parameter', `${kind.toUpperCase()}: ${what}`)
  if (!hostForm.test(host))
    throw wrong(`"${host.slice(0, 100)}" is not the name of a server; write it like ${kind}.example.com.`)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw wrong('the port is a number from 1 to 65535.')
  if (security === 'none' && !isLoopback(host))
    throw wrong('only a server on this machine is spoken to without TLS; choose TLS or STARTTLS.')
  if (user === null && !(kind === 'smtp' && security === 'none'))
    throw wrong('it needs a user name, mostly the address.')
}
