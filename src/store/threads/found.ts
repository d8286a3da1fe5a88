import type { Db } from '../db.ts'
import type { Position } from '../position.ts'
import { namedQuery, textQuery, type Values } from '../statement.ts'
import { listValue, shapeOf, valuesOf, writtenQuery, type ThreadListing } from './listing.ts'
import { among, messageConditions, writeCount, writeThreads } from './page-sql.ts'
import {
  joinMatching,
  matchesAmong,
  matchExpression,
  planIndexSearch,
  type IndexSearch,
  type MessageTest,
  type ReadMessage,
} from './search.ts'

/**
 * Finds threads by their messages, in list order. A common word is found among the newest threads: these are walked,
 * and the index is queried only for their messages. If too few of them match, the index returns all matches, and their
 * threads are sorted. So neither a common nor a rare word costs a scan of the mailbox, and the order of arrival does
 * not matter.
 */
export interface FoundThread extends Position {
  number: number
}

export interface Found {
  threads: FoundThread[]
  /** Where to continue: after the last thread, or where the search stopped to answer in time. */
  next: Position | null
}

/** How many threads are walked at a time; few sizes, because each needs its own statement. */
const walkSteps = [128, 256, 512, 1_024, 2_048]
/** Early estimates are rough: no step is longer than this many times the one before. */
const fastestGrowth = 8
/** Fetching a match from anywhere in the store takes as long as walking this many adjacent threads. */
const walkedPerMatch = 2
/** A page ends after this many threads if no index helps, and after this many messages were read for a test. */
const mostWalked = 5_000
const mostRead = 1_000
/** Threads per step when messages are read: as many as take a few milliseconds. */
const readStep = 256

export async function findThreads(
  db: Db,
  listing: ThreadListing,
  { after, limit }: { after: Position | null; limit: number },
): Promise<Found> {
  const search = listing.search!
  const index = await planIndexSearch(db, search)
  if (!index) return { threads: [], next: null }
  const hasWords = index.terms.length + index.alternatives.length > 0
  const size = await readSize(db)
  const match = hasWords ? writeMatch(db, listing, index, size) : null
  const found: FoundThread[] = []
  let from = after
  let walked = 0
  let matched = 0
  let step = walkSteps[0]!
  let collects = false
  for (;;) {
    const most = collects && !search.test ? limit + 1 - found.length : step
    const threads = await nextThreads(db, listing, { after: from, most, match: collects ? match : null })
    if (collects && !search.test) found.push(...threads)
    else {
      const tested = await testThreads(db, listing, index, threads)
      matched += tested.matched
      found.push(...threads.filter(({ number }) => tested.matching.has(number)))
    }
    if (found.length > limit) return { threads: found.slice(0, limit), next: found[limit - 1]! }
    if (threads.length < most) return { threads: found, next: null }
    from = threads.at(-1)!
    walked += threads.length
    if ((search.test && matched >= mostRead) || (!hasWords && walked >= mostWalked))
      return { threads: found, next: from }
    const left = walkLeft({
      wanted: limit + 1 - found.length,
      found: found.length,
      matched,
      walked,
      messages: hasWords ? size.messages : Infinity,
    })
    collects ||= left === null
    if (search.test) step = readStep
    else
      step =
        walkSteps.find((each) => each >= (left ?? 0) || each >= step * fastestGrowth) ?? walkSteps.at(-1)!
  }
}

/** Estimates from the walk so far how many more threads must be walked; null: collecting all matches is faster. */
export function walkLeft(walk: {
  wanted: number
  found: number
  /** Messages whose words match: more than were found, if they are also tested. */
  matched: number
  walked: number
  messages: number
}): number | null {
  // No match yet counts as half a match: the next thread may have one.
  const left = (walk.wanted * walk.walked) / Math.max(walk.found, 0.5)
  const matches = (walk.messages * Math.max(walk.matched, 0.5)) / walk.walked
  return left > matches * walkedPerMatch ? null : left
}

/** Counting stops here. Without words, or with a test, it also stops where a page of `findThreads` does. */
export const mostFound = 10_000

/** `isAll`: the count is exact; otherwise there are at least as many. */
export async function countFound(db: Db, listing: ThreadListing): Promise<{ count: number; isAll: boolean }> {
  const { test } = listing.search!
  const index = await planIndexSearch(db, listing.search!)
  if (!index) return { count: 0, isAll: true }
  if (test || index.terms.length + index.alternatives.length === 0) {
    const { threads, next } = await findThreads(db, listing, { after: null, limit: mostFound })
    return { count: threads.length, isAll: next === null }
  }
  const shape = shapeOf(db, listing, { after: null, limit: 0 })
  const query = writtenQuery<{ count: number }>('count', shape, writeCount)
  const match = writeMatch(db, listing, index, await readSize(db))
  const { count } = (await db.first(query({ ...valuesOf(listing), match, most: mostFound + 1 })))!
  return { count: Math.min(count, mostFound), isAll: count <= mostFound }
}

interface StoreSize {
  inboxes: number
  messages: number
}

async function readSize(db: Db): Promise<StoreSize> {
  const query = `SELECT (SELECT count(*) FROM inboxes) AS inboxes,
    (SELECT COALESCE(max(number), 0) FROM messages) AS messages`
  return (await db.first(textQuery<StoreSize>(query)))!
}

/** A caller who sees few of the inboxes does not wait for the mail in the others: the match is limited to theirs. */
function writeMatch(db: Db, { inboxes }: ThreadListing, index: IndexSearch, size: StoreSize): string {
  const isFew = inboxes.length * 2 <= size.inboxes
  return matchExpression(db.dialect, index, isFew ? inboxes.map(({ number }) => number) : [])
}

/** The next threads of the list; with `match` only those with a matching message. */
async function nextThreads(
  db: Db,
  listing: ThreadListing,
  { after, most, match }: { after: Position | null; most: number; match: string | null },
): Promise<FoundThread[]> {
  const sparse = match === null ? null : 'words'
  const shape = shapeOf(db, listing, { after, limit: most, sparse })
  const query = writtenQuery<FoundThread>('threads', shape, writeThreads)
  return db.all(query({ ...valuesOf(listing), ...after, match, limit: most }))
}

/** Which of the threads have a message that meets the search. */
async function testThreads(
  db: Db,
  listing: ThreadListing,
  index: IndexSearch,
  threads: readonly FoundThread[],
): Promise<{ matching: ReadonlySet<number>; matched: number }> {
  const search = listing.search!
  if (threads.length === 0) return { matching: new Set(), matched: 0 }
  const shape = shapeOf(db, listing, { after: null, limit: 0 })
  const conditions = [`m.thread ${among(db.dialect, 'threads')}`, ...messageConditions(shape)]
  const match = db.dialect === 'postgres' ? matchExpression('postgres', index) : ''
  const query = namedQuery<{ number: number; thread: number }>(
    `SELECT m.number AS number, m.thread AS thread FROM messages m ${match && joinMatching}
     WHERE ${conditions.join(' AND ')}`,
  )
  const walked = threads.map(({ number }) => number)
  const messages = await db.all(query({ ...valuesOf(listing), match, threads: listValue(db, walked) }))
  const numbers = messages.map(({ number }) => number)
  const matches = db.dialect === 'sqlite' ? await matchesAmong(db, index, numbers) : numbers
  const passed = new Set(search.test ? await passing(db, search.test, matches) : matches)
  const matching = messages.filter(({ number }) => passed.has(number)).map(({ thread }) => thread)
  return { matching: new Set(matching), matched: matches.length }
}

async function passing(db: Db, test: MessageTest, numbers: readonly number[]): Promise<number[]> {
  const values: Values = { numbers: listValue(db, numbers) }
  const text = test.reads.text ? 'b.text' : `''`
  const bodies = test.reads.text ? 'JOIN message_bodies b ON b.message = m.number' : ''
  const rows = await db.all(
    namedQuery<Omit<ReadMessage, 'files'>>(
      `SELECT m.number AS number, m.subject AS subject, m.sender AS sender, m.recipients AS recipients, ${text} AS text
       FROM messages m ${bodies} WHERE m.number ${among(db.dialect, 'numbers')}`,
    )(values),
  )
  const files = test.reads.files
    ? await db.all(
        namedQuery<{ message: number; filename: string }>(
          `SELECT message, filename FROM attachments WHERE message ${among(db.dialect, 'numbers')}`,
        )(values),
      )
    : []
  const named = Map.groupBy(files, ({ message }) => message)
  const filesOf = (number: number): string[] => (named.get(number) ?? []).map(({ filename }) => filename)
  return rows.filter((row) => test.passes({ ...row, files: filesOf(row.number) })).map(({ number }) => number)
}
