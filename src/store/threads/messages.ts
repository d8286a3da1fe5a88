import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { findRow } from '../rows.ts'
import { selectAmong } from '../among.ts'
import { bulkInsert } from '../bulk.ts'
import { nextNumber } from '../row-numbers.ts'
import { statement, textQuery } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { insertSource } from './sources.ts'

export type MessageRow = Selectable<Tables['messages']>
type MessageValues = Required<Omit<Insertable<Tables['messages']>, 'number'>>

/** Returns those of the mails that are already stored. */
export function findSameMessages(db: Db, inbox: number, identities: readonly Uint8Array[]) {
  const select = 'SELECT id, thread, identity FROM messages WHERE inbox = ? AND identity'
  return selectAmong<Pick<MessageRow, 'id' | 'thread' | 'identity'>>(db, select, inbox, identities)
}

const insert = bulkInsert('messages', {
  number: 'bigint',
  id: 'text',
  inbox: 'bigint',
  thread: 'bigint',
  arrival: 'bigint',
  timestamp: 'bigint',
  direction: 'text',
  identity: 'bytea',
  message_id: 'text',
  in_reply_to: 'text',
  subject: 'text',
  sender: 'text',
  recipients: 'text',
  preview: 'text',
  attachment_count: 'bigint',
  sent_by: 'text',
  authentication: 'text',
  hidden_text_removed: 'bigint',
  warnings: 'text',
  truncated: 'bigint',
  kind: 'text',
  form: 'bigint',
  auto_generated: 'bigint',
})

const insertBody = bulkInsert('message_bodies', {
  message: 'bigint',
  text: 'text',
  new_text: 'text',
  html: 'text',
  links: 'text',
})

export async function insertMessage(
  db: Tx,
  values: MessageValues,
  body: Omit<Tables['message_bodies'], 'message'>,
  source: Omit<Tables['message_sources'], 'message'>,
): Promise<number> {
  const message = await nextNumber(db, 'messages')
  await db.add(insert, { number: message, ...values })
  await db.add(insertBody, { message, ...body })
  await insertSource(db, { message, ...source })
  return message
}

/** The public ids of these messages, ordered by number. */
export async function listMessageIds(db: Db, numbers: readonly number[]): Promise<string[]> {
  if (numbers.length === 0) return []
  const those = db.build.selectFrom('messages').select('id').where('number', 'in', numbers)
  return (await db.all(those.orderBy('number'))).map(({ id }) => id)
}

export async function countMessages(db: Db): Promise<number> {
  const counted = db.build.selectFrom('messages').select((select) => select.fn.countAll<number>().as('count'))
  return Number((await db.first(counted))!.count)
}

const messageInThread = statement((build, { thread, messageId }: { thread: number; messageId: string }) =>
  build
    .selectFrom('messages')
    .select('id')
    .where('thread', '=', thread)
    .where('message_id', '=', messageId)
    .orderBy('timestamp')
    .orderBy('id')
    .limit(1),
)

export async function findMessageInThread(db: Db, thread: number, messageId: string) {
  return (await db.first(messageInThread({ thread, messageId })))?.id
}

const answerSince = (thread: string, since: string): string =>
  `SELECT timestamp FROM messages WHERE messages.thread = ${thread} AND direction = 'outbound' AND timestamp >= ${since} ORDER BY timestamp LIMIT 1`
const firstAnswers = {
  sqlite: `SELECT value ->> 0 AS thread, (${answerSince('value ->> 0', 'value ->> 1')}) AS answered FROM json_each(?)`,
  postgres: `SELECT (value ->> 0)::bigint AS thread, (${answerSince('(value ->> 0)::bigint', '(value ->> 1)::bigint')}) AS answered FROM jsonb_array_elements(CAST(? AS jsonb))`,
}

/** When each thread was first answered since the time given for it, in one query. */
export async function firstAnswersSince(
  db: Db,
  asked: readonly (readonly [thread: number, since: number])[],
): Promise<Map<number, number | null>> {
  if (asked.length === 0) return new Map()
  const sql = firstAnswers[db.dialect]
  const rows = await db.all(
    textQuery<{ thread: number; answered: number | null }>(sql, [JSON.stringify(asked)]),
  )
  return new Map(rows.map(({ thread, answered }) => [thread, answered]))
}

export async function findMessageById(db: Db, id: string) {
  return findRow(db, 'messages', { id })
}

/** Scoped like its thread: outside the view it does not exist. */
export async function findVisibleMessage(db: Db, id: string, inboxes: readonly number[]) {
  if (inboxes.length === 0) return undefined
  return db.first(
    db.build
      .selectFrom('messages')
      .innerJoin('message_bodies', 'message_bodies.message', 'messages.number')
      .select(['number', 'subject', 'form', 'html'])
      .where('messages.id', '=', id)
      .where('messages.inbox', 'in', inboxes),
  )
}
