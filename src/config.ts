import { isIP } from 'node:net'
import { resolve } from 'node:path'
import {
  readHost,
  readHostNames,
  readListenAddress,
  readOrigins,
  readPort,
  type ListenAddress,
} from './config/addresses.ts'
import { readNameServers, readPem, readTls } from './config/mail.ts'
import { readOAuthClients } from './config/oauth.ts'
import { readNoticeMail } from './config/notice-mail.ts'
import { describeUnknown } from './config/unknown-variables.ts'
import { SpoolError } from './model/errors.ts'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

type Environment = Readonly<Record<string, string | undefined>>

export type Config = ReturnType<typeof readConfig>

/** Reads the environment once. A bad value throws an error that names the variable. */
export function readConfig(environment: Environment) {
  const read = readerOf(environment)
  const text = (value: string): string => value
  return {
    dataFolder: resolve(read('SPOOL_DATA', './data', text)),
    host: read('SPOOL_HOST', '127.0.0.1', readHost),
    port: read('SPOOL_PORT', 4100, readPort),
    /** The public address, without a trailing slash; null: derived from host and port. */
    url: read<string | null>('SPOOL_URL', null, readWebUrl),
    databaseUrl: read<string | null>('SPOOL_DATABASE_URL', null, readDatabaseUrl),
    redisUrl: read<string | null>('SPOOL_REDIS_URL', null, readUrl(['redis:', 'rediss:'])),
    rateLimit: read('SPOOL_RATE_LIMIT', { requests: 300, seconds: 60 }, readRateLimit),
    personRateLimit: read('SPOOL_RATE_LIMIT_PERSON', { requests: 3_000, seconds: 60 }, readRateLimit),
    anonymousRateLimit: read('SPOOL_RATE_LIMIT_ANONYMOUS', { requests: 300, seconds: 60 }, readRateLimit),
    secret: read<string | null>('SPOOL_SECRET', null, readSecret),
    trustProxy: read<boolean | string[]>('SPOOL_TRUST_PROXY', false, readTrustProxy),
    maxMessageBytes: read('SPOOL_MAX_MESSAGE', 50_000_000, readSize),
    undoSeconds: read('SPOOL_UNDO_SECONDS', 10, readSeconds(3600)),
    /** Seconds to wait after each refusal by a mail server; the last value applies to all further ones. */
    sendRetries: read('SPOOL_SEND_RETRIES', [60, 120, 300, 900, 1800, 3600], readRetries),
    /** Where to listen for mail by SMTP and by LMTP; null: nowhere. */
    smtpListen: read<ListenAddress | null>('SPOOL_SMTP_LISTEN', null, readListenAddress),
    lmtpListen: read<ListenAddress | null>('SPOOL_LMTP_LISTEN', null, readListenAddress),
    /** Certificate and key in PEM, for STARTTLS. */
    tls: readTls(
      read<string | null>('SPOOL_TLS_CERT', null, readPem('CERTIFICATE')),
      read<string | null>('SPOOL_TLS_KEY', null, readPem('PRIVATE KEY')),
    ),
    /** Name of the server whose Authentication-Results are trusted in mail received by LMTP. */
    authservId: read<string | null>('SPOOL_AUTHSERV_ID', null, (text) => text.toLowerCase()),
    /** Name servers for checking senders and finding mail providers; null: those of the machine. */
    nameServers: read<string[] | null>('SPOOL_NAME_SERVERS', null, readNameServers),
    eventDays: read('SPOOL_EVENT_DAYS', 30, readDays),
    /** Seconds from the stop signal until the server stops listening, so that clients and load balancers can notice. */
    drainSeconds: read('SPOOL_DRAIN_SECONDS', 2, readSeconds(60)),
    metricsToken: read<string | null>('SPOOL_METRICS_TOKEN', null, readSecret),
    /** Networks that webhooks may reach although they are not public. */
    webhookAllow: read<string[]>('SPOOL_WEBHOOK_ALLOW', [], readNetworks),
    /** Networks that may be reached although not public, if mail, a provider, an OAuth client or a browser names them. */
    fetchAllow: read<string[]>('SPOOL_FETCH_ALLOW', [], readNetworks),
    oauthClients: readOAuthClients(read),
    /** Mail server and sender of notices by mail; null: they go through an inbox that an admin chooses. */
    noticeMail: readNoticeMail(read),
    /** Origins whose pages may call the API; `*` for all. */
    corsOrigins: read<string[]>('SPOOL_CORS_ORIGINS', [], readOrigins),
    /** Host names, besides that of `url`, by which agents may call this server. */
    mcpHosts: read<string[]>('SPOOL_MCP_HOSTS', [], readHostNames),
    logLevel: read<LogLevel>('SPOOL_LOG_LEVEL', 'info', readLogLevel),
  }
}

/** A sentence for each variable that is named like one of Spool's but is unknown. */
export function findUnknownVariables(environment: Environment): string[] {
  const known = new Set(['SPOOL_TOKEN', 'SPOOL_CONFIG'])
  // Reading an empty environment asks for every known name.
  readConfig(new Proxy({}, { get: (_, name) => void known.add(String(name)) }))
  const set = Object.keys(environment).filter((name) => environment[name])
  return describeUnknown(set, [...known])
}

/** The only settings of `spool mcp`. */
export function readBridgeConfig(environment: Environment): { url: string; token: string } {
  const read = readerOf(environment)
  const token = read<string | null>('SPOOL_TOKEN', null, readToken)
  if (token === null) {
    throw new SpoolError(
      'bad_parameter',
      'SPOOL_TOKEN must be a personal access token: "spool token create" makes one.',
    )
  }
  const url = read('SPOOL_URL', 'http://127.0.0.1:4100', readWebUrl)
  // The address that agents are given ends in /mcp; the bridge adds that path itself.
  return { url: url.replace(/\/mcp$/, ''), token }
}

function readerOf(environment: Environment) {
  return <Value>(name: string, fallback: Value, parse: (text: string) => Value): Value => {
    const text = environment[name]?.trim()
    if (text === undefined || text === '') return fallback
    try {
      return parse(text)
    } catch (error) {
      throw new SpoolError('bad_parameter', `${name} ${(error as Error).message}`, { cause: error })
    }
  }
}

/** The value is not repeated in the message: it is a secret. */
function readToken(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Error('must be a personal access token, which is one word.')
  return text
}

const escapeRule =
  'cannot be read as an address; in a password write # as %23, / as %2F, ? as %3F, @ as %40 and % as %25.'

/** The value is not repeated in the message: it may hold a password. */
function readUrl(protocols: string[], unreadable = escapeRule): (text: string) => string {
  return (text) => {
    const wanted = `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`
    if (!protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}//`))) throw new Error(wanted)
    const url = URL.parse(text)
    if (!url || !isDecodable(url.password)) throw new Error(unreadable)
    return text.replace(/\/+$/, '')
  }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** pg takes the weaker modes of TLS for verify-full, and says so in nine lines whenever it connects. */
export function readDatabaseUrl(text: string): string {
  const url = readUrl(['postgres:', 'postgresql:'])(text)
  if (/[?&]uselibpqcompat=true/.test(url)) return url
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}

const webUrlRule =
  'must be an address without a user name, a password, ? and #, such as https://spool.example.com.'

/** Paths are appended to it, and it is shown to anybody. */
function readWebUrl(text: string): string {
  const { href, username, password } = new URL(readUrl(['http:', 'https:'], webUrlRule)(text))
  if (username !== '' || password !== '' || /[?#]/.test(href)) throw new Error(webUrlRule)
  // Written as ASCII where it goes into headers: a domain with other letters becomes punycode.
  return href.replace(/\/+$/, '')
}

function readRateLimit(text: string): { requests: number; seconds: number } {
  const match = /^(\d{1,9})\/(\d{1,6})$/.exec(text)
  const [requests, seconds] = [Number(match?.[1]), Number(match?.[2])]
  if (!match || requests < 1 || seconds < 1)
    throw new Error(`must be REQUESTS/SECONDS, such as 300/60; it is "${text}".`)
  return { requests, seconds }
}

export function readSecret(text: string): string {
  if (text.length < 16) throw new Error('must have at least 16 characters; "openssl rand -hex 32" makes one.')
  return text
}

function readTrustProxy(text: string): boolean | string[] {
  if (['1', 'true'].includes(text)) return true
  if (['0', 'false'].includes(text)) return false
  const addresses = splitNetworks(text)
  if (!addresses) throw new Error(`must be 1, 0 or a comma list of addresses and networks; it is "${text}".`)
  return addresses
}

function readNetworks(text: string): string[] {
  const networks = splitNetworks(text)
  if (!networks)
    throw new Error(`must be a comma list of addresses and networks, such as 10.1.0.0/16; it is "${text}".`)
  return networks
}

function splitNetworks(text: string): string[] | null {
  const addresses = text.split(',').map((part) => part.trim())
  const good = addresses.every((address) => {
    const [ip, bits = '0', ...rest] = address.split('/')
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(ip!)]!
    return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most
  })
  return good ? addresses : null
}

function readSize(text: string): number {
  const match = /^(\d{1,12})\s*(kB|KB|MB|GB|kb|mb|gb)?$/.exec(text)
  const factor = { kb: 1e3, mb: 1e6, gb: 1e9 }[match?.[2]?.toLowerCase() ?? ''] ?? 1
  const size = Number(match?.[1]) * factor
  if (!match || size < 1000 || size > 1e9)
    throw new Error(`must be a size from 1 kB to 1 GB, such as 50MB; it is "${text}".`)
  return size
}

function readSeconds(most: number): (text: string) => number {
  return (text) => {
    const seconds = Number(text)
    if (!/^\d{1,4}$/.test(text) || seconds > most)
      throw new Error(`must be a number of seconds from 0 to ${most}; it is "${text}".`)
    return seconds
  }
}

function readRetries(text: string): number[] {
  const seconds = text.split(',').map((part) => part.trim())
  if (!seconds.every((part) => /^\d{1,5}$/.test(part) && Number(part) > 0))
    throw new Error(`must be a comma list of seconds, such as 60,300,3600; it is "${text}".`)
  return seconds.map(Number)
}

function readDays(text: string): number {
  const days = Number(text)
  if (!/^\d{1,4}$/.test(text) || days < 1)
    throw new Error(`must be a number of days from 1; it is "${text}".`)
  return days
}

function readLogLevel(text: string): LogLevel {
  const level = logLevels.find((known) => known === text)
  if (!level) throw new Error(`must be one of ${logLevels.join(', ')}; it is "${text}".`)
  return level
}
