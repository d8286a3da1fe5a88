import type { Generated } from 'kysely'
import type { SignInProvider, SignInWay } from '../../model/mail/oauth.ts'
import type { MailServerKind, Security } from '../../model/mail/server.ts'

/** Mailboxes: their servers, folders and state. */
export interface MailTables {
  mail_servers: {
    inbox: number
    kind: MailServerKind
    host: string
    port: number
    security: Security
    user_name: string | null
    /** Encrypted. */
    password: Uint8Array | null
    options: string
    /** When a person last asked for an immediate retry. */
    asked_at: number | null
  }
  /**
   * A mailbox folder on its server; `account` is user and host, so the same folder name on another server is another
   * folder.
   */
  mail_folders: {
    number: Generated<number>
    inbox: number
    account: string
    name: string
    uid_validity: number
    /** UIDs below it existed when the folder was first opened: history. */
    history_below: number
    /** Every UID below this has been processed. */
    complete_below: number
    /** HIGHESTMODSEQ when everything was last processed; if unchanged, nothing has happened since. */
    modseq: string | null
    history_total: number
    history_done: number
    /** 1 for the Sent folder, whose mail is outbound. */
    is_sent: number
  }
  /** A fetched message. Without `hash`: skipped, because it was too large or unreadable. */
  mail_items: {
    folder: number
    uid_validity: number
    uid: number
    inbox: number
    hash: Uint8Array | null
  }
  /** Opened by somebody, and not yet marked as read in the mailbox. */
  mail_marks: { inbox: number; message: number }
  mail_sync: {
    inbox: number
    state: string
    /** What to fix, for people to read, and the kind of problem. */
    failure: string | null
    problem: string | null
    retry_at: number | null
    changed_at: number
    /** When the mailbox was last fully synced, accurate to a minute. */
    synced_at: number | null
  }
  /** OAuth access to a mailbox, instead of a password. */
  mail_grants: {
    inbox: number
    provider: SignInProvider
    way: SignInWay
    /** The address that signed in; for a shared mailbox it differs from the inbox's address. */
    account: string
    /** JSON: the client and the provider's addresses. */
    client: string
    /** Encrypted JSON: client secret and refresh token. */
    secrets: Uint8Array
    /** Encrypted access token, and when it expires. */
    access: Uint8Array | null
    ends_at: number | null
    /** Grows with every refresh. */
    version: number
    /** Why the provider refuses the grant, for people to read; null while it is valid. */
    failure: string | null
    failed_at: number | null
    granted_at: number
  }
}
