import type { Database, Db } from '../db.ts'
import type { Position } from '../position.ts'
import { toUtf8 } from '../../model/utf8.ts'
import { namedQuery } from '../statement.ts'
import { countFound, findThreads } from './found.ts'
import {
  listValue,
  shapeOf,
  valuesOf,
  writtenQuery,
  type PageRequest,
  type ThreadListing,
} from './listing.ts'
import { threadsFrom, writeListCount, writeNumbered, writePage, type PageShape } from './page-sql.ts'
import { inSearchTurn } from './search-turns.ts'
import { cutLast } from './summary.ts'

export interface ThreadPage {
  /** The threads as JSON, joined by the database and never decoded: that halves the cost of a page (see summary.ts). */
  items: Buffer
  next: Position | null
}

/** Fewer matches than this are collected and sorted. */
const fewMatches = 20_000

export async function listThreadPage(
  store: Database,
  listing: ThreadListing,
  position: { after: Position | null; limit: number },
): Promise<ThreadPage> {
  if (listing.inboxes.length === 0) return { items: Buffer.of(), next: null }
  if (listing.search)
    return inSearchTurn(store, async (db) => {
      const { threads, next } = await findThreads(db, listing, position)
      return { items: await readNumbered(db, listing, threads, position), next }
    })
  const sparse = await sparseFilter(store, listing)
  return readPage(store, listing, { ...position, sparse })
}

async function readNumbered(
  db: Db,
  listing: ThreadListing,
  threads: readonly { number: number }[],
  asked: PageRequest,
): Promise<Buffer> {
  if (threads.length === 0) return Buffer.of()
  const numbers = threads.map(({ number }) => number)
  const page = writtenQuery<ItemRow>(
    'numbered',
    shapeOf(db, listing, { ...asked, after: null, limit: 0 }),
    writeNumbered,
  )
  return bytesOf((await db.first(page({ ...valuesOf(listing), numbers: listValue(db, numbers) })))!)
}

/** How many threads are in the list, up to `most`. */
export async function countListing(store: Database, listing: ThreadListing, most: number): Promise<number> {
  if (listing.inboxes.length === 0) return 0
  if (listing.search)
    return Math.min((await inSearchTurn(store, (db) => countFound(db, listing))).count, most)
  const db = store.slowReader
  const sparse = await sparseFilter(store, listing)
  const shape = shapeOf(db, listing, { after: null, limit: 0, sparse })
  const counted = writtenQuery<{ count: number }>('list count', shape, writeListCount)
  return Number((await db.first(counted({ ...valuesOf(listing), most })))!.count)
}

async function sparseFilter(store: Database, listing: ThreadListing): Promise<PageShape['sparse']> {
  const { from, updatedSince } = listing
  if (from !== null && (await areFew(store, listing, threadsFrom(from)))) return 'from'
  const changed = updatedSince !== null && (await areFew(store, listing, changedThreads(listing)))
  return changed ? 'updatedSince' : null
}

async function readPage(db: Db, listing: ThreadListing, asked: PageRequest): Promise<ThreadPage> {
  const { after, limit } = asked
  const page = writtenQuery<ItemRow>('page', shapeOf(db, listing, { ...asked, limit: limit + 1 }), writePage)
  const row = (await db.first(page({ ...valuesOf(listing), ...after, limit: limit + 1 })))!
  const bytes = bytesOf(row)
  return row.count > limit ? cutPage(bytes) : { items: bytes, next: null }
}

interface ItemRow {
  items: Uint8Array | string | null
  count: number
}

function bytesOf({ items }: ItemRow): Buffer {
  return items === null || typeof items === 'string' ? toUtf8(items ?? '') : bufferOf(items)
}

/**
 * Bytes from another thread are not a Buffer, and only a full garbage collection would free their memory. Once they are
 * copied, it is freed at once.
 */
function bufferOf(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes
  const copy = Buffer.from(bytes)
  ;(bytes.buffer as ArrayBuffer).transfer(0)
  return copy
}

/** Drops the extra thread that was read to detect a next page; that page begins after the thread before it. */
function cutPage(whole: Buffer): ThreadPage {
  const { items, last } = cutLast(whole)
  return { items, next: last }
}

/** Whether a filter leaves so few threads that they are collected and sorted instead of found by walking the list. */
async function areFew(db: Db, listing: ThreadListing, matches: string): Promise<boolean> {
  const count = `SELECT count(*) AS count FROM (${matches} LIMIT ${fewMatches}) AS matches`
  return (await db.first(namedQuery<{ count: number }>(count)(valuesOf(listing))))!.count < fewMatches
}

function changedThreads({ inboxes }: ThreadListing): string {
  const numbers = inboxes.map(({ number }) => number).join(', ')
  return `SELECT 1 FROM threads WHERE inbox IN (${numbers}) AND updated_at >= :updatedSince`
}
