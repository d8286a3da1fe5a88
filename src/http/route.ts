import type { z } from 'zod'
import type { Caller, Scope } from '../model/access.ts'
import { toUtf8 } from '../model/utf8.ts'
import type { News } from '../core/log/news.ts'
import type { Spool } from '../core/spool.ts'
import type { ByteRange } from '../model/files/byte-range.ts'
import type { Reads } from '../model/reads.ts'
import { none } from './contract/route.ts'

/** What a handler gets once token, rate, scope and parameters have been checked. */
export interface Call<Query> {
  spool: Spool
  news: News
  caller: Caller
  /** Path parameters, as sent. */
  path: Readonly<Record<string, string>>
  query: Query
  /** Path and query as requested, for `Link`. */
  url: string
  /** A header of the request, by its name in lower case. */
  header(name: 'accept' | 'last-event-id'): string | undefined
  /** Counts what a flow has sent, for the token's reading tally. */
  noteReads(reads: Reads): void
  /** Aborts when the client disconnects; created on first use. */
  whenGone(): AbortSignal
  /** The caller as of now, for answers that wait; throws if the token is no longer valid. */
  renew(): Promise<Caller>
}

/** Stored bytes that are read while they are sent, whole or in part. */
export interface Streamed {
  length: number
  /** Strong: the same tag means the same bytes. */
  etag: string
  pieces(range: ByteRange): AsyncIterable<Uint8Array>
}

/** Text that is generated while it is sent, at the client's pace. */
export interface Flow {
  flow(): AsyncGenerator<string>
}

export interface Answer {
  /** Several chunks are written one after the other, which saves copying them into one. */
  body: string | Uint8Array | readonly Uint8Array[] | Streamed | Flow
  contentType?: string
  headers?: Record<string, string>
  /** How much mail the answer contains, for the token's reading tally. */
  reads?: Reads
}

/** One endpoint: the door, the OpenAPI document and the tests' access matrix are all built from this. */
export interface Route<Query = unknown> {
  /** `/threads/{id}`, below /api/v1. */
  path: string
  /** Null: any valid token. */
  scope: Scope | null
  operationId: string
  tag: string
  summary: string
  description: string
  parameters: Readonly<Record<string, string>>
  query: z.ZodType<Query>
  /** A schema for JSON, or null for bytes. */
  answer: z.ZodType | null
  /** The content type in the OpenAPI document, if it is not JSON. */
  contentType?: string
  /** Statuses besides those that every route of its kind can answer. */
  statuses?: readonly number[]
  /**
   * An answer that depends only on the store, the caller and the URL may be cached and has an ETag: a hash of its
   * content, or of the versions of the caller's view, which costs nothing but changes more often.
   */
  taggedBy: 'content' | 'view' | null
  handle(call: Call<Query>): Promise<Answer>
}

type Omissible = 'parameters' | 'query'

export function defineRoute<Query>(
  route: Omit<Route<Query>, Omissible> & Partial<Pick<Route<Query>, Omissible>>,
): Route {
  return { parameters: {}, query: none, ...route } as Route
}

export function json(value: unknown): Answer {
  return { body: JSON.stringify(value) }
}

/** If the requested thread was merged into another, names the thread that the answer is about. */
export function survivorHeader({ spool, path, url }: Call<unknown>, id: string): Record<string, string> {
  return path['id'] === id ? {} : { 'Content-Location': spool.url + url.replace(path['id']!, id) }
}

const listBegin = Buffer.from('{"data":[')

/** A list with its `Link` to the next page; `items` as bytes are already JSON. */
export function list(
  call: Call<unknown>,
  items: readonly object[] | Uint8Array,
  nextCursor: string | null,
): Answer {
  const end = Buffer.from(`],"nextCursor":${JSON.stringify(nextCursor)}}`)
  const written = items instanceof Uint8Array ? items : toUtf8(JSON.stringify(items).slice(1, -1))
  return {
    body: [listBegin, written, end],
    ...(nextCursor === null ? {} : { headers: { Link: `<${nextUrl(call, nextCursor)}>; rel="next"` } }),
  }
}

/** A URL that contains nothing encoded. */
const plainAddress = /^[\w/?=&.,:@+~-]*$/

function nextUrl({ spool, url }: Call<unknown>, cursor: string): string {
  // SPOOL_URL may have a path of its own, which the proxy strips.
  const address = spool.url + url
  if (plainAddress.test(url)) {
    // By hand, because a URL object costs several times as much.
    const next = address.replace(/([?&])cursor=[^&]*/, `$1cursor=${cursor}`)
    return next === address ? `${address}${url.includes('?') ? '&' : '?'}cursor=${cursor}` : next
  }
  const next = new URL(address)
  next.searchParams.set('cursor', cursor)
  return next.href
}
