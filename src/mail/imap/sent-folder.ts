import { SpoolError } from '../../model/errors.ts'
import type { ImapConnection } from './connection.ts'

/** Named by `?sent=` in the server's address, else what the server or its name says is for sent mail; null where there is none. */
export async function findSentFolder({ client, server }: ImapConnection): Promise<string | null> {
  const named = server.options['sent']
  const folders = await client.list(named === undefined ? {} : { specialUseHints: { sent: named } })
  return folders.find(({ specialUse }) => specialUse === '\\Sent')?.path ?? null
}

/** As a mail client would after sending: read, and dated now. Answers the folder it went to. */
export async function appendToSent(connection: ImapConnection, raw: Uint8Array): Promise<string> {
  const folder = await findSentFolder(connection)
  if (folder === null) throw noSentFolder(connection)
  // The client leaves out flags that the folder it has open may not keep: one open for reading keeps none.
  if (connection.client.mailbox) await connection.client.mailboxClose()
  const content = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const appended = await connection.client.append(folder, content, ['\\Seen'], new Date())
  if (!appended) throw connection.failure() ?? new Error(`The server did not take the mail into ${folder}.`)
  return folder
}

/** Whether the Sent folder has a mail with this Message-ID (with its angle brackets); some servers keep a copy by themselves. */
export async function hasMessageId(connection: ImapConnection, messageId: string): Promise<boolean> {
  const folder = await findSentFolder(connection)
  if (folder === null) return false
  const { client } = connection
  const lock = await client.getMailboxLock(folder, { readOnly: true })
  try {
    const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
    if (!Array.isArray(found)) throw connection.failure() ?? new Error('The server did not answer a search.')
    if (found.length === 0) return false
    // HEADER matches parts of a value too.
    const heads = await client.fetchAll(found, { uid: true, envelope: true }, { uid: true })
    return heads.some(({ envelope }) => envelope?.messageId?.trim() === messageId)
  } finally {
    lock.release()
  }
}

function noSentFolder({ server }: ImapConnection): SpoolError {
  return new SpoolError(
    'not_found',
    `${server.host} has no folder for sent mail; name it in the address of the IMAP server: ?sent=FOLDER.`,
  )
}
