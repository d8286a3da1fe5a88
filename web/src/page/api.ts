import type { Failure } from '../../../src/http/contract/failure.ts'
import type { AnswerOf, AskArguments, AskOptions, GetArguments, Known, Method, RouteAt } from './contract.ts'
import { actsFor, sessionEnded } from './ended.ts'
import { texts } from './texts.ts'

type Details = NonNullable<Failure['details']>

/** An error from the server, or a failed connection (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  readonly details: Details

  constructor(status: number, message: string, details: Details = {}) {
    super(message)
    this.status = status
    this.details = details
  }

  get isOffline(): boolean {
    return this.status === 0 || this.status === 503
  }

  /** Whether the same request may succeed later: the server was out of reach, busy or in trouble, or the session has ended. */
  get mayPass(): boolean {
    return this.isOffline || this.status === 401 || this.status === 429 || this.status >= 500
  }
}

/** Reads from a private route. Query and answer types follow from the path. */
export function get<const Path extends string>(
  path: Path & Known<'GET', Path>,
  ...options: GetArguments<RouteAt<'GET', Path>>
): Promise<AnswerOf<RouteAt<'GET', Path>>> {
  return getUnless<Path>(undefined, path, ...options)
}

/** Like `get`, but can be aborted. */
export function getUnless<const Path extends string>(
  gone: AbortSignal | undefined,
  path: Path & Known<'GET', Path>,
  ...[options]: GetArguments<RouteAt<'GET', Path>>
): Promise<AnswerOf<RouteAt<'GET', Path>>> {
  return request('GET', path, undefined, options, gone)
}

let requests = 0
const answered = new WeakMap<object, number>()

/**
 * Call before a request whose answer `place` will show. Returns whether the answer may still be shown: not if one to a
 * later request has been.
 */
export function beginRequest(place: object): () => boolean {
  const request = ++requests
  return () => {
    if (request < (answered.get(place) ?? 0)) return false
    answered.set(place, request)
    return true
  }
}

/** Calls a private route that changes something. */
export function ask<Verb extends Exclude<Method, 'GET'>, const Path extends string>(
  method: Verb,
  path: Path & Known<Verb, Path>,
  ...[body, options]: AskArguments<RouteAt<Verb, Path>>
): Promise<AnswerOf<RouteAt<Verb, Path>>> {
  return request(method, path, body, options)
}

/** A URL for the browser to load itself: an image, a download, a stream. */
export function urlOf<const Path extends string>(
  path: Path & Known<'GET', Path>,
  ...[options]: GetArguments<RouteAt<'GET', Path>>
): string {
  return addressOf(path, options?.query)
}

function addressOf(path: string, query: unknown): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(given).toString()
  return `/app/api${path}${text && `?${text}`}`
}

/** Throws `ApiError` on failure. The only place that trusts the server to answer as the contract says. */
async function request<Value>(
  method: Method,
  path: string,
  body: unknown,
  { query, quiet }: AskOptions & { query?: unknown } = {},
  signal?: AbortSignal,
): Promise<Value> {
  const bytes = body instanceof Blob
  let response: Response
  try {
    response = await fetch(addressOf(path, query), {
      method,
      signal: signal ?? null,
      headers: {
        ...(actsFor.peek() && !quiet ? { 'spool-user': actsFor.peek()! } : {}),
        ...(body !== undefined && {
          'content-type': bytes ? 'application/octet-stream' : 'application/json',
        }),
      },
      body: body === undefined ? null : bytes ? body : JSON.stringify(body),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, texts.errors.unreachable)
  }
  const answer = await response.json().catch(() => null)
  if (response.ok) return answer
  const { message, details }: Partial<Failure> = answer ?? {}
  if (response.status === 401 && !quiet) sessionEnded.value = true
  throw new ApiError(response.status, message ?? texts.errors.strange(response.status), details)
}

/** An error message for whatever was thrown. */
export function sentenceOf(error: unknown): string {
  return error instanceof ApiError ? error.message : texts.errors.unexpected
}
