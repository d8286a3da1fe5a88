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
  after: ThreadPosition | null
  limit: number
}

export interface ThreadPage {
  /** The threads as JSON, joined by commas: made by the database and never decoded, because that halves what a page costs. */
  items: Buffer
  next: ThreadPosition | null
}

/** Fewer matches than this are sorted; more are met soon enough by walking the list in its order. */
const fewMatches = 20_000

export async function listThreadPage(db: Db, listing: ThreadListing): Promise<ThreadPage> {
  if (listing.inboxes.length === 0) return { items: Buffer.of(), next: null }
  const values = valuesOf(db, listing)
  const shape = shapeOf(db, listing, await findSparse(db, listing, values))
  const row = await db.first(preparePage(shape)(values))
  const items = row?.items ?? ''
  return cutPage(typeof items === 'string' ? Buffer.from(items) : items, row?.keys ?? '', listing.limit)
}

function valuesOf({ dialect }: Db, listing: ThreadListing): Values {
  const { inboxes, userId, assignee, words, updatedSince, after, limit } = listing
  const values: Record<string, unknown> = { userId, assignee, updatedSince, limit: limit + 1, ...after }
  for (const { number, tail } of inboxes) values[`tail${number}`] = tail
  if (words)
    values['words'] = searchedWords(
      dialect,
      inboxes.map(({ number }) => number),
      words,
    )
  return values
}

function shapeOf({ dialect }: Db, listing: ThreadListing, sparse: PageShape['sparse']): PageShape {
  const { inboxes, unread, statuses, assignee, words, updatedSince, after, limit } = listing
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
    // SQLite's is bound.
    limit: dialect === 'sqlite' ? null : limit + 1,
  }
}

type PageQuery = (values: Values) => BoundStatement<{ items: Buffer | string | null; keys: string | null }>

const pages = new Map<string, PageQuery>()

/** Writing the SQL of a page costs a good part of asking it, so each shape is written once. */
function preparePage(shape: PageShape): PageQuery {
  const key = Object.values(shape).join(' ')
  let page = pages.get(key)
  if (!page) {
    if (pages.size >= 500) pages.delete(pages.keys().next().value!)
    pages.set(key, (page = namedQuery(writePage(shape))))
  }
  return page
}

/** One thread more than asked for was read: it only tells that there is a next page. */
function cutPage(items: Buffer, keys: string, limit: number): ThreadPage {
  const found = keys === '' ? [] : keys.split(' ')
  if (found.length <= limit) return { items, next: null }
  const [timestamp, id] = found[limit - 1]!.split('.')
  return {
    items: items.subarray(0, items.lastIndexOf(between)),
    next: { timestamp: Number(timestamp), id: id! },
  }
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
