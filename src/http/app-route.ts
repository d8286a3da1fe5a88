import type { z } from 'zod'
import type { Live } from '../core/live.ts'
import type { SignedIn } from '../core/sessions.ts'
import type { Spool } from '../core/spool.ts'
import { roles, type Role } from '../model/access.ts'

export const everyone: readonly Role[] = roles
export const writers: readonly Role[] = ['admin', 'member']
export const admins: readonly Role[] = ['admin']

/** What a handler of the web inbox's private routes is given. */
export interface AppCall<Query, Body> {
  spool: Spool
  live: Live
  /** The person whose session it is. */
  actor: SignedIn
  path: Readonly<Record<string, string>>
  query: Query
  body: Body
  /** Counts attempts at a password: the person's own, or one of a mail server. */
  guard: { countPassword(): Promise<void>; countTrial(): Promise<void> }
  /** Where a stream that broke off is to go on from, as the browser says. */
  lastEventId: string | null
  /** Aborted when the page goes away, or the server; for answers that are waited for. */
  whenGone(): AbortSignal
}

/** What is sent as JSON, bytes with their headers, or text that goes on until the client goes away. */
export type AppAnswer =
  | { body: unknown; headers?: Record<string, string> }
  | { stream(gone: AbortSignal): AsyncIterable<string>; headers: Record<string, string> }

/** One private route. They are for the web inbox alone and may change with it; tests walk the table of them. */
export interface AppRoute<Query = unknown, Body = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/drafts/{id}`, below /app/api. */
  path: string
  operationId: string
  /** Whom the door lets in; what exactly they may do with a thing is the core's to say. */
  roles: readonly Role[]
  query: z.ZodType<Query>
  /** A schema for JSON, `bytes`, or null where there is none. */
  body: z.ZodType<Body> | 'bytes' | null
  handle(call: AppCall<Query, Body>): Promise<AppAnswer>
}

export function defineAppRoute<Query, Body>(route: AppRoute<Query, Body>): AppRoute {
  return route as AppRoute
}
