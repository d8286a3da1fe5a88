import type { Inbox } from '../../model/access.ts'
import type { Status } from '../../model/thread.ts'
import type { Database, Db } from '../db.ts'
import { matchExpression, searchSql } from './search.ts'
import { namedQuery, type BoundStatement, type Values } from '../statement.ts'
import { kindOfSender, threadsFrom, writeCount, writePage, type PageShape } from './page-sql.ts'
import { cutLast, itemTail } from './summary.ts'

/** Where a page ends and the next begins: newest first, ties by id. */
export interface ThreadPosition {
  timestamp: number
  id: string
}

/** What a list shows; the page of it is asked for apart. */
export interface ThreadListing {
  /** The inboxes of the view. */
  inboxes: readonly Inbox[]
  /** The public address of this Spool, for each thread's own. */
  url: string
  userId: string
  unread: boolean
  statuses: readonly Status[] | null
  /** `null`: nobody's; `undefined`: anybody's. */
  assignee: string | null | undefined
  /** An address or a domain: who started it. */
  from: string | null
  terms: readonly string[] | null
  updatedSince: number | null
}

export interface ThreadPage {
  /** The threads as JSON, joined by the database and never decoded, because that halves what a page costs (see thread-summary.ts). */
  items: Buffer
  next: ThreadPosition | null
}

/** Fewer matches than this are sorted. */
const fewMatches = 20_000
/** Words with more of them are looked for among this many threads first: there they mostly are, and it takes less. */
const walkedThreads = 1_000

export async function listThreadPage(
  store: Database,
  listing: ThreadListing,
  position: { after: ThreadPosition | null; limit: number; marked?: boolean },
): Promise<ThreadPage> {
  if (listing.inboxes.length === 0) return { items: Buffer.of(), next: null }
  if (!listing.terms) {
    const sparse = await sparseFilter(store, listing)
    return readPage(store.parallelReader, listing, { ...position, sparse, walk: null })
  }
  const db = store.slowReader
  if (!(await areFew(db, listing, searchSql[db.dialect].numbers))) {
    const met = await readPage(db, listing, { ...position, sparse: null, walk: walkedThreads })
    if (met.next) return met
  }
  return readPage(db, listing, { ...position, sparse: 'terms', walk: null })
}

/** How many threads are in the list, up to `most`. */
export async function countListing(store: Database, listing: ThreadListing, most: number): Promise<number> {
  if (listing.inboxes.length === 0) return 0
  const db = store.slowReader
  const sparse = listing.terms ? 'terms' : await sparseFilter(store, listing)
  const shape = shapeOf(db, listing, { after: null, limit: most, sparse, walk: null })
  const counted = namedQuery<{ count: number }>(writeCount(shape, most))
  return Number((await db.first(counted(valuesOf(db, listing))))!.count)
}

async function sparseFilter(store: Database, listing: ThreadListing): Promise<PageShape['sparse']> {
  const { from, updatedSince } = listing
  if (from !== null && (await areFew(store, listing, threadsFrom(from)))) return 'from'
  const changed = updatedSince !== null && (await areFew(store, listing, changedThreads(listing)))
  return changed ? 'updatedSince' : null
}

interface PageAsked {
  after: ThreadPosition | null
  limit: number
  marked?: boolean
  sparse: PageShape['sparse']
  walk: number | null
}

async function readPage(db: Db, listing: ThreadListing, asked: PageAsked): Promise<ThreadPage> {
  const { after, limit } = asked
  const page = writtenPage(shapeOf(db, listing, asked))
  const values = { ...valuesOf(db, listing), ...after, limit: limit + 1 }
  const { items, count } = (await db.first(page(values)))!
  const bytes = items === null || typeof items === 'string' ? Buffer.from(items ?? '') : bufferOf(items)
  return count > limit ? cutPage(bytes) : { items: bytes, next: null }
}

/**
 * From another thread bytes come without being a Buffer, and where only a full collection would let go of them. Copied,
 * they are let go of at once.
 */
function bufferOf(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes
  const copy = Buffer.from(bytes)
  ;(bytes.buffer as ArrayBuffer).transfer(0)
  return copy
}

type PageQuery = (values: Values) => BoundStatement<{ items: Uint8Array | string | null; count: number }>

function valuesOf(
  { dialect }: Db,
  { inboxes, url, userId, assignee, from, terms, updatedSince }: ThreadListing,
): Values {
  const values: Record<string, unknown> = { userId, assignee, from, updatedSince }
  for (const inbox of inboxes) values[`tail${inbox.number}`] = itemTail(inbox, url)
  if (terms) {
    values['match'] = matchExpression(dialect, terms)
    values['scopedMatch'] = matchExpression(
      dialect,
      terms,
      inboxes.map(({ number }) => number),
    )
  }
  return values
}

function shapeOf(
  { dialect }: Db,
  { url, userId, inboxes, unread, statuses, assignee, from, terms, updatedSince, ...unwired }: ThreadListing,
  { after, limit, sparse, walk, marked = false }: PageAsked,
): PageShape {
  // What a list is narrowed by and the SQL does not know does not compile.
  const nothing: Record<string, never> = unwired
  return {
    ...nothing,
    dialect,
    inboxes: inboxes.map(({ number }) => number),
    unread,
    statuses,
    assignee: assignee === undefined ? 'anybody' : assignee === null ? 'nobody' : 'somebody',
    from: from === null ? null : kindOfSender(from),
    terms: terms !== null,
    updatedSince: updatedSince !== null,
    after: after !== null,
    sparse,
    walk,
    limit: dialect === 'sqlite' ? null : limit + 1,
    marked,
  }
}

const written = new Map<string, PageQuery>()

/** Writing the SQL of a page costs a good part of asking it, so each shape is written once. */
function writtenPage(shape: PageShape): PageQuery {
  const key = Object.values(shape).join(' ')
  let page = written.get(key)
  if (!page) {
    if (written.size >= 500) written.delete(written.keys().next().value!)
    written.set(key, (page = namedQuery(writePage(shape))))
  }
  return page
}

/** One thread more than asked for was read: it only tells that there is a next page, which begins after the one before it. */
function cutPage(whole: Buffer): ThreadPage {
  const { items, last } = cutLast(whole)
  return { items, next: last }
}

/** Whether a filter leaves so few that they are collected and sorted instead of met on the way. */
async function areFew(db: Db, listing: ThreadListing, matches: string): Promise<boolean> {
  const count = `SELECT count(*) AS count FROM (${matches} LIMIT ${fewMatches}) AS matches`
  return (await db.first(namedQuery<{ count: number }>(count)(valuesOf(db, listing))))!.count < fewMatches
}

function changedThreads({ inboxes }: ThreadListing): string {
  const numbers = inboxes.map(({ number }) => number).join(', ')
  return `SELECT 1 FROM threads WHERE inbox IN (${numbers}) AND updated_at >= :updatedSince`
}
