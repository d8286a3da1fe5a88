import type { ListResponse } from 'imapflow'
import { quoteServer, SpoolError } from '../../model/errors.ts'
import { collect, search, type ImapConnection } from './connection.ts'

export function listFolders(connection: ImapConnection): Promise<ListResponse[]> {
  return collect(connection, connection.client.list())
}

/** The folder named by `?sent=`, else the one that the server or its name marks as Sent; null if there is none. */
export function findSentFolder(
  connection: ImapConnection,
  folders: readonly Pick<ListResponse, 'path' | 'specialUse'>[],
): string | null {
  const named = connection.server.options['sent'] ?? ''
  if (named !== '') return findFolder(connection, folders, named)
  return folders.find(({ specialUse }) => specialUse === '\\Sent')?.path ?? null
}

/** Its path on the server; the prefix of the server's namespace and the case may be left out. */
export function findFolder(
  { client, server }: ImapConnection,
  folders: readonly { path: string }[],
  name: string,
): string {
  const paths = folders.map(({ path }) => path)
  const names = [name, `${client.namespace?.prefix ?? ''}${name}`]
  const found =
    names.find((each) => paths.includes(each)) ??
    paths.find((path) => names.some((each) => each.toLowerCase() === path.toLowerCase()))
  if (found !== undefined) return found
  throw new SpoolError(
    'not_found',
    `${server.host} has no folder ${name}; it has ${quoteServer(paths.slice(0, 30).join(', '), 600)}.`,
  )
}

/** Appends a mail as mail clients do after sending: marked as read and dated now. Returns the folder. */
export async function appendToSent(connection: ImapConnection, raw: Uint8Array): Promise<string> {
  const folder = findSentFolder(connection, await listFolders(connection))
  if (folder === null)
    throw new SpoolError(
      'not_found',
      `${connection.server.host} has no folder for sent mail; name it in the address of the IMAP server: ?sent=FOLDER.`,
    )
  // The client drops flags that the open folder does not permit, and a folder opened read-only permits none.
  if (connection.client.mailbox) await connection.client.mailboxClose()
  const content = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const appended = await connection.client.append(folder, content, ['\\Seen'], new Date())
  if (!appended) throw connection.failure() ?? new Error(`The server did not take the mail into ${folder}.`)
  return folder
}

/** Whether the Sent folder has a mail with this Message-ID (in angle brackets); some servers keep a copy themselves. */
export async function hasMessageId(connection: ImapConnection, messageId: string): Promise<boolean> {
  const folder = findSentFolder(connection, await listFolders(connection))
  if (folder === null) return false
  const { client } = connection
  const lock = await client.getMailboxLock(folder, { readOnly: true })
  try {
    const found = await search(connection, { header: { 'message-id': messageId } })
    if (found.length === 0) return false
    // HEADER also matches parts of a value.
    const heads = await client.fetchAll(found, { uid: true, envelope: true }, { uid: true })
    return heads.some(({ envelope }) => envelope?.messageId?.trim() === messageId)
  } finally {
    lock.release()
  }
}
