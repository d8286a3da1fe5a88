import type { View } from '../../model/access.ts'
import type { Address } from '../../model/mail/mail.ts'
import { addressesOf } from '../../model/mail/own-address.ts'
import { readSearch, type SearchQuery, type Wanted } from '../../model/search/query.ts'
import { orderedTerms } from '../../model/search/terms.ts'
import type { Status } from '../../model/thread.ts'
import type { ThreadRow } from '../../model/work.ts'
import { countFound } from '../../store/threads/found.ts'
import type { ThreadListing } from '../../store/threads/listing.ts'
import { listThreadPage } from '../../store/threads/pages.ts'
import { inSearchTurn } from '../../store/threads/search-turns.ts'
import type { MessageSearch, MessageTest, ReadMessage } from '../../store/threads/search.ts'
import { decodeItems } from '../../store/threads/summary.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import { checkZone } from '../calendar-days.ts'
import { listColleagues } from '../people/colleagues.ts'
import type { Spool } from '../spool.ts'
import { everyMessage } from '../threads/list.ts'
import { periodOf, timeAgo } from './times.ts'
import { addDrafts } from '../threads/work-list.ts'

/** The search field of the web inbox; programs search by plain words (see list.ts). */
export interface SearchRequest {
  text: string
  /** The last word may be incomplete. */
  typing: boolean
  /** The time zone of its days. */
  zone: string
}

export async function searchThreads(
  spool: Spool,
  view: View,
  request: SearchRequest,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<{ data: ThreadRow[]; nextCursor: string | null }> {
  const filterText = JSON.stringify(['search', view.user.id, request])
  const after = cursor === null ? null : readCursor(spool, filterText, cursor)
  const listing = await planSearch(spool, view, request)
  if (!listing) return { data: [], nextCursor: null }
  const { items, next } = await listThreadPage(spool.db, listing, { after, limit })
  return {
    data: await addDrafts(spool, decodeItems(items)),
    nextCursor: next && writeCursor(spool, filterText, next),
  }
}

/** Without `isAll` there are at least this many. */
export async function countMatches(
  spool: Spool,
  view: View,
  request: SearchRequest,
): Promise<{ count: number; isAll: boolean }> {
  const listing = await planSearch(spool, view, request)
  if (!listing) return { count: 0, isAll: true }
  return inSearchTurn(spool.db, (db) => countFound(db, listing))
}

/** Null: nothing can match. */
async function planSearch(spool: Spool, view: View, request: SearchRequest): Promise<ThreadListing | null> {
  const query = readSearch(request.text, request)
  const { words, from, to, cc, subject, filename, has, is, assignee, ...times } = query
  const { in: places, before, after, on, older_than, newer_than, ...unwired } = times
  // Does not compile if a declared operator is not handled above.
  const nothing: Record<string, never> = unwired
  const zone = checkZone(request.zone)
  const starts = after.map(({ value }) => periodOf(value, zone, spool.now()).start)
  const ends = before.map(({ value }) => periodOf(value, zone, spool.now()).start)
  for (const { value } of on) {
    const { start, end } = periodOf(value, zone, spool.now())
    starts.push(start)
    ends.push(end)
  }
  starts.push(...newer_than.map(({ value }) => timeAgo(value, spool.now())))
  ends.push(...older_than.map(({ value }) => timeAgo(value, spool.now())))

  const isWanted = new Set(is.map(({ value }) => value.toLowerCase()))
  const unread = isWanted.delete('unread')
  const inboxes = inboxesCalled(view, places)
  const person = await personCalled(spool, view, assignee)
  if (inboxes.length === 0) return null
  const search = {
    ...searchWords({ words, from, to, cc, subject, filename }),
    since: starts.length === 0 ? null : Math.max(...starts),
    until: ends.length === 0 ? null : Math.min(...ends),
    withFiles: has.length > 0 || filename.some(({ not }) => !not),
  }
  return {
    ...nothing,
    inboxes,
    url: spool.url,
    userId: view.user.id,
    unread,
    statuses: isWanted.size === 0 ? null : ([...isWanted] as Status[]),
    assignee: person,
    from: null,
    search,
    updatedSince: null,
  }
}

type FieldName = 'from' | 'to' | 'cc' | 'subject' | 'filename'

/** Words in a field are words of the message, so the index finds the candidates; the message confirms the field. */
function searchWords({ words, ...fields }: Pick<SearchQuery, FieldName | 'words'>): MessageSearch {
  const terms = new Set<string>()
  const without: string[][] = []
  const tests: ((message: ReadMessage) => boolean)[] = []
  let beginning: string | null = null
  const index = ({ value, begun }: Wanted): void => {
    const all = orderedTerms(value)
    if (begun) beginning = all.pop()!
    for (const term of all) terms.add(term)
  }
  for (const wanted of words) {
    const all = orderedTerms(wanted.value)
    const isPhrase = wanted.exact && all.length > 1
    if (!wanted.not) index(wanted)
    else if (!isPhrase) without.push(all)
    if (isPhrase) tests.push((message) => wanted.not !== textsOf(message).some((text) => holds(text, wanted)))
  }
  for (const [field, values] of Object.entries(fields) as [FieldName, Wanted[]][])
    for (const wanted of values) {
      // File names are not in the index.
      if (!wanted.not && field !== 'filename') index(wanted)
      tests.push((message) => wanted.not !== fieldTexts[field](message).some((text) => holds(text, wanted)))
    }
  const reads = { text: words.some(({ exact }) => exact), files: fields.filename.length > 0 }
  const test: MessageTest | null =
    tests.length === 0 ? null : { reads, passes: (message) => tests.every((passes) => passes(message)) }
  return { ...everyMessage, terms: [...terms], beginning, without, test }
}

const peopleTexts = (people: readonly (Address | null)[]): string[] =>
  people.flatMap((each) => (each ? [each.name ?? '', each.address] : []))

const recipientsOf = ({ recipients }: ReadMessage) => JSON.parse(recipients) as Record<'to' | 'cc', Address[]>

const fieldTexts: Record<FieldName, (message: ReadMessage) => string[]> = {
  from: ({ sender }) => peopleTexts([JSON.parse(sender) as Address | null]),
  to: (message) => peopleTexts(recipientsOf(message).to),
  cc: (message) => peopleTexts(recipientsOf(message).cc),
  subject: ({ subject }) => [subject],
  filename: ({ files }) => files,
}

function textsOf(message: ReadMessage): string[] {
  const people = [...fieldTexts.from(message), ...fieldTexts.to(message), ...fieldTexts.cc(message)]
  return [message.subject, ...people, message.text]
}

/** Whether the words are in the text, next to each other. */
function holds(text: string, { value, begun }: Wanted): boolean {
  const wanted = orderedTerms(value)
  const terms = orderedTerms(text)
  const last = wanted.length - 1
  return terms.some((_, at) =>
    wanted.every((term, index) =>
      begun && index === last ? (terms[at + index]?.startsWith(term) ?? false) : terms[at + index] === term,
    ),
  )
}

/** By id, or by the beginning or whole of an address or name. */
function inboxesCalled({ inboxes }: View, places: readonly Wanted[]): View['inboxes'] {
  if (places.length === 0) return inboxes
  return inboxes.filter((inbox) =>
    places.some(({ value }) => inbox.id === value || isCalled(value, [inbox.name, ...addressesOf(inbox)])),
  )
}

async function personCalled(
  spool: Spool,
  view: View,
  people: readonly Wanted[],
): Promise<string | null | undefined> {
  const person = people.at(-1)?.value.toLowerCase()
  if (person === undefined) return undefined
  if (person === 'none') return null
  if (person === 'me') return view.user.id
  const colleagues = await listColleagues(spool, view)
  return (
    colleagues.find(({ id, name, email }) => id === person || isCalled(person, [email, name]))?.id ??
    'nobody known'
  )
}

function isCalled(value: string, names: readonly string[]): boolean {
  const wanted = orderedTerms(value).join(' ')
  return wanted !== '' && names.some((name) => orderedTerms(name).join(' ').startsWith(wanted))
}
