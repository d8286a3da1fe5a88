import type { View } from '../../model/access.ts'
import type { Address, ParsedMail } from '../../model/mail/mail.ts'
import { addressesOf } from '../../model/mail/own-address.ts'
import { splitTerms } from '../../model/search/terms.ts'
import type { Tx } from '../../store/db.ts'
import { findCorrespondents, rememberCorrespondent } from '../../store/threads/correspondents.ts'
import type { Spool } from '../spool.ts'

const mostOfAMail = 20
const mostNames = 5
const longest = 254

/**
 * Remembers who wrote to an inbox and whom it wrote to, but nobody else named in inbound mail: strangers must not be
 * able to plant completions.
 */
export async function rememberPeople(
  db: Tx,
  inbox: number,
  direction: 'inbound' | 'outbound',
  { from, to, cc }: Pick<ParsedMail, 'from' | 'to' | 'cc'>,
): Promise<void> {
  const people = direction === 'inbound' ? (from ? [from] : []) : [...to, ...cc].slice(0, mostOfAMail)
  for (const { address, name } of people) {
    if (address === '' || address.length > longest) continue
    const person = { address: address.toLowerCase(), name: name?.slice(0, longest) || null }
    await rememberCorrespondent(db, inbox, person, keysFor(person))
  }
}

/** The address, the whole name, and the name starting at each further part. */
function keysFor({ address, name }: Address): string[] {
  const parts = splitTerms(name ?? '').slice(0, mostNames)
  return [...new Set([address, ...parts.map((_, at) => parts.slice(at).join(' '))])]
}

const mostOffered = 10

/** Completes a typed prefix of an address or name. */
export async function completeAddress(spool: Spool, view: View, typed: string): Promise<Address[]> {
  const inboxes = view.inboxes.map(({ number }) => number)
  const offered = new Map<string, Address>()
  for (const beginning of beginningsOf(typed))
    for (const person of await findCorrespondents(spool.db, inboxes, beginning, 2 * mostOffered)) {
      const known = offered.get(person.address)
      if (!known || known.name === null) offered.set(person.address, person)
    }
  const own = new Set(view.inboxes.flatMap(addressesOf))
  return [...offered.values()].filter(({ address }) => !own.has(address)).slice(0, mostOffered)
}

/** The prefix as it would be in an address and in a name. */
function beginningsOf(typed: string): string[] {
  const plain = typed.trim().toLowerCase().slice(0, longest)
  const terms = splitTerms(typed).join(' ').slice(0, longest)
  return [...new Set([plain, terms])].filter((beginning) => beginning !== '')
}
