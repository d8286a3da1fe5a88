import type { Logger } from 'pino'
import type { MailboxOwner } from '../core/mailboxes/sync.ts'
import type { Spool } from '../core/spool.ts'
import type { ImapConnection } from '../mail/imap/connection.ts'
import type { MailReader } from '../mail/parse-pool.ts'
import type { MailCounts } from './mail-counts.ts'

/** What fetching mail depends on, and taking it. */
export interface Fetching {
  spool: Spool
  pool: MailReader
  log: Logger
  counts: MailCounts
  largestMessage: number
}

/** One IMAP connection and its work in one mailbox. */
export interface MailboxSession {
  owner: MailboxOwner
  connection: ImapConnection
  /** Set when the server reports new mail in the open folder; cleared before looking. */
  hasNews: boolean
  stop: AbortSignal
  /** Called when there is history to fetch. */
  onHistory(): Promise<void>
  /** Called when something was stored. */
  onProgress(): void
  /** Folders whose skipped mail was retried on this connection. */
  retried: Set<string>
  /** Whether mail is to be marked as read here once somebody has opened it, and the server allows that. */
  marksSeen: boolean
}
