import type { Status } from '../model/thread.ts'
import type { Db } from './db.ts'
import { searchedWords, searchSql } from './search.ts'
import { namedQuery, type BoundStatement, type Values } from './statement.ts'
import { between, writePage, type PageShape } from './thread-page-sql.ts'

/** Where a page ends and the next begins: newest first, ties by id. */
export interface ThreadPosition {
  timestamp: number
  id: string
}

/** What a list shows; the page of it is asked for apart. */
export interface ThreadListing {
  /** The inboxes of the view; `tail` is what every thread of that inbox carries: its JSON after `unread`. */
  inboxes: readonly { number: number; tail: string }[]
  userId: string
  unread: boolean
  statuses: readonly Status[] | null
  /** `null`: nobody's; `undefined`: anybody's. */
  assignee: string | null | undefined
  words: readonly string[] | null
  updatedSince: number | null
}

export interface ThreadPage {
  /** The threads as JSON, joined by commas: made by the database and never decoded, because that halves what a page costs. */
  items: Buffer
  next: ThreadPosition | null
}

/** Fewer matches than this are sorted; more are met soon enough by walking the list in its order. */
const fewMatches = 20_000

export async function listThreadPage(
  db: Db,
  listing: ThreadListing,
  { after, limit }: { after: ThreadPosition | null; limit: number },
): Promise<ThreadPage> {
  if (listing.inboxes.length === 0) return { items: Buffer.of(), next: null }
  const { values, pages } = prepareListing(db, listing)
  const sparse = await findSparse(db, listing, values)
  // SQLite's limit is bound.
  const key = `${after === null ? 'first' : 'next'} ${sparse ?? ''} ${db.dialect === 'sqlite' ? '' : limit}`
  let page = pages.get(key)
  if (!page) pages.set(key, (page = preparePage(shapeOf(db, listing, { after, limit, sparse }))))
  const { items, count } = (await db.first(page({ ...values, ...after, limit: limit + 1 })))!
  const bytes = items instanceof Uint8Array ? items : Buffer.from(items ?? '')
  return count > limit ? cutPage(bytes) : { items: bytes, next: null }
}

type PageQuery = (values: Values) => BoundStatement<{ items: Buffer | string | null; count: number }>

interface Prepared {
  values: Values
  pages: Map<string, PageQuery>
}

const prepared = new WeakMap<ThreadListing, Prepared>()

/** Who walks through a list asks the same listing page after page: what they have in common is worked out once. */
function prepareListing(db: Db, listing: ThreadListing): Prepared {
  let known = prepared.get(listing)
  if (!known) prepared.set(listing, (known = { values: valuesOf(db, listing), pages: new Map() }))
  return known
}

function valuesOf(
  { dialect }: Db,
  { inboxes, userId, assignee, words, updatedSince }: ThreadListing,
): Values {
  const values: Record<string, unknown> = { userId, assignee, updatedSince }
  for (const { number, tail } of inboxes) values[`tail${number}`] = tail
  if (words)
    values['words'] = searchedWords(
      dialect,
      inboxes.map(({ number }) => number),
      words,
    )
  return values
}

function shapeOf(
  { dialect }: Db,
  { inboxes, unread, statuses, assignee, words, updatedSince }: ThreadListing,
  { after, limit, sparse }: { after: ThreadPosition | null; limit: number; sparse: PageShape['sparse'] },
): PageShape {
  return {
    dialect,
    inboxes: inboxes.map(({ number }) => number),
    unread,
    statuses,
    assignee: assignee === undefined ? 'anybody' : assignee === null ? 'nobody' : 'somebody',
    words: words !== null,
    updatedSince: updatedSince !== null,
    after: after !== null,
    sparse,
    limit: dialect === 'sqlite' ? null : limit + 1,
  }
}

const written = new Map<string, PageQuery>()

/** Writing the SQL of a page costs a good part of asking it, so each shape is written once. */
function preparePage(shape: PageShape): PageQuery {
  const key = Object.values(shape).join(' ')
  let page = written.get(key)
  if (!page) {
    if (written.size >= 500) written.delete(written.keys().next().value!)
    written.set(key, (page = namedQuery(writePage(shape))))
  }
  return page
}

/** One thread more than asked for was read: it only tells that there is a next page, which begins after the one before it. */
function cutPage(items: Buffer): ThreadPage {
  const kept = items.subarray(0, items.lastIndexOf(between))
  const last = kept.lastIndexOf(between) + 1
  // A quote inside a text is escaped, so these can only be the names of members; read so, the rest is never decoded.
  const member = (name: string): string => {
    const start = kept.indexOf(`"${name}":"`, last) + name.length + 4
    return kept.toString('latin1', start, kept.indexOf(34, start))
  }
  return { items: kept, next: { timestamp: Date.parse(member('timestamp')), id: member('id') } }
}

/** Whether one of the filters leaves so few threads that they are collected and sorted instead of met on the way. */
async function findSparse(
  db: Db,
  { inboxes, words, updatedSince }: ThreadListing,
  values: Values,
): Promise<PageShape['sparse']> {
  const areFew = async (matches: string): Promise<boolean> => {
    const count = `SELECT count(*) AS count FROM (${matches} LIMIT ${fewMatches}) AS matches`
    return (await db.first(namedQuery<{ count: number }>(count)(values)))!.count < fewMatches
  }
  if (words && (await areFew(searchSql[db.dialect].numbers))) return 'words'
  if (updatedSince === null) return null
  const numbers = inboxes.map(({ number }) => number).join(', ')
  const changed = `SELECT 1 FROM threads WHERE inbox IN (${numbers}) AND updated_at >= :updatedSince`
  return (await areFew(changed)) ? 'updatedSince' : null
}
