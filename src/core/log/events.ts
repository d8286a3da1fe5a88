import type { Caller } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import type { Event, EventType } from '../../model/events.ts'
import { toTime } from '../../model/time.ts'
import { transaction } from '../../store/database.ts'
import { pruneEvents, readEvents, type EventPage, type EventRow } from '../../store/log/events.ts'
import type { Heard, News, Wait } from './news.ts'
import { inboxesNamed } from '../access/access.ts'
import type { Spool } from '../spool.ts'

export interface EventQuery {
  /** A `seq`; null: from the oldest event kept. */
  after: number | null
  /** Null: all kinds. */
  type: readonly EventType[] | null
  /** Ids or addresses; null: every inbox of the view. */
  inbox: readonly string[] | null
  limit: number
  /** Seconds to wait for an event if there is none yet. */
  wait: number
}

/** `nextCursor` can always be passed back as `after`, also at the end of the log. */
export async function listEvents(
  spool: Spool,
  news: News,
  first: Caller,
  query: EventQuery,
  { signal, renew }: { signal: AbortSignal; renew(): Promise<Caller> },
): Promise<{ data: Event[]; nextCursor: string }> {
  const until = performance.now() + query.wait * 1000
  using waits = new DisposableStack()
  let caller = first
  let after = query.after
  let wait: Wait | null = null
  for (;;) {
    const { page, heard } = await readEventPage(spool, news, caller, { ...query, after })
    waits.use(heard)
    const left = until - performance.now()
    if (page.events.length > 0 || left <= 0 || signal.aborted) {
      const last = page.events.length === query.limit ? page.events.at(-1)!.seq : page.lastSeq
      return { data: page.events.map(readEvent), nextCursor: String(last) }
    }
    after = page.lastSeq
    wait ??= waits.use(news.beginWait(caller.token.id))
    // Wake up at least every second, to notice when the token expires or its view shrinks.
    await heard.orAfter(wait.isOver ? 0 : Math.min(left, 1_000), signal)
    // The server is stopping: answer without another query.
    if (wait.isOver) return { data: [], nextCursor: String(after) }
    caller = await renew()
  }
}

/** One page of events, and a listener for what comes after it. */
export async function readEventPage(
  spool: Spool,
  news: News,
  caller: Caller,
  { after, type: types, inbox, limit }: Omit<EventQuery, 'wait'>,
): Promise<{ page: EventPage; heard: Heard }> {
  const inboxes = inboxesNamed(caller, inbox).map(({ number }) => number)
  // Listen before reading, so that a commit in between is not missed.
  const scopes = inboxes.map((number) => `inbox:${number}` as const)
  const heard = news.listen([`user:${caller.user.id}`, ...scopes])
  try {
    const userId = inbox === null ? caller.user.id : null
    const page = await readEvents(spool.db, after ?? 0, { inboxes, userId, types, limit })
    requireKept(after, page)
    return { page, heard }
  } catch (error) {
    heard[Symbol.dispose]()
    throw error
  }
}

function requireKept(after: number | null, page: EventPage): void {
  if (after !== null && after > page.lastSeq) {
    throw new SpoolError(
      'bad_cursor',
      `"after" lies beyond the end of this log, which is ${page.lastSeq}: it comes from another instance, or from before a backup was restored. Start again without it.`,
    )
  }
  if (after !== null && after < page.prunedSeq) {
    throw new SpoolError(
      'resync',
      'Events after this cursor have been pruned; reload the threads and start again without "after".',
      { details: { oldest: String(page.prunedSeq) } },
    )
  }
}

export function readEvent({ id, seq, type, inbox_id, timestamp, data }: EventRow): Event {
  const inboxId = data.threadId === null ? null : inbox_id
  return { type, timestamp: toTime(timestamp), data: { eventId: id, seq, inboxId, ...data } }
}

/** Deletes events past their retention; returns how many. */
export async function forgetOldEvents(spool: Spool, days: number): Promise<number> {
  const before = spool.now() - days * 86_400_000
  let gone = 0
  for (let some = 1; some > 0; gone += some)
    some = await transaction(spool.db, (db) => pruneEvents(db, before, 1000))
  return gone
}
