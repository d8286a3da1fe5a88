import type { Address } from '../../model/mail/mail.ts'
import { bulkUpdate } from '../bulk.ts'
import type { Db, Tx } from '../db.ts'
import { touch } from '../log/versions.ts'
import { namedQuery, oneOf, textQuery } from '../statement.ts'
import { sql } from '../kysely.ts'
import { domainOf } from './page-sql.ts'

/** Longer texts are cut off here, in characters. */
export const longestWords = 60_000

const recent = <Row>(columns: string) =>
  namedQuery<Row>(`SELECT ${columns} FROM messages JOIN message_bodies ON message = number
    WHERE thread = :thread AND timestamp <= :timestamp AND messages.id <> :id ORDER BY timestamp DESC, messages.id DESC LIMIT :limit`)
const recentWords = recent<Omit<MessageWords, 'sender'> & { sender: string }>(
  'messages.id, timestamp, sender, new_text AS "newText"',
)
const recentTexts = recent<{ text: string }>('text')

export interface MessageWords {
  id: string
  timestamp: number
  sender: Address
  newText: string
}

const anyMessage = { id: '', timestamp: Number.MAX_SAFE_INTEGER }

/** The newest messages of a thread, or the newest apart from a message and those after it, oldest of them first. */
export async function listRecentWords(db: Db, thread: number, limit: number, { id, timestamp } = anyMessage) {
  const rows = await db.all(recentWords({ thread, limit, id, timestamp }))
  const words = rows.map(({ sender, newText, ...row }) => ({
    ...row,
    sender: JSON.parse(sender) as Address,
    newText: newText.slice(0, longestWords),
  }))
  return words.toReversed()
}

/** The full texts of the same messages. */
export async function listRecentTexts(db: Db, thread: number, limit: number, { id, timestamp } = anyMessage) {
  const rows = await db.all(recentTexts({ thread, limit, id, timestamp }))
  return rows.map(({ text }) => text.slice(0, longestWords))
}

/** The index `threads_by_sender` has the threads in this order. */
const latestThreads = `SELECT number FROM threads WHERE ${domainOf('sender_address')} = lower(CAST(? AS TEXT))
  AND lower(sender_address) = lower(CAST(? AS TEXT)) AND inbox = ? AND number <= ? ORDER BY number DESC LIMIT 3`
const textsOfThreads = `SELECT messages.sender, message_bodies.text
  FROM (${latestThreads}) AS latest
  JOIN messages ON messages.thread = latest.number JOIN message_bodies ON message_bodies.message = messages.number
  WHERE messages.number < ? ORDER BY messages.number DESC LIMIT 10`

/** A message that is already stored, by the numbers of its thread and itself. */
export interface Stored {
  thread: number
  number: number
}

/** Full texts from the latest threads that this sender began; for a stored message, those from before it. */
export function listTextsAround(db: Db, inbox: number, address: string, stored: Stored | null) {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const { thread, number } = stored ?? { thread: Number.MAX_SAFE_INTEGER, number: Number.MAX_SAFE_INTEGER }
  const values = [domain, address, inbox, thread, number]
  return db.all(textQuery<{ sender: string; text: string }>(textsOfThreads, values))
}

/** What messages are indexed by, in the order of their numbers. `hasForms`: false in a store of an early version. */
export function listTextsToIndex(
  db: Db,
  { after, limit, hasForms }: { after: number; limit: number; hasForms: boolean },
) {
  return db.all(
    db.build
      .selectFrom('messages')
      .innerJoin('message_bodies', 'message_bodies.message', 'messages.number')
      .select(['number', 'inbox', 'subject', 'sender', 'recipients', 'warnings', 'message_bodies.text'])
      .select(hasForms ? 'form' : sql<number>`0`.as('form'))
      .where('number', '>', after)
      .orderBy('number')
      .limit(limit),
  )
}

export interface StoredBody {
  id: string
  message: number
  subject: string
  text: string
  newText: string
  html: string | null
}

/** Reads subject, text, new text and HTML of each message, in the order of the ids and with one query. */
export async function readBodies(db: Db, ids: readonly string[]): Promise<StoredBody[]> {
  if (ids.length === 0) return []
  const { test, value } = oneOf(db.dialect, ids, 'text')
  const sql = `SELECT messages.id, message, subject, text, new_text AS "newText", html
    FROM messages JOIN message_bodies ON message = number WHERE messages.id ${test}`
  const found = new Map((await db.all(textQuery<StoredBody>(sql, [value]))).map((row) => [row.id, row]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

const bodies = bulkUpdate<'message_bodies', { message: number; new_text: string; html: string | null }>(
  'message_bodies',
  { message: 'bigint', new_text: 'text', html: 'text' },
)
const previews = bulkUpdate<'messages', { number: number; preview: string }>('messages', {
  number: 'bigint',
  preview: 'text',
})

export async function writeNewText(
  db: Tx,
  inbox: number,
  message: number,
  { newText, html, preview }: { newText: string; html: string | null; preview: string },
): Promise<void> {
  touch(db, `inbox:${inbox}`)
  await db.add(bodies, { message, new_text: newText, html })
  await db.add(previews, { number: message, preview })
}
