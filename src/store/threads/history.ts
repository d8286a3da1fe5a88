import type { Selectable } from 'kysely'
import type { ActorReference } from '../../model/access.ts'
import { newId } from '../../model/ids.ts'
import type { HistoryData } from '../../model/history.ts'
import { listAttachments, type AttachmentRow } from './attachments.ts'
import type { Db, Tx } from '../db.ts'
import type { MessageRow } from './messages.ts'
import type { Position } from '../position.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables.ts'

export type HistoryRow = Selectable<Tables['history']>
export type MessageWithBody = MessageRow &
  Omit<Tables['message_bodies'], 'message'> & { attachments: AttachmentRow[] }
export type TimelineItem = { id: string; timestamp: number } & (
  | { message: MessageWithBody }
  | { entry: HistoryRow }
)

const insert = statement((build, entry: HistoryRow) =>
  build.insertInto('history').values({
    id: entry.id,
    thread: entry.thread,
    timestamp: entry.timestamp,
    type: entry.type,
    data: entry.data,
  }),
)

export async function appendHistory<Type extends keyof HistoryData>(
  db: Tx,
  thread: number,
  type: Type,
  timestamp: number,
  data: HistoryData[Type],
): Promise<void> {
  await db.queue(insert({ id: newId('his', timestamp), thread, timestamp, type, data: JSON.stringify(data) }))
}

const changedTypes = ['status_changed', 'assigned', 'unassigned'] as const
export interface ThreadChange {
  type: (typeof changedTypes)[number]
  timestamp: number
  actor: ActorReference
}

/** Changes of status and assignment from this time on. */
export async function changesSince(db: Db, thread: number, since: number): Promise<ThreadChange[]> {
  const rows = await db.all(
    db.build
      .selectFrom('history')
      .select(['type', 'timestamp', 'data'])
      .where('thread', '=', thread)
      .where('timestamp', '>=', since)
      .where('type', 'in', changedTypes)
      .orderBy('timestamp')
      .orderBy('id'),
  )
  return rows.map(({ type, timestamp, data }) => ({
    type: type as ThreadChange['type'],
    timestamp,
    actor: (JSON.parse(data) as { actor: ActorReference }).actor,
  }))
}

/** Messages and other history in one order; bodies are read only for the page. */
export async function readTimeline(
  db: Db,
  thread: number,
  { after, order, limit }: { after: Position | null; order: 'asc' | 'desc'; limit: number },
): Promise<{ items: TimelineItem[]; next: Position | null }> {
  const keysOf = <Table extends 'messages' | 'history'>(table: Table) => {
    let query = db.build
      .selectFrom(table as 'messages')
      .select(['id', 'timestamp'])
      .where('thread', '=', thread)
    if (after) {
      const than = order === 'asc' ? '>' : '<'
      query = query.where((where) =>
        where(where.refTuple('timestamp', 'id'), than, where.tuple(after.timestamp, after.id)),
      )
    }
    return query
      .orderBy('timestamp', order)
      .orderBy('id', order)
      .limit(limit + 1)
  }
  const keys = [
    ...(await db.all(keysOf('messages'))).map((key) => ({ ...key, message: true })),
    ...(await db.all(keysOf('history'))).map((key) => ({ ...key, message: false })),
  ].sort((a, b) => (order === 'asc' ? 1 : -1) * (a.timestamp - b.timestamp || (a.id < b.id ? -1 : 1)))
  const messageIds = keys.slice(0, limit).flatMap((key) => (key.message ? [key.id] : []))
  const messages = await messagesWithin(db, messageIds)
  // Stop at the first message that did not fit.
  const room = keys.findIndex((key) => key.message && !messages.has(key.id))
  const page = keys.slice(0, room === -1 ? limit : Math.min(room, limit))
  const entryIds = page.flatMap((key) => (key.message ? [] : [key.id]))
  const entries = await historyEntries(db, entryIds)
  const last = page.at(-1)
  return {
    items: page.map(({ id, timestamp, message }) => ({
      id,
      timestamp,
      ...(message ? { message: messages.get(id)! } : { entry: entries.get(id)! }),
    })),
    next: keys.length > page.length ? (last ?? after ?? beginning[order]) : null,
  }
}

/** Before the first entry: where a page without entries ends. */
const beginning = {
  asc: { timestamp: 0, id: '0' },
  desc: { timestamp: Number.MAX_SAFE_INTEGER, id: 'z' },
} satisfies Record<string, Position>

/** Limits a page of very large messages: together they must fit into memory and one response. */
const mostCharacters = 8_000_000
const messagesAtOnce = 20

async function messagesWithin(db: Db, ids: string[]): Promise<Map<string, MessageWithBody>> {
  const messages = new Map<string, MessageWithBody>()
  let characters = 0
  for (let at = 0; at < ids.length && characters < mostCharacters; at += messagesAtOnce) {
    const some = ids.slice(at, at + messagesAtOnce)
    const found = await messagesWithBodies(db, some)
    for (const id of some) {
      const message = found.get(id)!
      characters += message.text.length + message.new_text.length + (message.html?.length ?? 0)
      if (characters > mostCharacters && messages.size > 0) return messages
      messages.set(id, message)
    }
  }
  return messages
}

/** Scoped like its thread: outside the view it does not exist. */
export async function findVisibleEntry(db: Db, id: string, inboxes: readonly number[]) {
  if (inboxes.length === 0) return undefined
  const found = await db.first(
    db.build
      .selectFrom('messages')
      .innerJoin('threads', 'threads.number', 'messages.thread')
      .select('threads.id as threadId')
      .where('messages.id', '=', id)
      .where('messages.inbox', 'in', inboxes),
  )
  return found && { threadId: found.threadId, message: (await messagesWithBodies(db, [id])).get(id)! }
}

/** Finds messages by id or by number; the result is keyed by id. */
export async function messagesWithBodies(
  db: Db,
  ids: readonly string[] | readonly number[],
): Promise<Map<string, MessageWithBody>> {
  if (ids.length === 0) return new Map()
  const column = typeof ids[0] === 'string' ? 'messages.id' : 'messages.number'
  const rows = await db.all(
    db.build
      .selectFrom('messages')
      .innerJoin('message_bodies', 'message_bodies.message', 'messages.number')
      .selectAll('messages')
      .select(['text', 'new_text', 'html', 'links'])
      .where(column, 'in', [...ids] as string[] | number[]),
  )
  const withFiles = rows.filter((row) => row.attachment_count > 0).map((row) => row.number)
  const filesOf = Map.groupBy(await listAttachments(db, withFiles), (file) => file.message)
  return new Map(rows.map((row) => [row.id, { ...row, attachments: filesOf.get(row.number) ?? [] }]))
}

async function historyEntries(db: Db, ids: string[]): Promise<Map<string, HistoryRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(db.build.selectFrom('history').selectAll().where('id', 'in', ids))
  return new Map(rows.map((row) => [row.id, row]))
}
