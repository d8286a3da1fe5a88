import { SpoolError } from '../../model/errors.ts'
import { marksSeen, readOpenDays, type MailServerAddress } from '../../model/mail/server.ts'

/** What an IMAP server's address may ask for: `imaps://…?folders=INBOX,Orders&sent=Gesendet&authserv-id=mx.example.com`. */
export interface ImapOptions {
  /** Whose Authentication-Results are believed: the id under which the server itself writes them. */
  authservId: string | null
  /** Messages that were fetched are marked as read on the server; nothing else is ever written there. */
  markSeen: boolean
  /** Threads of the first sync older than so many days start closed; null: none. Undefined: the default. */
  openDays: number | null | undefined
}

const known = new Set(['folders', 'sent', 'authserv-id', 'mark-seen', 'open-days'])

export function readImapOptions(server: MailServerAddress): ImapOptions {
  return {
    authservId: server.options['authserv-id']?.toLowerCase() ?? null,
    markSeen: marksSeen(server),
    openDays: readOpenDays(server),
  }
}

/** A mistyped option must not be passed over in silence. */
export function checkImapOptions(server: MailServerAddress): void {
  const { options } = server
  readOpenDays(server)
  const unknown = Object.keys(options).find((name) => !known.has(name))
  if (unknown === undefined) return
  throw new SpoolError(
    'bad_parameter',
    `--imap takes ?folders=, ?sent=, ?authserv-id=, ?mark-seen=, ?open-days= and ?tls=none after the host; "${unknown}" is none of them.`,
  )
}
