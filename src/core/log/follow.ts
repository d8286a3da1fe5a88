import type { Caller } from '../../model/access.ts'
import type { Event } from '../../model/events.ts'
import type { Spool } from '../spool.ts'
import { readEvent, readEventPage, type EventQuery } from './events.ts'
import type { News } from './news.ts'

/** Keeps proxies and the client from considering the stream dead. */
const heartbeat = 15_000
/** The stream notices within this time that the token has expired or its view has shrunk. */
const renewal = 1_000

export interface EventBatch {
  /** Empty for a heartbeat. */
  events: Event[]
  /** All events up to here have been sent. */
  seq: number
}

/** Streams the events of the caller's view as they happen. Ends when the token becomes invalid or the server stops. */
export async function* followEvents(
  spool: Spool,
  news: News,
  first: Caller,
  query: Omit<EventQuery, 'wait'>,
  { signal, renew }: { signal: AbortSignal; renew(): Promise<Caller> },
): AsyncGenerator<EventBatch> {
  using wait = news.beginWait(first.token.id)
  let caller = first
  let after = query.after
  let sentAt = Number.NEGATIVE_INFINITY
  while (!signal.aborted && !wait.isOver) {
    const { page, heard } = await readEventPage(spool, news, caller, { ...query, after })
    using _ = heard
    const isFull = page.events.length === query.limit
    after = isFull ? page.events.at(-1)!.seq : page.lastSeq
    if (page.events.length > 0 || performance.now() - sentAt >= heartbeat) {
      sentAt = performance.now()
      yield { events: page.events.map(readEvent), seq: after }
    }
    if (!isFull) await heard.orAfter(wait.isOver ? 0 : renewal, signal)
    try {
      caller = await renew()
    } catch {
      return
    }
  }
}
