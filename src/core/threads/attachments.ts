import { numbersOf, type View } from '../../model/access.ts'
import type { ByteRange } from '../../model/files/byte-range.ts'
import { findVisibleAttachment, readContent } from '../../store/threads/attachments.ts'
import { noSuch } from '../access/access.ts'
import type { Spool } from '../spool.ts'

export interface Attachment {
  filename: string
  contentType: string
  size: number
  /** Hash of the bytes. */
  hash: Uint8Array
  /** The bytes, read from the store as they are consumed. */
  content(range?: ByteRange): AsyncIterable<Uint8Array>
}

export async function getAttachment(spool: Spool, caller: View, id: string): Promise<Attachment> {
  const found = await findVisibleAttachment(spool.db, id, numbersOf(caller.inboxes))
  if (!found) throw noSuch('attachment')
  const { filename, content_type: contentType, size, hash } = found
  return { filename, contentType, size, hash, content: (range) => readContent(spool.db, found, range) }
}
