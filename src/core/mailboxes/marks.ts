import { checksumOf } from '../../model/mail/checksum.ts'
import { deleteMark, findCopies, markedMessages } from '../../store/inboxes/mail-marks.ts'
import { findSource } from '../../store/threads/sources.ts'
import type { Spool } from '../spool.ts'
import { asOwner, type MailboxOwner } from './sync.ts'

/** Messages of a folder to mark as read. */
interface FolderMarks {
  name: string
  uidValidity: number
  uids: number[]
  messages: number[]
}

/** IMAP commands name up to this many messages. */
const marksAtOnce = 200

/** The newest opened messages that are not marked yet, and where in the mailbox they are. */
export async function listMarks({ db }: Spool, { inbox }: MailboxOwner, account: string) {
  const messages: number[] = []
  const folders = new Map<string, FolderMarks>()
  const marked = await db.all(markedMessages({ inbox: inbox.number, limit: marksAtOnce }))
  for (const { message, checksum: known } of marked) {
    messages.push(message)
    const source = known ? null : await findSource(db, message)
    const checksum = known ?? (source && checksumOf(source))
    if (!checksum) continue
    for (const { name, uid_validity, uid } of await findCopies(db, {
      inbox: inbox.number,
      account,
      checksum,
    })) {
      const folder = folders.get(name) ?? { name, uidValidity: uid_validity, uids: [], messages: [] }
      folders.set(name, folder)
      folder.uids.push(uid)
      folder.messages.push(message)
    }
  }
  return { messages, folders: [...folders.values()] }
}

export async function forgetMarks(
  spool: Spool,
  owner: MailboxOwner,
  messages: readonly number[],
): Promise<void> {
  await asOwner(spool, owner, async (db) => {
    for (const message of messages) await deleteMark(db, owner.inbox.number, message)
  })
}
