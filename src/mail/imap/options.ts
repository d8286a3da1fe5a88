import { SpoolError } from '../../model/errors.ts'
import { marksSeen, readOpenDays, type MailServerAddress } from '../../model/mail/server.ts'

const known = new Set(['folders', 'sent', 'authserv-id', 'mark-seen', 'open-days'])

/** Options in an IMAP server's address: `imaps://…?folders=INBOX,Orders&sent=Gesendet&authserv-id=mx.example.com`. */
export function readImapOptions(server: MailServerAddress) {
  return {
    /** The id under which the server itself writes Authentication-Results; only those are trusted. */
    authservId: server.options['authserv-id']?.toLowerCase() ?? null,
    /** Marks messages as read on the server once somebody has opened them; nothing else is ever written there. */
    markSeen: marksSeen(server),
    /** On the first sync, threads older than this many days start closed; null: none do. Undefined: the default. */
    openDays: readOpenDays(server),
  }
}

/** A mistyped option must not be ignored silently. */
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
