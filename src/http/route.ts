import type { z } from 'zod'
import type { Caller, Scope } from '../model/access.ts'
import type { News } from '../core/log/news.ts'
import type { Spool } from '../core/spool.ts'
import type { Reads } from '../model/reads.ts'

/** What a handler is given once the token, the rate, the scope and the parameters are in order. */
export interface Call<Query> {
  spool: Spool
  news: News
  caller: Caller
  /** The values in the path, as they were sent. */
  path: Readonly<Record<string, string>>
  query: Query
  /** Path and query as asked, for `Link`. */
  url: string
  /** Aborted when the client goes away; made when asked for. */
  whenGone(): AbortSignal
  /** The caller as of now, for an answer that takes long; fails like any request when the token has ended. */
  renew(): Promise<Caller>
}

/** A body that is read while it is sent. */
export interface Streamed {
  length: number
  pieces(): AsyncIterable<Uint8Array>
}

export interface Answer {
  /** Several pieces go out one behind the other, so that none is copied to stand beside the next. */
  body: string | Uint8Array | readonly Uint8Array[] | Streamed
  contentType?: string
  headers?: Record<string, string>
  /** How much of the team's mail it holds, for the tally of its token. */
  reads?: Reads
}

/** One endpoint: the door, the OpenAPI document and the access matrix of the tests are all made from this. */
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
  /** Statuses besides 200 and those that every route can answer. */
  statuses: readonly number[]
  /**
   * Where the answer follows from the store, the caller and the address alone, it may be cached and has an ETag: of
   * its content, or of the versions of the caller's view, which costs nothing but changes more often.
   */
  taggedBy: 'content' | 'view' | null
  handle(call: Call<Query>): Promise<Answer>
}

export function defineRoute<Query>(route: Route<Query>): Route {
  return route as Route
}

export function json(value: unknown): Answer {
  return { body: JSON.stringify(value) }
}

const listBegin = Buffer.from('{"data":[')

/** A list with its `Link` to the next page; `items` is JSON already. */
export function list(call: Call<unknown>, items: string | Uint8Array, nextCursor: string | null): Answer {
  const end = Buffer.from(`],"nextCursor":${JSON.stringify(nextCursor)}}`)
  return {
    body: [listBegin, typeof items === 'string' ? Buffer.from(items) : items, end],
    ...(nextCursor === null ? {} : { headers: { Link: `<${nextUrl(call, nextCursor)}>; rel="next"` } }),
  }
}

/** Nothing in it is encoded or needs to be. */
const plainAddress = /^[\w/?=&.,:@+~-]*$/

function nextUrl({ spool, url }: Call<unknown>, cursor: string): string {
  // The public address may have a path of its own, which a proxy takes off.
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
