import type { Insertable, Selectable } from 'kysely'
import type { Inbox } from '../../model/access.ts'
import type { ThreadSummary } from '../../model/thread.ts'
import { toTime, toTimeOrNull } from '../../model/time.ts'
import type { Tx } from '../db.ts'
import { bulkInsert, bulkUpdate } from '../bulk.ts'
import type { Position } from '../position.ts'
import type { Dialect } from '../statement.ts'
import type { Tables } from '../tables.ts'

/**
 * The summary of a thread: what a list shows of it. Only this file knows its JSON. A single thread is read from its
 * columns; `thread_summaries` holds the same data as JSON, built when the thread is written, because the database joins
 * a list from it at a third of the cost of reading rows.
 */
export type ThreadRow = Selectable<Tables['threads']>
export type ThreadValues = Required<Omit<Insertable<Tables['threads']>, 'number'>>

/** What a summary needs besides the thread, such as whether this reader has read it. */
interface Reader {
  unread: boolean
  inbox: Pick<Inbox, 'id' | 'name' | 'address'>
  /** The public address of this Spool. */
  url: string
}

export function describeThread(thread: ThreadRow, { unread, inbox, url }: Reader): ThreadSummary {
  const { id, name, address } = inbox
  return {
    ...describe(thread),
    unread,
    inbox: { id, name, address },
    webUrl: `${url}/threads/${thread.id}`,
  }
}

/** The part that is the same for every reader. */
function describe(thread: ThreadValues) {
  const assignment = thread.assignee_id !== null && {
    id: thread.assignee_id,
    name: thread.assignee_name!,
    email: thread.assignee_email!,
    assignedAt: toTime(thread.assigned_at!),
  }
  return {
    id: thread.id,
    subject: thread.subject,
    sender: { name: thread.sender_name, address: thread.sender_address },
    timestamp: toTime(thread.timestamp),
    status: thread.status,
    assignment: assignment || null,
    preview: thread.preview,
    messageCount: thread.message_count,
    noteCount: thread.note_count,
    attachmentCount: thread.attachment_count,
    draftCount: thread.draft_count,
    snoozedUntil: toTimeOrNull(thread.snoozed_until),
    createdAt: toTime(thread.created_at),
    updatedAt: toTime(thread.updated_at),
    revision: thread.revision,
  }
}

/** The JSON of `describe`, left open: a list adds what differs between readers (see `itemSql`). */
function encode(number: number, thread: ThreadValues): Tables['thread_summaries'] {
  return { thread: number, item: JSON.stringify(describe(thread)).slice(0, -1) }
}

const columns = { thread: 'bigint', item: 'text' } as const
const insert = bulkInsert('thread_summaries', columns)
const update = bulkUpdate<'thread_summaries', Tables['thread_summaries']>('thread_summaries', columns)

export async function insertSummary(db: Tx, number: number, thread: ThreadValues): Promise<void> {
  await db.add(insert, encode(number, thread))
}

export async function updateSummary(db: Tx, number: number, thread: ThreadValues): Promise<void> {
  await db.add(update, encode(number, thread))
}

/** JSON contains no raw line break, so this only occurs between two threads. */
export const between = ',\n'

/**
 * SQL for one thread of a list: `p` has its id, `s` is its row of `thread_summaries`, `i` its inbox; `:webUrl` begins its
 * address (see `beginWebUrl`).
 */
export function itemSql(dialect: Dialect, unread: string): string {
  const quote = dialect === 'sqlite' ? 'json_quote' : 'to_json'
  return (
    `concat(s.item, ',"unread":', ${unread}, ',"inbox":{"id":"', i.id, '","name":', ${quote}(i.name), ',"address":', ` +
    `${quote}(i.address), '},"webUrl":', CAST(:webUrl AS TEXT), p.id, '"}')`
  )
}

export function beginWebUrl(url: string): string {
  return JSON.stringify(`${url}/threads/`).slice(0, -1)
}

export function decodeItems(items: Uint8Array): ThreadSummary[] {
  return JSON.parse(`[${Buffer.from(items).toString()}]`) as ThreadSummary[]
}

/** Like `decodeItems`, but with texts as UTF-8 bytes read as Latin-1, for callers that pass most of them on. */
export function decodeItemsAsBytes(items: Uint8Array): ThreadSummary[] {
  const text = Buffer.from(items.buffer, items.byteOffset, items.byteLength).toString('latin1')
  return JSON.parse(`[${text}]`) as ThreadSummary[]
}

/** Removes the last thread, and returns the position of the one before it. */
export function cutLast(items: Buffer): { items: Buffer; last: Position } {
  const kept = items.subarray(0, items.lastIndexOf(between))
  // The fields read here are ASCII, and the others need not be decoded.
  const last = kept.toString('latin1', kept.lastIndexOf(between) + 1)
  const { timestamp, id } = JSON.parse(last) as ThreadSummary
  return { items: kept, last: { timestamp: Date.parse(timestamp), id } }
}
