import type { Draft } from '../../src/model/draft.ts'
import type { Thread } from '../../src/model/history.ts'
import type { ThreadSummary } from '../../src/model/thread.ts'
import { sessionEnded } from './session/ended.ts'
import { words } from './words.ts'

/** A refusal of the server, or that it cannot be reached (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  readonly details: Record<string, unknown>

  constructor(status: number, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.status = status
    this.details = details
  }

  get isOffline(): boolean {
    return this.status === 0 || this.status === 503
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface AskOptions {
  signal?: AbortSignal
  /** Whether a refusal for lack of a session brings up the sign-in page. */
  quiet?: boolean
}

/** One request to the private routes; what is refused is thrown as an `ApiError`. */
export async function ask<Value>(
  method: Method,
  path: string,
  body?: unknown,
  { signal, quiet = false }: AskOptions = {},
): Promise<Value> {
  const bytes = body instanceof Blob
  let response: Response
  try {
    response = await fetch(`/app/api${path}`, {
      method,
      credentials: 'same-origin',
      ...(signal ? { signal } : {}),
      ...(body === undefined
        ? {}
        : {
            headers: { 'content-type': bytes ? 'application/octet-stream' : 'application/json' },
            body: bytes ? body : JSON.stringify(body),
          }),
    })
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    throw new ApiError(0, words.errors.offline)
  }
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer as Value
  const { message, details } = (answer ?? {}) as { message?: string; details?: Record<string, unknown> }
  if (response.status === 401 && !quiet) sessionEnded.value = true
  throw new ApiError(response.status, message ?? words.errors.strange(response.status), details)
}

export interface Session {
  user: { id: string; email: string; name: string; role: 'admin' | 'member' | 'viewer' }
  inboxes: { id: string; name: string; address: string }[]
  canSend: boolean
  undoSeconds: number
  /** For an admin: whether steps of the first run are open. */
  guide?: boolean
}

export interface OpenDraft {
  id: string
  status: Draft['status']
  author: { type: 'person' | 'agent' | 'system'; id: string | null; name: string }
}

/** A thread as it stands in the list. */
export type ThreadRow = ThreadSummary & { openDrafts: OpenDraft[] }

export interface Onlooker {
  id: string
  name: string
  doing: 'reading' | 'writing'
  draftId?: string
}

/** A thread as it is opened. */
export type OpenThread = Thread & { drafts: Draft[]; canBeAnswered: boolean; people: Onlooker[] }

export interface Teammate {
  id: string
  name: string
  email: string
  role: string
}

export interface Page<Item> {
  data: Item[]
  nextCursor: string | null
}

export interface Counts {
  views: Record<string, number | null>
  inboxes: Record<string, number>
}

/** A sentence for whatever was thrown. */
export function sentenceOf(error: unknown): string {
  return error instanceof ApiError ? error.message : words.errors.unexpected
}
