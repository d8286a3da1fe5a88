import { parseNames } from '../../model/characters/names.ts'
import type { EventData, EventType } from '../../model/events.ts'
import { newId } from '../../model/ids.ts'
import { announce, beforeCommit } from '../database.ts'
import type { Db, Tx } from '../db.ts'
import { bulkInsert } from '../bulk.ts'
import { statement, textQuery } from '../statement.ts'
import type { LoggedEvent } from './log.ts'
import { touch } from './versions.ts'

/**
 * The event log: totally ordered, without gaps. Writers take turns on both databases (see `transaction`); each
 * continues the count found in `log` and stores it with its commit. So numbers commit in order, a rollback uses none
 * up, and a reader that has read up to N has seen everything up to N.
 */
const lastSeq = statement((build) => build.selectFrom('log').select('last_seq'))
const setLastSeq = statement((build, { seq }: { seq: number }) =>
  build.updateTable('log').set({ last_seq: seq }),
)

export async function readLastSeq(db: Db): Promise<number> {
  return (await db.first(lastSeq({})))!.last_seq
}

const counters = new WeakMap<Tx, { seq: number }>()

async function nextSeq(db: Tx): Promise<number> {
  let counter = counters.get(db)
  if (!counter) {
    counter = { seq: await readLastSeq(db) }
    const count = counter
    counters.set(db, count)
    announce(db)
    beforeCommit(db, 'log', () => db.queue(setLastSeq({ seq: count.seq })))
  }
  return ++counter.seq
}

/** The end of the log including this transaction's own events. */
export async function currentSeq(db: Tx): Promise<number> {
  return counters.get(db)?.seq ?? (await readLastSeq(db))
}

export interface NewEvent {
  type: EventType
  inbox: number | null
  /** The owner, for events that belong to no inbox. */
  userId?: string
  timestamp: number
  /** Notifies nobody. */
  quiet?: boolean
  data: EventData
}

const insertEvent = bulkInsert('events', {
  seq: 'bigint',
  id: 'text',
  type: 'text',
  inbox: 'bigint',
  timestamp: 'bigint',
  quiet: 'bigint',
  user_id: 'text',
  data: 'text',
})

/** Returns the event's `seq`. For mail this is its arrival, which decides what is unread and what is stale. */
export async function appendEvent(db: Tx, event: NewEvent): Promise<number> {
  const seq = await nextSeq(db)
  const { type, inbox, userId = null, timestamp, quiet = false, data } = event
  await db.add(insertEvent, {
    seq,
    id: newId('evt', timestamp),
    type,
    inbox,
    timestamp,
    quiet: quiet ? 1 : 0,
    user_id: userId,
    data: JSON.stringify(data),
  })
  if (inbox !== null) touch(db, `inbox:${inbox}`)
  if (userId !== null) touch(db, `user:${userId}`)
  return seq
}

export type EventRow = Omit<LoggedEvent, 'inbox' | 'user_id' | 'quiet' | 'data'> & { data: EventData }

interface PageRow extends Omit<EventRow, 'seq' | 'data'> {
  last_seq: number
  pruned_seq: number
  /** Null in the only row of an empty page. */
  seq: number | null
  data: string
}

export interface EventPage {
  events: EventRow[]
  /** The end of the log when this page was read. */
  lastSeq: number
  /** Events up to here have been pruned. */
  prunedSeq: number
}

/** With more inboxes than this, one scan of the log is cheaper than a range per inbox. */
const mostRanges = 60

/** One statement, so that the page and the end of the log are consistent. */
export async function readEvents(
  db: Db,
  after: number,
  wanted: {
    inboxes: readonly number[]
    /** Adds this user's own events, which belong to no inbox; null: none. */
    userId: string | null
    types: readonly EventType[] | null
    limit: number
  },
): Promise<EventPage> {
  const { inboxes, userId, types, limit } = wanted
  const wide = inboxes.length > mostRanges
  const typed = types ? ` AND type IN (${types.map(() => '?').join(', ')})` : ''
  const range = (scope: string): string =>
    `SELECT * FROM (SELECT seq, id, type, inbox, timestamp, data FROM events WHERE ${scope} AND seq > ?${typed} ORDER BY seq LIMIT ${limit}) AS part`
  const ranges = wide
    ? [range(`inbox IN (${inboxes.map(() => '?').join(', ')})`)]
    : inboxes.map(() => range('inbox = ?'))
  const scopes: (readonly unknown[])[] = wide ? [inboxes] : inboxes.map((inbox) => [inbox])
  const page = [...ranges, range('user_id = ?')].join(' UNION ALL ')
  scopes.push([userId])
  const rows = await db.all(
    textQuery<PageRow>(
      `SELECT log.last_seq, log.pruned_seq, page.*, inboxes.id AS inbox_id FROM log
       LEFT JOIN (SELECT seq, id, type, inbox, timestamp, data FROM (${page}) AS parts ORDER BY seq LIMIT ${limit}) AS page ON 1 = 1
       LEFT JOIN inboxes ON inboxes.number = page.inbox ORDER BY page.seq`,
      scopes.flatMap((scope) => [...scope, after, ...(types ?? [])]),
    ),
  )
  return {
    events: rows.flatMap(({ seq, id, type, inbox_id, timestamp, data }) =>
      seq === null ? [] : [{ seq, id, type, inbox_id, timestamp, data: parseNames(data) as EventData }],
    ),
    lastSeq: rows[0]!.last_seq,
    prunedSeq: rows[0]!.pruned_seq,
  }
}

/**
 * Deletes events older than `before`, at most `limit` at once; returns how many. It stops at the first event that is
 * newer: one written while the clock was wrong must not take those before it along.
 */
export async function pruneEvents(db: Tx, before: number, limit: number): Promise<number> {
  const oldest = await db.all(
    db.build.selectFrom('events').select(['seq', 'timestamp']).orderBy('seq').limit(limit),
  )
  const newer = oldest.findIndex(({ timestamp }) => timestamp >= before)
  const last = oldest.at(newer === -1 ? -1 : newer - 1)
  if (newer === 0 || !last) return 0
  await db.run(db.build.updateTable('log').set({ pruned_seq: last.seq }))
  return db.run(db.build.deleteFrom('events').where('seq', '<=', last.seq))
}
