import type { Selectable } from 'kysely'
import type { Db } from '../db.ts'
import { statement, textQuery, type Build } from '../statement.ts'
import type { Tables } from '../tables.ts'

/** An event with the public id of its inbox. */
export type LoggedEvent = Selectable<Tables['events']> & { inbox_id: string | null }

const logBounds = statement((build) => build.selectFrom('log').select(['last_seq', 'pruned_seq']))
const events = (build: Build) =>
  build
    .selectFrom('events')
    .leftJoin('inboxes', 'inboxes.number', 'events.inbox')
    .selectAll('events')
    .select('inboxes.id as inbox_id')
const logBefore = statement((build, { before, limit }: { before: number; limit: number }) =>
  events(build).where('seq', '<', before).orderBy('seq', 'desc').limit(limit),
)

/** The whole log, unfiltered. One statement, so that the page and the end of the log are consistent. */
export async function readLog(db: Db, after: number, limit: number) {
  const rows = await db.all(
    textQuery<{ last_seq: number; pruned_seq: number } & (LoggedEvent | { seq: null })>(
      `SELECT log.last_seq, log.pruned_seq, page.* FROM log LEFT JOIN (
         SELECT events.*, inboxes.id AS inbox_id FROM events LEFT JOIN inboxes ON inboxes.number = events.inbox
         WHERE seq > ? ORDER BY seq LIMIT ${limit}) AS page ON 1 = 1 ORDER BY page.seq`,
      [after],
    ),
  )
  const { last_seq, pruned_seq } = rows[0]!
  const events = rows.flatMap((row) => (row.seq === null ? [] : [row]))
  return { events, lastSeq: last_seq, prunedSeq: pruned_seq }
}

/** Newest first. */
export async function readLogBefore(db: Db, before: number, limit: number): Promise<LoggedEvent[]> {
  return db.all(logBefore({ before, limit }))
}

export async function readLogBounds(db: Db): Promise<{ lastSeq: number; prunedSeq: number }> {
  const { last_seq, pruned_seq } = (await db.first(logBounds({})))!
  return { lastSeq: last_seq, prunedSeq: pruned_seq }
}

export async function findEvents(db: Db, seqs: readonly number[]): Promise<Map<number, LoggedEvent>> {
  if (seqs.length === 0) return new Map()
  const rows = await db.all(events(db.build).where('seq', 'in', seqs))
  return new Map(rows.map((row) => [row.seq, row]))
}

/** By id or seq. */
export async function findEvent(db: Db, idOrSeq: string): Promise<LoggedEvent | undefined> {
  const query = events(db.build)
  const isSeq = /^\d{1,15}$/.test(idOrSeq)
  return db.first(isSeq ? query.where('seq', '=', Number(idOrSeq)) : query.where('events.id', '=', idOrSeq))
}

/** The last event before that time; 0 if there is none. */
export async function seqBefore(db: Db, time: number): Promise<number> {
  const row = await db.first(
    db.build
      .selectFrom('events')
      .select('seq')
      .where('timestamp', '<', time)
      .orderBy('timestamp', 'desc')
      .orderBy('seq', 'desc')
      .limit(1),
  )
  return row?.seq ?? 0
}
