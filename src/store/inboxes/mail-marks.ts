import { checksumBytes } from '../../model/mail/checksum.ts'
import type { Db, Tx } from '../db.ts'
import { deleteRows } from '../rows.ts'
import { statement, textQuery } from '../statement.ts'

/** Queues the inbound mail of a thread. */
export async function insertMarks(db: Tx, thread: number): Promise<void> {
  await db.run(
    textQuery(
      `INSERT INTO mail_marks (inbox, message) SELECT inbox, number FROM messages
       WHERE thread = ? AND direction = 'inbound' ON CONFLICT (inbox, message) DO NOTHING`,
      [thread],
    ),
  )
}

export async function deleteMark(db: Tx, inbox: number, message: number): Promise<void> {
  await deleteRows(db, 'mail_marks', { inbox, message })
}

/** Messages to mark, newest first, with the checksum of their source; null if it has never been computed. */
export const markedMessages = statement((build, { inbox, limit }: { inbox: number; limit: number }) =>
  build
    .selectFrom('mail_marks')
    .innerJoin('message_sources', 'message_sources.message', 'mail_marks.message')
    .select(['mail_marks.message', 'message_sources.checksum'])
    .where('mail_marks.inbox', '=', inbox)
    .orderBy('mail_marks.message', 'desc')
    .limit(limit),
)

interface Copies {
  inbox: number
  account: string
  checksum: Uint8Array
}

/** Where the source with this checksum was found in the mailbox, as last seen. A checksum is the start of the hash. */
export async function findCopies(db: Db, { inbox, account, checksum }: Copies) {
  const to = Buffer.concat([checksum, Buffer.alloc(32 - checksumBytes, 0xff)])
  return db.all(copies({ inbox, account, from: checksum, to }))
}

const copies = statement((build, of: { inbox: number; account: string; from: Uint8Array; to: Uint8Array }) =>
  build
    .selectFrom('mail_items')
    .innerJoin('mail_folders', (join) =>
      join
        .onRef('mail_folders.number', '=', 'mail_items.folder')
        .onRef('mail_folders.uid_validity', '=', 'mail_items.uid_validity'),
    )
    .select(['mail_folders.name', 'mail_folders.uid_validity', 'mail_items.uid'])
    .where('mail_items.inbox', '=', of.inbox)
    .where('mail_items.hash', '>=', of.from)
    .where('mail_items.hash', '<=', of.to)
    .where('mail_folders.account', '=', of.account)
    .where('mail_folders.is_sent', '=', 0),
)
