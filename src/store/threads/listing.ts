import type { Inbox } from '../../model/access.ts'
import type { Status } from '../../model/thread.ts'
import type { Db } from '../db.ts'
import type { Position } from '../position.ts'
import { namedQuery, type BoundStatement, type Values } from '../statement.ts'
import { kindOfSender, type PageShape } from './page-sql.ts'
import type { MessageSearch } from './search.ts'
import { beginWebUrl } from './summary.ts'

/** What a list shows; which page of it is passed separately (see `PageRequest`). */
export interface ThreadListing {
  /** The inboxes of the view. */
  inboxes: readonly Inbox[]
  /** The public address of this Spool, for the address of each thread. */
  url: string
  userId: string
  unread: boolean
  statuses: readonly Status[] | null
  /** `null`: nobody's; `undefined`: anybody's. */
  assignee: string | null | undefined
  /** Address or domain of the sender who started the thread. */
  from: string | null
  search: MessageSearch | null
  updatedSince: number | null
}

export interface PageRequest {
  after: Position | null
  limit: number
  sparse?: PageShape['sparse']
}

export function valuesOf({ url, userId, assignee, from, search, updatedSince }: ThreadListing): Values {
  const values = { userId, assignee, from, updatedSince, webUrl: beginWebUrl(url) }
  return search ? { ...values, since: search.since, until: search.until } : values
}

/** A list of numbers of any length, for `among`. */
export function listValue({ dialect }: Db, numbers: readonly number[]): unknown {
  return dialect === 'sqlite' ? JSON.stringify(numbers) : numbers
}

/** Page sizes plus one. PostgreSQL parses and plans one statement per size and connection. */
const sizes = [11, 51, 101]

export function shapeOf(
  { dialect }: Db,
  { url, userId, inboxes, unread, statuses, assignee, from, search, updatedSince, ...unwired }: ThreadListing,
  { after, limit, sparse = null }: PageRequest,
): PageShape {
  // A filter that the SQL does not handle fails to compile.
  const nothing: Record<string, never> = unwired
  return {
    ...nothing,
    dialect,
    inboxes: inboxes.map(({ number }) => number),
    unread,
    statuses,
    assignee: assignee === undefined ? 'anybody' : assignee === null ? 'nobody' : 'somebody',
    from: from === null ? null : kindOfSender(from),
    search: search && {
      since: search.since !== null,
      until: search.until !== null,
      withFiles: search.withFiles,
    },
    updatedSince: updatedSince !== null,
    after: after !== null,
    sparse,
    most: dialect === 'sqlite' ? null : (sizes.find((size) => size >= limit) ?? limit),
  }
}

type ListQuery<Row> = (values: Values) => BoundStatement<Row>
const written = new Map<string, ListQuery<unknown>>()

/** Generating the SQL of a page costs a good part of running it, so it is cached per shape. */
export function writtenQuery<Row>(
  name: string,
  shape: PageShape,
  write: (shape: PageShape) => string,
): ListQuery<Row> {
  const { search, ...rest } = shape
  const key = [name, ...Object.values(rest), ...(search ? Object.values(search) : [])].join(' ')
  let query = written.get(key)
  if (!query) {
    if (written.size >= 500) written.delete(written.keys().next().value!)
    written.set(key, (query = namedQuery(write(shape))))
  }
  return query as ListQuery<Row>
}
