import { hash } from 'node:crypto'
import type { Inbox } from '../../model/access.ts'
import { transaction } from '../../store/database.ts'
import type { Tx } from '../../store/db.ts'
import { claimLease, dropLease, holdsLease } from '../../store/leases.ts'
import {
  addHistoryDone,
  findFolder,
  forgetOldItems,
  insertFolder,
  listKnownHashes,
  listFetched,
  listPassedOver,
  saveItem,
  updateFolder,
  type FolderKey,
  type FolderRow,
} from '../../store/inboxes/mail-folders.ts'
import { listServersOfInboxes } from './mail-servers.ts'
import { receiveBatch, type Incoming } from '../receiving/receive.ts'
import type { Spool } from '../spool.ts'

/** The node that follows a mailbox: it holds the lease, and every commit checks that it still does. */
export interface MailboxOwner {
  inbox: Inbox
  holder: string
}

export class MailboxTaken extends Error {}

/** What the server reports when a folder is opened. */
export interface FolderStatus {
  uidValidity: number
  uidNext: number
  exists: number
  modseq: string | null
}

/** A message fetched from the server. */
export interface FetchedItem {
  uid: number
  /** Hash of its source; null if the message was skipped. */
  hash: Uint8Array | null
  /** Null if its source was already stored or the message was skipped. */
  incoming: Incoming | null
}

/** Bounds failover: this, plus a poll and the time to connect, is within 15 seconds. */
export const mailboxLease = 7_000
export const leasePrefix = 'imap:'
export const leaseOf = (inbox: number): string => leasePrefix + inbox

export type MailboxToFollow = Awaited<ReturnType<typeof listServersOfInboxes>>[number]

/** The mailboxes of all current inboxes. */
export async function listMailboxes(spool: Spool): Promise<MailboxToFollow[]> {
  return (await listServersOfInboxes(spool)).filter(({ server }) => server.kind === 'imap')
}

/** Takes or renews all leases in one commit; returns the inboxes whose mailbox this node now owns. */
export async function ownMailboxes(
  spool: Spool,
  inboxes: readonly number[],
  holder: string,
  milliseconds: number,
): Promise<Set<number>> {
  return transaction(spool.db, async (db) => {
    const owned = new Set<number>()
    for (const inbox of inboxes)
      if (await claimLease(db, leaseOf(inbox), holder, milliseconds)) owned.add(inbox)
    return owned
  })
}

export async function leaveMailbox(spool: Spool, inbox: number, holder: string): Promise<void> {
  await transaction(spool.db, (db) => dropLease(db, leaseOf(inbox), holder))
}

export async function asOwner<Result>(
  spool: Spool,
  { inbox, holder }: MailboxOwner,
  work: (db: Tx) => Promise<Result>,
): Promise<Result> {
  return transaction(spool.db, async (db) => {
    if (!(await holdsLease(db, leaseOf(inbox.number), holder)))
      throw new MailboxTaken(`Another node now follows the mailbox of ${inbox.id}.`)
    return work(db)
  })
}

/**
 * The known state of a folder. What it contained when first opened is history. A change of UIDVALIDITY makes nothing
 * else history, because mail may have arrived in the meantime.
 */
export async function openFolder(
  spool: Spool,
  owner: MailboxOwner,
  key: FolderKey & { isSent: boolean },
  status: FolderStatus,
): Promise<FolderRow> {
  const { isSent, ...where } = key
  const known = await findFolder(spool.db, where)
  if (known && known.uid_validity === status.uidValidity) return known
  const isHistory = !known || known.complete_below === 0
  const fresh = {
    uid_validity: status.uidValidity,
    history_below: isHistory ? status.uidNext : 0,
    complete_below: 0,
    modseq: null,
    ...(isHistory ? { history_total: status.exists, history_done: 0 } : {}),
  }
  return asOwner(spool, owner, async (db) => {
    const is_sent = isSent ? 1 : 0
    if (!known) return insertFolder(db, { ...where, is_sent, history_total: 0, history_done: 0, ...fresh })
    await updateFolder(db, known.number, fresh)
    return { ...known, ...fresh }
  })
}

/** Whether the folder cannot have changed since it was last completed. */
export function isComplete(folder: FolderRow, { uidValidity, uidNext, modseq }: FolderStatus): boolean {
  if (folder.uid_validity !== uidValidity || folder.complete_below === 0) return false
  return folder.complete_below >= uidNext || (modseq !== null && folder.modseq === modseq)
}

/** UIDs not fetched yet: history newest first, then newer mail in order. */
export async function chooseUids(
  spool: Spool,
  folder: FolderRow,
  uids: readonly number[],
): Promise<{ history: number[]; recent: number[] }> {
  const fetched = new Set(await listFetched(spool.db, folder, folder.complete_below))
  const wanted = uids.filter((uid) => !fetched.has(uid))
  const history = wanted.filter((uid) => uid < folder.history_below).sort((a, b) => b - a)
  const recent = wanted.filter((uid) => uid >= folder.history_below).sort((a, b) => a - b)
  return { history, recent }
}

/** Messages that were skipped: refused by the server, or too large, but the limit may have changed. */
export async function listPassedOverUids(spool: Spool, folder: FolderRow): Promise<number[]> {
  return listPassedOver(spool.db, folder)
}

/** Hex hashes of the sources that were fetched before, from any folder: moved, copied or renumbered. */
export async function knownSources(
  spool: Spool,
  inbox: Inbox,
  hashes: readonly Uint8Array[],
): Promise<Set<string>> {
  const known = await listKnownHashes(spool.db, inbox.number, hashes)
  return new Set(known.map((hash) => Buffer.from(hash).toString('hex')))
}

/** Milliseconds after which a commit ends. Not less, because each costs as much as storing several messages. */
const [briefly, longest] = [25, 150]

/**
 * Stores the messages and records that they were fetched, in one commit. Returns how many of the batch were taken and
 * how many were new. Ends early if another write waits in this process, and after a while for other processes.
 */
export async function receiveFetched(
  spool: Spool,
  owner: MailboxOwner,
  folder: FolderRow,
  batch: readonly FetchedItem[],
): Promise<{ taken: number; stored: number }> {
  const isLong = (milliseconds: number): boolean =>
    milliseconds > (spool.db.stats.waitingWrites() > 1 ? briefly : longest)
  return asOwner(spool, owner, async (db) => {
    const mails = batch.flatMap(({ incoming }) => (incoming ? [incoming] : []))
    const received = await receiveBatch(db, spool, owner.inbox, mails, isLong)
    const taken = received.length === mails.length ? batch : upTo(batch, received.length)
    for (const { uid, hash } of taken)
      await saveItem(db, {
        folder: folder.number,
        uid_validity: folder.uid_validity,
        uid,
        inbox: owner.inbox.number,
        hash,
      })
    const history = taken.filter(({ uid }) => uid < folder.history_below).length
    if (history > 0) await addHistoryDone(db, folder.number, history)
    return { taken: taken.length, stored: received.filter(({ duplicate }) => !duplicate).length }
  })
}

/** The start of the batch up to the given number of messages to store. */
function upTo(batch: readonly FetchedItem[], mails: number): readonly FetchedItem[] {
  let count = 0
  const end = batch.findIndex(({ incoming }) => incoming !== null && ++count > mails)
  return end === -1 ? batch : batch.slice(0, end)
}

/** Everything in `status` has been processed. */
export async function finishFolder(
  spool: Spool,
  owner: MailboxOwner,
  folder: FolderRow,
  { uidNext, modseq }: FolderStatus,
): Promise<void> {
  const done = { complete_below: Math.max(1, uidNext), modseq, history_done: folder.history_total }
  await asOwner(spool, owner, async (db) => {
    await updateFolder(db, folder.number, done)
    if (folder.complete_below === 0) await forgetOldItems(db, folder.number, folder.uid_validity)
  })
}

export type { FolderRow }

/** All folders of a mailbox belong to one history run, also after a restart. */
export function historyRunOf({ inbox, account }: FolderKey): number {
  return hash('sha256', `${inbox} ${account}`, 'buffer').readUIntBE(0, 6)
}

const unopened = { uid_validity: 0, history_below: 0, complete_below: 0, modseq: null, history_done: 0 }

/** Inserts folders before their first sync, so that people see how much mail is coming. */
export async function announceFolders(
  spool: Spool,
  owner: MailboxOwner,
  account: string,
  folders: readonly { name: string; isSent: boolean; messages: number }[],
): Promise<void> {
  await asOwner(spool, owner, async (db) => {
    for (const { name, isSent, messages } of folders) {
      const where = { inbox: owner.inbox.number, account, name }
      if (await findFolder(db, where)) continue
      await insertFolder(db, { ...where, ...unopened, is_sent: isSent ? 1 : 0, history_total: messages })
    }
  })
}

/** A mailbox is a user at a host; on another server the same UIDs mean other mail. */
export function accountOf({ user, host }: { user: string | null; host: string }): string {
  return `${user ?? ''}@${host}`
}
