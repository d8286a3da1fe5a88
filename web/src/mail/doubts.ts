import type { MessageEntry } from '../../../src/model/history.ts'
import type { Colleague } from '../../../src/model/work.ts'

/** A reason to doubt who sent a mail, and what it is about: the checks, a person, a domain or an address. */
export interface Doubt {
  kind: 'failed' | 'unchecked' | 'colleague' | 'domain' | 'replyTo'
  about: string
}

export type Sent = Pick<MessageEntry, 'direction' | 'from' | 'replyTo' | 'authentication' | 'warnings'>
type Person = Pick<Colleague, 'name' | 'email'>

/** Most mail has none: the lack of proof for a sender is no reason for doubt, unless the mail prevents the check. */
export function findDoubts(message: Sent, team: readonly Person[]): Doubt[] {
  if (message.direction !== 'inbound') return []
  const failed = failedChecks(message.authentication)
  const person = imitated(message.from, team)
  const domain = claimedDomain(message.from)
  const elsewhere = message.replyTo.find(
    ({ address }) => !areRelated(domainOf(address), domainOf(message.from.address)),
  )
  return [
    ...(failed.length > 0 ? [{ kind: 'failed' as const, about: failed.join(', ') }] : []),
    ...(message.warnings.includes('unchecked_sender') ? [{ kind: 'unchecked' as const, about: '' }] : []),
    ...(person ? [{ kind: 'colleague' as const, about: person.name }] : []),
    ...(domain !== null ? [{ kind: 'domain' as const, about: domain }] : []),
    ...(elsewhere ? [{ kind: 'replyTo' as const, about: elsewhere.address }] : []),
  ]
}

/** DMARC covers the sender that is shown. If it passed, another check failed only because of forwarding. */
function failedChecks(authentication: Sent['authentication']): string[] {
  if (!authentication || authentication.dmarc === 'pass') return []
  const { spf, dkim, dmarc } = authentication
  return Object.entries({ SPF: spf, DKIM: dkim, DMARC: dmarc }).flatMap(([name, verdict]) =>
    verdict === 'fail' ? [name] : [],
  )
}

function imitated({ name, address }: Sent['from'], team: readonly Person[]): Person | undefined {
  if (!name || team.some(({ email }) => email.toLowerCase() === address.toLowerCase())) return undefined
  const shown = wordsOf(name)
  return team.find((person) => wordsOf(person.name) === shown)
}

/** Ignores order and accents: `LINDQVIST, Ada` is the name of Ada Lindqvist. */
function wordsOf(name: string): string {
  const bare = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return (bare.match(/[\p{L}\p{N}]+/gu) ?? []).toSorted().join(' ')
}

const domainForm =
  /(?<![\p{L}\p{N}.-])(?:[^\s@<>()"]+@)?((?:[\p{L}\p{N}-]{2,63}\.)+(\p{L}{2,20}))(?![\p{L}\p{N}-])/gu
const endings = /^(?:com|net|org|info|biz|edu|gov|app|dev|shop|store|online|site|cloud|bank|uk|example|test)$/
const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** A domain that the name shows but the address does not belong to. */
function claimedDomain({ name, address }: Sent['from']): string | null {
  for (const [whole, domain = '', ending = ''] of (name ?? '').toLowerCase().matchAll(domainForm)) {
    const isCountry = /^[a-z]{2}$/.test(ending) && countries.of(ending.toUpperCase()) !== undefined
    if (!whole.includes('@') && !endings.test(ending) && !isCountry) continue
    if (!areRelated(domain, domainOf(address))) return domain
  }
  return null
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** Whether the domains are equal, or one is a subdomain of the other. */
function areRelated(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
}
