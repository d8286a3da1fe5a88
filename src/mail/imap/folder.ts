import type { FetchMessageObject, ListResponse, MailboxObject } from 'imapflow'
import { SpoolError } from '../../model/errors.ts'
import { readFolderNames } from '../../model/mail/server.ts'
import { listsTooMuch, search, type ImapConnection } from './connection.ts'
import { findFolder, findSentFolder, listFolders } from './sent-folder.ts'

export interface FolderChoice {
  name: string
  /** Its mail was sent by the team. */
  isSent: boolean
  /** The server marks it as the spam folder. */
  isJunk: boolean
  /** The server marks it as the folder of all mail, sent mail included. */
  isAll: boolean
}

/** What the server says about a folder when it is opened. */
export type OpenedFolder = Awaited<ReturnType<typeof openFolder>>

export type FetchedSource = ReturnType<typeof readSource>

/**
 * INBOX, or the folders that `?folders=` names, then the Sent folder, so that replies find what they answer. `absent`
 * says which named folders the server lacks; null if none. Throws if it has no folder of inbound mail at all.
 */
export async function chooseFolders(
  connection: ImapConnection,
): Promise<{ folders: FolderChoice[]; absent: string | null; listed: ListResponse[] }> {
  const named = readFolderNames(connection.server) ?? ['INBOX']
  const listed = await listFolders(connection)
  const uses = new Map(listed.map(({ path, specialUse }) => [path, specialUse]))
  const absences: SpoolError[] = []
  const find = (choose: () => string | null): string | null => {
    try {
      return choose()
    } catch (error) {
      if (!(error instanceof SpoolError)) throw error
      absences.push(error)
      return null
    }
  }
  const choices = named.flatMap((name) => {
    const path = find(() => findFolder(connection, listed, name))
    if (path === null) return []
    const use = uses.get(path)
    return { name: path, isSent: false, isJunk: use === '\\Junk', isAll: use === '\\All' }
  })
  if (choices.length === 0) throw absences[0]!
  const sent = find(() => findSentFolder(connection, listed))
  const inbound = choices.filter(({ name }) => name !== sent)
  const outbound = sent === null ? [] : [{ name: sent, isSent: true, isJunk: false, isAll: false }]
  const absent = absences.map(({ message }) => message).join(' ') || null
  return { folders: [...inbound, ...outbound], absent, listed }
}

/** Opens read-only (EXAMINE), so that the server refuses every change, unless messages are to be marked as read. */
export async function openFolder(
  connection: ImapConnection,
  name: string,
  { writable }: { writable: boolean } = { writable: false },
) {
  const { uidValidity, uidNext, exists, highestModseq, noModseq } = await connection.client.mailboxOpen(
    name,
    { readOnly: !writable },
  )
  return {
    uidValidity: Number(uidValidity),
    uidNext,
    exists,
    /** HIGHESTMODSEQ; null if the server does not count changes (CONDSTORE). */
    modseq: noModseq || highestModseq === undefined ? null : String(highestModseq),
  }
}

/** Queries a folder's status without opening it. Null if the server does not report it. */
export async function readFolderStatus(
  { client }: ImapConnection,
  name: string,
): Promise<Pick<OpenedFolder, 'uidValidity' | 'uidNext' | 'modseq'> | null> {
  const query = { uidValidity: true, uidNext: true, highestModseq: client.enabled.has('CONDSTORE') }
  const status = await client.status(name, query)
  if (!status || status.uidValidity === undefined || status.uidNext === undefined) return null
  const { uidValidity, uidNext, highestModseq } = status
  return {
    uidValidity: Number(uidValidity),
    uidNext,
    modseq: highestModseq === undefined ? null : String(highestModseq),
  }
}

/** Counts the messages of a folder without opening it. */
export async function countMessages({ client }: ImapConnection, name: string): Promise<number> {
  const status = await client.status(name, { messages: true })
  return status ? (status.messages ?? 0) : 0
}

/** UIDs per answer where there may be many: the process stands still while a list of them is read. */
const mostListed = 5_000
/** Messages of one folder: their UIDs are held in memory. */
const mostMessages = 5_000_000

/** The UIDs of the open folder, starting at the given one. */
export async function listUids(connection: ImapConnection, from: number): Promise<number[]> {
  const mailbox = checkAlive(connection)
  if (mailbox.exists > mostMessages) throw listsTooMuch(connection)
  const found: number[] = []
  if (Math.min(mailbox.exists, mailbox.uidNext - from) <= mostListed) {
    // `n:*` always includes the last message, even if its UID is below n.
    found.push(...(await search(connection, { uid: `${Math.max(1, from)}:*` })))
  } else {
    // Newest first: a message that is removed meanwhile only gives others a lower number, so none is left out.
    for (let last = mailbox.exists; last > 0; last = Math.min(last - mostListed, mailbox.exists)) {
      const some = await search(connection, { seq: `${Math.max(1, last - mostListed + 1)}:${last}` })
      if (some.length > mostListed) throw listsTooMuch(connection)
      found.push(...some)
      if (some.some((uid) => uid < from)) break
    }
  }
  return [...new Set(found)].filter((uid) => uid >= from)
}

/** Those of at most 200 UIDs whose messages are larger: one response, where `listSizes` needs one per message. */
export async function findLarger(
  connection: ImapConnection,
  uids: readonly number[],
  bytes: number,
): Promise<number[]> {
  return await search(connection, { uid: uids.join(','), larger: bytes })
}

/** A UID missing from the result no longer exists on the server. */
export async function listSizes(
  connection: ImapConnection,
  uids: readonly number[],
): Promise<Map<number, number>> {
  const sizes = new Map<number, number>()
  const query = { uid: true, size: true }
  for (let start = 0; start < uids.length; start += mostUids) {
    const some = uids.slice(start, start + mostUids)
    for await (const { uid, size } of connection.client.fetch(some, query, { uid: true }))
      if (size !== undefined) sizes.set(uid, size)
    checkAlive(connection)
  }
  return sizes
}

/** UIDs per command, so that its line stays short enough for every server. */
const mostUids = 200

/** A client that lost its connection returns nothing, which would otherwise mean that the mail is gone. */
function checkAlive({ client, failure }: ImapConnection): MailboxObject {
  if (!client.usable || !client.mailbox) throw failure() ?? new Error('The connection was lost.')
  return client.mailbox
}

/** Fetches messages byte for byte, without marking any as seen. The server chooses the order. */
export async function* fetchSources(
  connection: ImapConnection,
  uids: readonly number[],
): AsyncGenerator<FetchedSource> {
  const query = { uid: true, flags: true, labels: true, internalDate: true, source: true }
  // The server may report changed flags in between: those responses contain no source.
  for await (const message of connection.client.fetch([...uids], query, { uid: true }))
    if (message.source !== undefined) yield readSource(message, message.source)
  checkAlive(connection)
}

function readSource({ uid, flags, labels, internalDate }: FetchMessageObject, source: Buffer) {
  const receivedAt = internalDate === undefined ? Number.NaN : new Date(internalDate).getTime()
  return {
    uid,
    source,
    isSeen: flags?.has('\\Seen') ?? false,
    /** Somebody is still writing it. */
    isDraft: flags?.has('\\Draft') ?? false,
    /** Gmail's label of sent mail, and not that of mail that arrived. */
    isLabelledSent: labels !== undefined && labels.has('\\Sent') && !labels.has('\\Inbox'),
    /** INTERNALDATE. */
    receivedAt: Number.isNaN(receivedAt) ? null : receivedAt,
  }
}

/** Marks messages of a folder as read. `recreated`: its UIDs now mean other messages. */
export async function markSeen(
  connection: ImapConnection,
  { name, uidValidity }: { name: string; uidValidity: number },
  uids: readonly number[],
): Promise<'marked' | 'refused' | 'recreated'> {
  const opened = await openFolder(connection, name, { writable: true })
  if (opened.uidValidity !== uidValidity) return 'recreated'
  const isStored = await connection.client.messageFlagsAdd([...uids], ['\\Seen'], { uid: true })
  checkAlive(connection)
  return isStored ? 'marked' : 'refused'
}
