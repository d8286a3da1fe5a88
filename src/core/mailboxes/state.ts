import type { Actor } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import { transaction } from '../../store/database.ts'
import { listLeases } from '../../store/leases.ts'
import { listFolders, listSyncStates, saveSyncState } from '../../store/inboxes/mail-folders.ts'
import { askMailServer, findMailServer } from '../../store/inboxes/mail-servers.ts'
import { findInbox } from '../access/access.ts'
import {
  accountOf,
  asOwner,
  leaseOf,
  leasePrefix,
  listMailboxes,
  mailboxLease,
  type MailboxOwner,
} from './sync.ts'
import { forgetStoppedMailbox, notifyStoppedMailbox } from '../notices/stopped.ts'
import { requireAdmin } from '../access/sessions.ts'
import type { Spool } from '../spool.ts'

export type SyncState = 'connecting' | 'first_sync' | 'following' | 'failing'

/** Why syncing fails, for people to read, and when it is retried; null if the rest is synced meanwhile. */
export interface SyncFailure {
  message: string
  problem: string
  retryAt: number | null
}

export async function noteSyncState(
  spool: Spool,
  owner: MailboxOwner,
  state: SyncState,
  failure: SyncFailure | null = null,
): Promise<void> {
  const now = spool.now()
  const row = {
    inbox: owner.inbox.number,
    state,
    failure: failure?.message ?? null,
    problem: failure?.problem ?? null,
    retry_at: failure?.retryAt ?? null,
    changed_at: now,
    ...(state === 'following' ? { synced_at: now } : {}),
  }
  await asOwner(spool, owner, async (db) => {
    await saveSyncState(db, row)
    if (state === 'failing') await notifyStoppedMailbox(db, owner.inbox, now)
    if (state === 'following') await forgetStoppedMailbox(db, owner.inbox)
  })
}

/** Makes the node that follows the mailbox start over within a second or two. */
export async function askForSync(spool: Spool, inboxId: string, actor: Actor): Promise<void> {
  await transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    const { number: inbox, address } = await findInbox(db, inboxId)
    if (!(await findMailServer(db, inbox, 'imap')))
      throw new SpoolError('conflict', `${address} does not fetch mail. Add an IMAP server first.`)
    const now = spool.now()
    await askMailServer(db, inbox, 'imap', now)
    await saveSyncState(db, {
      inbox,
      state: 'connecting',
      failure: null,
      problem: null,
      retry_at: null,
      changed_at: now,
    })
  })
}

export type MailboxProgress = Awaited<ReturnType<typeof readSyncProgress>>[number]

/** The sync progress of each mailbox, for people waiting for their history. */
export async function readSyncProgress(spool: Spool) {
  const states = new Map((await listSyncStates(spool.db)).map((row) => [row.inbox, row]))
  const folders = await listFolders(spool.db)
  const leases = await listLeases(spool.db, leasePrefix, mailboxLease)
  const followed = new Set(leases.filter(({ alive }) => alive).map(({ name }) => name))
  return (await listMailboxes(spool)).map(({ inbox, server }) => {
    const row = states.get(inbox.number)
    return {
      inbox,
      state: (row?.state ?? 'connecting') as SyncState,
      /** What to fix, for people to read; null if nothing is wrong. */
      failure: row?.failure ?? null,
      problem: row?.problem ?? null,
      retryAt: row?.retry_at ?? null,
      changedAt: row?.changed_at ?? null,
      syncedAt: row?.synced_at ?? null,
      /** Whether a node is following it right now. */
      isFollowed: followed.has(leaseOf(inbox.number)),
      folders: folders
        .filter((folder) => folder.inbox === inbox.number && folder.account === accountOf(server))
        .map(({ name, is_sent, history_total, history_done }) => ({
          name,
          isSent: is_sent === 1,
          total: history_total,
          done: Math.min(history_done, history_total),
        })),
    }
  })
}
