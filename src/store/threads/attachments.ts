import type { Selectable } from 'kysely'
import type { ByteRange } from '../../model/files/byte-range.ts'
import type { ParsedAttachment } from '../../model/mail/mail.ts'
import type { Db, Tx } from '../db.ts'
import { bulkInsert } from '../bulk.ts'
import { oneOf, statement, textQuery } from '../statement.ts'
import type { Tables } from '../tables.ts'

/** Small enough that many slow downloads use little memory, large enough that a fast one needs few queries. */
const pieceBytes = 262_144

const insertAttachment = bulkInsert('attachments', {
  id: 'text',
  message: 'bigint',
  position: 'bigint',
  filename: 'text',
  content_type: 'text',
  content_id: 'text',
  inline: 'bigint',
  size: 'bigint',
  hash: 'bytea',
})

const insertPiece = bulkInsert(
  'attachment_pieces',
  { hash: 'bytea', position: 'bigint', content: 'bytea' },
  { clause: 'ON CONFLICT DO NOTHING' },
)
/** Contents that this transaction has written: one mailbox holds the same logo many times. */
const kept = new WeakMap<Tx, Set<string>>()

/** A file sent many times (a logo in every signature) is stored once, by its hash. */
export async function insertAttachments(
  db: Tx,
  message: number,
  attachments: readonly ParsedAttachment[],
): Promise<void> {
  for (const [position, attachment] of attachments.entries()) {
    const { id, filename, contentType, contentId, inline, content, hash } = attachment
    await keepContent(db, hash, content)
    await db.add(insertAttachment, {
      id,
      message,
      position,
      filename,
      content_type: contentType,
      content_id: contentId,
      inline: inline ? 1 : 0,
      size: content.byteLength,
      hash,
    })
  }
}

/** Stored in pieces; an empty file is one empty piece. */
export async function keepContent(db: Tx, hash: Uint8Array, content: Uint8Array): Promise<void> {
  const name = Buffer.from(hash).toString('latin1')
  let names = kept.get(db)
  if (!names) kept.set(db, (names = new Set()))
  if (names.has(name)) return
  names.add(name)
  for (let position = 0; position === 0 || position * pieceBytes < content.length; position++) {
    const piece = content.subarray(position * pieceBytes, (position + 1) * pieceBytes)
    await db.add(insertPiece, { hash, position, content: piece })
  }
}

export type AttachmentRow = Selectable<Tables['attachments']>

/** The files of these messages, those of each in order. */
export async function listAttachments(db: Db, messages: readonly number[]): Promise<AttachmentRow[]> {
  if (messages.length === 0) return []
  const { test, value } = oneOf(db.dialect, messages)
  const sql = `SELECT * FROM attachments WHERE message ${test} ORDER BY message, position`
  return db.all(textQuery<AttachmentRow>(sql, [value]))
}

/** Scoped like its thread: outside the view it does not exist. */
export async function findVisibleAttachment(db: Db, id: string, inboxes: readonly number[]) {
  if (inboxes.length === 0) return undefined
  return db.first(
    db.build
      .selectFrom('attachments')
      .innerJoin('messages', 'messages.number', 'attachments.message')
      .selectAll('attachments')
      .where('attachments.id', '=', id)
      .where('messages.inbox', 'in', inboxes),
  )
}

const onePiece = statement((build, { hash, position }: { hash: Uint8Array; position: number }) =>
  build
    .selectFrom('attachment_pieces')
    .select('content')
    .where('hash', '=', hash)
    .where('position', '=', position),
)

/** Yields piece by piece, as fast as the reader consumes them. Content never changes, so no snapshot is needed. */
export async function* readContent(
  db: Db,
  { hash, size }: Pick<AttachmentRow, 'hash' | 'size'>,
  { start, end }: ByteRange = { start: 0, end: size },
): AsyncGenerator<Uint8Array> {
  for (let position = Math.floor(start / pieceBytes); position * pieceBytes < end; position++) {
    const piece = await db.first(onePiece({ hash, position }))
    if (!piece) throw new Error('A piece of a file is missing in the store.')
    const begin = position * pieceBytes
    yield piece.content.subarray(Math.max(0, start - begin), end - begin)
  }
}
