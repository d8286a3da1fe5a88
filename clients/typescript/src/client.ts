import createClient, { type Client } from 'openapi-fetch'
import { unwrap } from './error.ts'
import { Export } from './export.ts'
import { follow, type FollowOptions } from './follow.ts'
import { retrying, type Fetch } from './retry.ts'
import type { components, operations, paths } from './schema.ts'

export { SpoolError } from './error.ts'
export type { Export, ExportedThread } from './export.ts'
export type { FollowOptions } from './follow.ts'

type Schemas = components['schemas']
export type Thread = Schemas['Thread']
export type ThreadSummary = Schemas['ThreadSummary']
export type HistoryEntry = Schemas['HistoryEntry']
export type Message = Schemas['Message']
export type Note = Schemas['Note']
export type Inbox = Schemas['InboxReference']
export type User = Schemas['User']
export type Me = Schemas['Me']
export type Event = Schemas['Event']

type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>
/** `limit` is the page size; iterating reads all pages. */
export type ThreadFilters = Omit<Query<'listThreads'>, 'cursor'>
export type EventFilters = Pick<Query<'listEvents'>, 'type' | 'inbox'>
export type ExportOptions = Query<'exportThreads'> & { signal?: AbortSignal }

type KnownEntry = Schemas['KnownHistoryEntry']

/** Narrows a history entry to a known type; types may be added, so skip those you do not know. */
export function isEntry<Type extends KnownEntry['type']>(
  entry: HistoryEntry,
  type: Type,
): entry is Extract<KnownEntry, { type: Type }> {
  return entry.type === type
}

export interface SpoolOptions {
  /** Where Spool is: `https://spool.example.com`. */
  url: string
  /** A personal access token: `spool_pat_…`. */
  token: string
  /** How often a request is retried after 429, 502, 503, 504 or a broken connection; 5 by default. */
  retries?: number
  fetch?: Fetch
}

/** A Spool as its token sees it. Read-only: nothing here can send or change anything. */
export class Spool {
  /** Every route by its path, typed from the OpenAPI document. */
  readonly api: Client<paths>
  readonly #patient: Fetch

  constructor({ url, token, retries = 5, fetch = (request) => globalThis.fetch(request) }: SpoolOptions) {
    this.#patient = retrying(fetch, Number.POSITIVE_INFINITY)
    this.api = createClient<paths>({
      baseUrl: `${url.replace(/\/+$/, '')}/api/v1`,
      headers: { Authorization: `Bearer ${token}` },
      // A browser must not add its cookies for a Spool at the same origin.
      credentials: 'omit',
      querySerializer: { array: { style: 'form', explode: false } },
      fetch: retrying(fetch, retries),
    })
  }

  async me(): Promise<Me> {
    return unwrap(await this.api.GET('/me'))
  }

  threads(filters: ThreadFilters = {}): AsyncGenerator<ThreadSummary> {
    return readPages(async (page) =>
      unwrap(await this.api.GET('/threads', { params: { query: { ...filters, ...page } } })),
    )
  }

  /** With the first 200 entries of its history; `history` reads all of them. */
  async thread(id: string, query: Query<'getThread'> = {}): Promise<Thread> {
    return unwrap(await this.api.GET('/threads/{id}', { params: { path: { id }, query } }))
  }

  /** All entries of a thread, oldest first. */
  history(id: string): AsyncGenerator<HistoryEntry> {
    return readPages(async ({ cursor }) => {
      const query = cursor === undefined ? {} : { historyCursor: cursor }
      const { history, historyNextCursor } = await this.thread(id, query)
      return { data: history, nextCursor: historyNextCursor }
    })
  }

  notes(threadId: string): AsyncGenerator<Note> {
    return readPages(async (query) =>
      unwrap(await this.api.GET('/threads/{id}/notes', { params: { path: { id: threadId }, query } })),
    )
  }

  async message(id: string): Promise<Message> {
    return unwrap(await this.api.GET('/messages/{id}', { params: { path: { id } } }))
  }

  /** The message byte for byte as it arrived. */
  async source(id: string): Promise<Response> {
    return this.#bytes(
      await this.api.GET('/messages/{id}/source', { params: { path: { id } }, parseAs: 'stream' }),
    )
  }

  async attachment(id: string): Promise<Response> {
    return this.#bytes(
      await this.api.GET('/attachments/{id}', { params: { path: { id } }, parseAs: 'stream' }),
    )
  }

  async note(id: string): Promise<Note> {
    return unwrap(await this.api.GET('/notes/{id}', { params: { path: { id } } }))
  }

  inboxes(): AsyncGenerator<Inbox> {
    return readPages(async (query) => unwrap(await this.api.GET('/inboxes', { params: { query } })))
  }

  async inbox(id: string): Promise<Inbox> {
    return unwrap(await this.api.GET('/inboxes/{id}', { params: { path: { id } } }))
  }

  users(): AsyncGenerator<User> {
    return readPages(async (query) => unwrap(await this.api.GET('/users', { params: { query } })))
  }

  async user(id: string): Promise<User> {
    return unwrap(await this.api.GET('/users/{id}', { params: { path: { id } } }))
  }

  /** Events after a position, up to now; returns the position of the end. */
  async *events(filters: EventFilters & { after?: number } = {}): AsyncGenerator<Event, number> {
    for (let { after } = filters; ;) {
      const query = { ...filters, ...(after === undefined ? {} : { after }), limit: 100 }
      const page = await this.api.GET('/events', {
        params: { query },
        headers: { Accept: 'application/json' },
      })
      const { data, nextCursor } = unwrap(page as { data?: Schemas['EventList']; response: Response })
      after = Number(nextCursor)
      if (data.length === 0) return after
      yield* data
    }
  }

  /** The position of the newest event: pass it as `after` to get only later events. */
  async newest(): Promise<number> {
    // There are few events of this type, so this reaches the end quickly.
    const events = this.events({ type: ['webhook.test'] })
    for (;;) {
      const { done, value } = await events.next()
      if (done) return value
    }
  }

  /** Events as they happen, until `signal` aborts; a broken connection leaves no gap. */
  follow(options: EventFilters & FollowOptions = {}): AsyncGenerator<Event> {
    const { after: _, signal: __, onResync: ___, ...filters } = options
    return follow<Event>(async (after, signal, isAgain) => {
      const query = { ...filters, ...(after === null ? {} : { after }) }
      const headers = { Accept: 'text/event-stream' }
      const patience = isAgain ? { fetch: this.#patient } : {}
      const init = { params: { query }, headers, signal, parseAs: 'stream' as const, ...patience }
      return unwrap(await this.api.GET('/events', init))
    }, options)
  }

  /**
   * The events that a webhook missed before this delivery, if any: `seen` is the `seq` of the last one that you have
   * handled. Pass the kinds that the webhook subscribes to.
   */
  async *missed(
    { data: { previousSeq } }: { data: { previousSeq: number | null } },
    seen: number,
    filters: EventFilters = {},
  ): AsyncGenerator<Event> {
    if (previousSeq === null || previousSeq <= seen) return
    for await (const event of this.events({ ...filters, after: seen })) {
      if (event.data.seq > previousSeq) return
      yield event
    }
  }

  /** Everything in your view, in one request. Pass the `cursor` of an earlier one to get what has changed since. */
  export({ cursor, signal, ...filters }: ExportOptions = {}): Export {
    const open = async (cursor: string | null): Promise<ReadableStream<Uint8Array> | null> => {
      const query = { ...filters, ...(cursor === null ? {} : { cursor }) }
      const init = { params: { query }, signal: signal ?? null, parseAs: 'stream' as const }
      return unwrap(await this.api.GET('/export', init))
    }
    return new Export(open, cursor ?? null, signal)
  }

  #bytes(answer: { error?: unknown; response: Response }): Response {
    unwrap(answer)
    return answer.response
  }
}

interface Page<Item> {
  data: Item[]
  nextCursor: string | null
}

async function* readPages<Item>(
  ask: (page: { cursor?: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Page<Item> = await ask(cursor === undefined ? {} : { cursor })
    yield* page.data
    cursor = page.nextCursor
  }
}
