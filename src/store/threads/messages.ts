import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables.ts'

export type MessageRow = Selectable<Tables['messages']>
type MessageValues = Required<Omit<Insertable<Tables['messages']>, 'number'>>

const sameMessage = statement((build, { inbox, identity }: { inbox: number; identity: Uint8Array }) =>
  build
    .selectFrom('messages')
    .select(['id', 'thread'])
    .where('inbox', '=', inbox)
    .where('identity', '=', identity),
)

export async function findSameMessage(
  db: Db,
  inbox: number,
  identity: Uint8Array,
): Promise<{ id: string; thread: number } | undefined> {
  return db.first(sameMessage({ inbox, identity }))
}

const insert = statement((build, message: MessageValues) =>
  build
    .insertInto('messages')
    .values({
      id: message.id,
      inbox: message.inbox,
      thread: message.thread,
      arrival: message.arrival,
      timestamp: message.timestamp,
      direction: message.direction,
      identity: message.identity,
      message_id: message.message_id,
      in_reply_to: message.in_reply_to,
      subject: message.subject,
      sender: message.sender,
      recipients: message.recipients,
      preview: message.preview,
      attachment_count: message.attachment_count,
      sent_by: message.sent_by,
      authentication: message.authentication,
      hidden_text_removed: message.hidden_text_removed,
      warnings: message.warnings,
      truncated: message.truncated,
      kind: message.kind,
      form: message.form,
      auto_generated: message.auto_generated,
    })
    .returning('number'),
)

type Body = Tables['message_bodies']
const insertBody = statement((build, { message, text, new_text, html, links }: Body) =>
  build.insertInto('message_bodies').values({ message, text, new_text, html, links }),
)

const insertSource = statement((build, { message, source }: { message: number; source: Uint8Array }) =>
  build.insertInto('message_sources').values({ message, source }),
)

export async function insertMessage(
  db: Tx,
  values: MessageValues,
  body: Omit<Body, 'message'>,
  source: Uint8Array,
): Promise<number> {
  const { number: message } = (await db.first(insert(values)))!
  await db.run(insertBody({ message, ...body }))
  await db.run(insertSource({ message, source }))
  return message
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
    .limit(1),
)

export async function findMessageInThread(
  db: Db,
  thread: number,
  messageId: string,
): Promise<string | undefined> {
  return (await db.first(messageInThread({ thread, messageId })))?.id
}

const firstAnswer = statement((build, { thread, since }: { thread: number; since: number }) =>
  build
    .selectFrom('messages')
    .select('timestamp')
    .where('thread', '=', thread)
    .where('direction', '=', 'outbound')
    .where('timestamp', '>=', since)
    .orderBy('timestamp')
    .limit(1),
)

export async function firstAnswerSince(db: Db, thread: number, since: number): Promise<number | null> {
  return (await db.first(firstAnswer({ thread, since })))?.timestamp ?? null
}

export async function findMessageById(
  db: Db,
  id: string,
): Promise<{ number: number; id: string; inbox: number; thread: number } | undefined> {
  return db.first(
    db.build.selectFrom('messages').select(['number', 'id', 'inbox', 'thread']).where('id', '=', id),
  )
}

/** Scoped like its thread: outside the view it does not exist. */
export async function findVisibleMessage(
  db: Db,
  id: string,
  inboxes: readonly number[],
): Promise<{ number: number; subject: string; form: number; html: string | null } | undefined> {
  if (inboxes.length === 0) return undefined
  return db.first(
    db.build
      .selectFrom('messages')
      .innerJoin('message_bodies', 'message_bodies.message', 'messages.number')
      .select(['number', 'subject', 'form', 'html'])
      .where('messages.id', '=', id)
      .where('messages.inbox', 'in', [...inboxes]),
  )
}
