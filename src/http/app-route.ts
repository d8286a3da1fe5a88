import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Live } from '../core/log/live.ts'
import type { SignedIn } from '../core/access/sessions.ts'
import type { Spool } from '../core/spool.ts'
import { roles, type Role } from '../model/access.ts'
import type { RouteContract } from './contract/route.ts'
import { appContract, type AppContract } from './contract/table.ts'

export const everyone: readonly Role[] = roles
export const writers: readonly Role[] = ['admin', 'member']
export const admins: readonly Role[] = ['admin']

/** The names in `/drafts/{id}/attachments/{attachmentId}`. */
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

type BodyOf<Body> = Body extends z.core.$ZodType ? z.output<Body> : Body extends 'bytes' ? Uint8Array : null

/** What a handler of the web inbox's private routes is given. */
export interface AppCall<Contract extends RouteContract = RouteContract> {
  spool: Spool
  live: Live
  /** The person whose session it is. */
  actor: SignedIn
  path: Readonly<Record<NamesIn<Contract['path']>, string>>
  query: z.output<Contract['query']>
  body: BodyOf<Contract['body']>
  /** Counts attempts at a password: the person's own, or one of a mail server. */
  guard: { countPassword(): Promise<void>; countTrial(): Promise<void> }
  /** Where a stream that broke off is to go on from, as the browser says. */
  lastEventId: string | null
  /** Aborted when the page goes away, or the server; for answers that are waited for. */
  whenGone(): AbortSignal
}

interface BytesAnswer {
  body: Uint8Array | string | Readable
  headers: Record<string, string>
}

interface StreamAnswer {
  /** Goes on until the client goes away. */
  stream(gone: AbortSignal): AsyncIterable<string>
  headers: Record<string, string>
}

/** What the contract of the route says it answers. */
export type AppAnswer<Answer = RouteContract['answer']> = Answer extends z.core.$ZodType
  ? { body: z.input<Answer>; headers?: Record<string, string> }
  : Answer extends 'bytes'
    ? BytesAnswer
    : StreamAnswer

interface Handling<Contract extends RouteContract> {
  /** Whom the door lets in; what exactly they may do with a thing is the core's to say. */
  roles: readonly Role[]
  handle(call: AppCall<Contract>): Promise<AppAnswer<Contract['answer']>>
}

/** One private route. They are for the web inbox alone and may change with it; tests walk the table of them. */
export interface AppRoute extends RouteContract, Handling<RouteContract> {
  operationId: string
}

export function defineAppRoute<Operation extends keyof AppContract>(
  operationId: Operation,
  handling: Handling<AppContract[Operation]>,
): AppRoute {
  return { operationId, ...appContract[operationId], ...handling } as AppRoute
}
