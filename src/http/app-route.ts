import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Live } from '../core/log/live.ts'
import type { SignedIn } from '../core/access/sessions.ts'
import type { Spool } from '../core/spool.ts'
import { roles, type Role, type View } from '../model/access.ts'
import type { RouteContract } from './contract/route.ts'
import { appContract, type AppContract } from './contract/table.ts'

export const everyone: readonly Role[] = roles
export const writers: readonly Role[] = ['admin', 'member']
export const admins: readonly Role[] = ['admin']

/** The names in `/drafts/{id}/attachments/{attachmentId}`. */
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

type BodyOf<Body> = Body extends z.core.$ZodType ? z.output<Body> : Body extends 'bytes' ? Uint8Array : null

/** The argument of the handlers of the web inbox's private routes. */
export interface AppCall<Contract extends RouteContract = RouteContract> {
  spool: Spool
  live: Live
  /** The signed-in person. */
  actor: SignedIn
  /** What the person can see as of now. */
  view(): Promise<View>
  path: Readonly<Record<NamesIn<Contract['path']>, string>>
  query: z.output<Contract['query']>
  body: BodyOf<Contract['body']>
  /** Rate limits for password attempts: the person's own, or a mail server's. */
  guard: { countPassword(): Promise<void>; countTrial(): Promise<void> }
  /** Where to resume a stream that was cut off, as sent by the browser. */
  lastEventId: string | null
  /** Aborted when the client disconnects or the server stops; for answers that wait. */
  whenGone(): AbortSignal
  setCookie(cookie: string): void
}

export interface BytesAnswer {
  body: Uint8Array | string | Readable
  headers: Record<string, string>
}

export interface StreamAnswer {
  /** Runs until the client disconnects. */
  stream(gone: AbortSignal): AsyncIterable<string>
  headers: Record<string, string>
}

/** The answer type that the route's contract declares. */
type AppAnswer<Answer> = Answer extends z.core.$ZodType
  ? z.input<Answer>
  : Answer extends 'bytes'
    ? BytesAnswer
    : StreamAnswer

type Handle<Contract extends RouteContract> = (
  call: AppCall<Contract>,
) => Promise<AppAnswer<Contract['answer']>>

/**
 * One private route. Private routes serve only the web inbox and may change with it; tests iterate over the table.
 */
export interface AppRoute extends RouteContract {
  operationId: string
  /** Who may call the route; finer permissions are checked in core. */
  roles: readonly Role[]
  handle: Handle<RouteContract>
}

export function defineAppRoute<Operation extends keyof AppContract>(
  operationId: Operation,
  roles: readonly Role[],
  handle: Handle<AppContract[Operation]>,
): AppRoute {
  return { operationId, roles, handle, ...appContract[operationId] } as AppRoute
}
