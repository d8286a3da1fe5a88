import type { Address } from '../../model/mail/mail.ts'
import type { Db } from '../db.ts'
import { findRow } from '../rows.ts'
import type { MessageRow } from './messages.ts'

/** Messages without bodies, in order of arrival. */
export async function listThreadMessages(db: Db, thread: number): Promise<ThreadMessage[]> {
  const rows = await db.all(
    db.build.selectFrom('messages').selectAll().where('thread', '=', thread).orderBy('arrival'),
  )
  return rows.map(readThreadMessage)
}

/** The parts of a message that a reply needs. */
export type ThreadMessage = ReturnType<typeof readThreadMessage>

function readThreadMessage(row: MessageRow) {
  const { to, cc, replyTo } = JSON.parse(row.recipients) as Record<'to' | 'cc' | 'replyTo', Address[]>
  return {
    number: row.number,
    id: row.id,
    arrival: row.arrival,
    timestamp: row.timestamp,
    direction: row.direction,
    kind: row.kind,
    messageId: row.message_id,
    inReplyTo: row.in_reply_to,
    subject: row.subject,
    from: JSON.parse(row.sender) as Address,
    to,
    cc,
    replyTo,
  }
}

const bodiesAtOnce = 50

/** In batches: the texts of a thread may not fit into memory together. */
export async function* readTexts(db: Db, messages: readonly { number: number }[]) {
  for (let at = 0; at < messages.length; at += bodiesAtOnce) {
    const numbers = messages.slice(at, at + bodiesAtOnce).map(({ number }) => number)
    yield* await db.all(
      db.build
        .selectFrom('message_bodies')
        .select(['message', 'text', 'links'])
        .where('message', 'in', numbers),
    )
  }
}

export async function readText(db: Db, message: number): Promise<string> {
  const row = await db.first(
    db.build.selectFrom('message_bodies').select('text').where('message', '=', message),
  )
  return row?.text ?? ''
}

export async function findThreadMessage(db: Db, thread: number, id: string) {
  const row = await findRow(db, 'messages', { id, thread })
  return row && readThreadMessage(row)
}

/** The last to arrive, whatever its Date header says. */
export async function newestMessage(db: Db, thread: number) {
  return db.first(
    db.build
      .selectFrom('messages')
      .select(['id', 'arrival'])
      .where('thread', '=', thread)
      .orderBy('arrival', 'desc')
      .limit(1),
  )
}
