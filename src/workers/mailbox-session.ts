import type { Logger } from 'pino'
import type { MailboxOwner } from '../core/mailboxes/sync.ts'
import type { Spool } from '../core/spool.ts'
import type { ImapConnection } from '../mail/imap/connection.ts'
import type { ParsePool } from '../mail/parse-pool.ts'
import type { MailCounts } from './mail-counts.ts'

/** What following mailboxes needs of the house. */
export interface Fetching {
  spool: Spool
  pool: ParsePool
  log: Logger
  counts: MailCounts
  largestMessage: number
}

/** One connection's work in one mailbox. */
export interface MailboxSession {
  owner: MailboxOwner
  connection: ImapConnection
  /** Set by the server's word that the open folder has grown; cleared by who looks. */
  hasNews: boolean
  stop: AbortSignal
  /** There is history to fetch. */
  onHistory(): Promise<void>
  /** Something has come through. */
  onProgress(): void
  /** Folders whose passed-over mail was tried again on this connection. */
  retried: Set<string>
}
