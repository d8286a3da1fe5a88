import { numbersOf, type View } from '../../model/access.ts'
import type { ByteRange } from '../../model/files/byte-range.ts'
import type { Message } from '../../model/history.ts'
import { snapshot } from '../../store/database.ts'
import { findVisibleEntry } from '../../store/threads/history.ts'
import { findVisibleMessage } from '../../store/threads/messages.ts'
import { readSourceRange } from '../../store/threads/sources.ts'
import { noSuch } from '../access/access.ts'
import { currentMessage } from '../forms/forms.ts'
import { sizeOfWholeSource } from '../sources.ts'
import type { Spool } from '../spool.ts'
import { readMessage } from './history.ts'

/** The message as in its thread's history. */
export async function getMessage(spool: Spool, { inboxes }: View, id: string): Promise<Message> {
  const found = await snapshot(spool.db, (db) => findVisibleEntry(db, id, numbersOf(inboxes)))
  if (!found) throw noSuch('message')
  return { ...readMessage(await currentMessage(spool, found.message)), threadId: found.threadId }
}

/** The mail as it arrived, read from the store as it is consumed. It is written once and never changes. */
export async function openSource(spool: Spool, { inboxes }: View, id: string) {
  const message = await findVisibleMessage(spool.db, id, numbersOf(inboxes))
  const size = message && (await sizeOfWholeSource(spool, message.number))
  if (size === undefined) throw noSuch('message')
  const { number, subject } = message!
  return { subject, size, content: (range: ByteRange) => readSourceRange(spool.db, number, range) }
}
