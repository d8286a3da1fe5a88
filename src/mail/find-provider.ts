import type { promises } from 'node:dns'
import {
  findProvider,
  findProviderByMx,
  guessProvider,
  ownServers,
  type MailProvider,
} from '../model/mail/providers.ts'
import { checkMailServer, type MailServerAddress, type Security } from '../model/mail/server.ts'

export interface Lookup {
  resolver: Pick<promises.Resolver, 'resolveMx' | 'resolveSrv'>
  /** Goes through the guard, because the domain decides which address is requested. */
  fetch(url: string, options: { signal: AbortSignal }): Promise<Response>
  /** Milliseconds per lookup method; all methods run in parallel. */
  timeLimit: number
}

export interface FoundProvider extends MailProvider {
  /** How it was found; `guess` if nothing is known. */
  by: 'name' | 'mx' | 'srv' | 'autoconfig' | 'guess'
}

/** Where the mail of a domain is hosted: by its name, its MX, its SRV records, its autoconfig file, or a guess. */
export async function lookUpProvider(domain: string, lookup: Lookup): Promise<FoundProvider> {
  const named = findProvider(domain)
  if (named) return { ...named, by: 'name' }
  const ways = [
    ['mx', findByMx(domain, lookup)],
    ['srv', findBySrv(domain, lookup)],
    ['autoconfig', findByAutoconfig(domain, lookup)],
  ] as const
  const tried = ways.map(([by, way]) => [by, inTime(way, lookup.timeLimit)] as const)
  // Earlier methods take precedence, so a later result is used only once the earlier methods have finished.
  for (const [by, way] of tried) {
    const found = await way
    if (found) return { ...found, by }
  }
  return { ...guessProvider(domain), by: 'guess' }
}

async function inTime<Result>(way: Promise<Result>, timeLimit: number): Promise<Result | null> {
  const { promise: silence, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, timeLimit, null)
  try {
    return await Promise.race([way.catch(() => null), silence])
  } finally {
    clearTimeout(timer)
  }
}

async function findByMx(domain: string, { resolver }: Lookup): Promise<MailProvider | null> {
  const records = await resolver.resolveMx(domain)
  // Only the first record counts: others may be a filter or a fallback.
  const [first] = records.toSorted((a, b) => a.priority - b.priority)
  return first ? findProviderByMx([first.exchange]) : null
}

/** RFC 6186 and RFC 8314. */
async function findBySrv(domain: string, { resolver }: Lookup): Promise<MailProvider | null> {
  const find = async (service: string, security: Security): Promise<Place | null> => {
    const records = await resolver.resolveSrv(`${service}._tcp.${domain}`).catch(() => [])
    const [best] = records.toSorted((a, b) => a.priority - b.priority || b.weight - a.weight)
    // A single dot means that there is no such service.
    return best && best.name !== '' && best.name !== '.'
      ? { host: best.name.replace(/\.$/, ''), port: best.port, security }
      : null
  }
  const [imaps, imap, submissions, submission] = await Promise.all([
    find('_imaps', 'tls'),
    find('_imap', 'starttls'),
    find('_submissions', 'tls'),
    find('_submission', 'starttls'),
  ])
  return describe(domain, imaps ?? imap, submissions ?? submission)
}

type Place = Pick<MailServerAddress, 'host' | 'port' | 'security'>

/** Only servers that pass `checkMailServer`; a password must never be offered in the clear. */
function describe(domain: string, imap: Place | null, smtp: Place | null): MailProvider | null {
  if (!imap || !smtp) return null
  try {
    checkMailServer({ kind: 'imap', ...imap, user: domain, options: {} })
    checkMailServer({ kind: 'smtp', ...smtp, user: domain, options: {} })
  } catch {
    return null
  }
  return ownServers(domain, imap, smtp)
}

/** The domain's own file, in the format that Thunderbird reads; no third party is queried. */
async function findByAutoconfig(domain: string, { fetch, timeLimit }: Lookup): Promise<MailProvider | null> {
  const addresses = [
    `https://autoconfig.${domain}/mail/config-v1.1.xml`,
    `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml`,
  ]
  const files = addresses.map(async (address) => {
    const answer = await fetch(address, { signal: AbortSignal.timeout(timeLimit) })
    if (answer.status !== 200) throw new Error('There is no such file.')
    const xml = await answer.text()
    const found = describe(
      domain,
      readServer(xml, 'incomingServer', 'imap'),
      readServer(xml, 'outgoingServer', 'smtp'),
    )
    if (!found) throw new Error('The file names no servers.')
    return found
  })
  return Promise.any(files)
}

const socketTypes: Record<string, Security> = { SSL: 'tls', STARTTLS: 'starttls' }

/** The first server with an encrypted connection. */
function readServer(xml: string, element: string, type: string): Place | null {
  const servers = xml
    .slice(0, 100_000)
    .split(`<${element}`)
    .slice(1)
    .filter((part) => new RegExp(`^[^>]*type=["']${type}["']`).test(part))
  for (const part of servers) {
    const value = (name: string): string => part.split(`<${name}>`)[1]?.split('<')[0]?.trim() ?? ''
    const security = socketTypes[value('socketType')]
    if (security) return { host: value('hostname'), port: Number(value('port')), security }
  }
  return null
}
