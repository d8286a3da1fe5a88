import { SpoolError } from '../model/errors.ts'
import type { Address } from '../model/mail/mail.ts'
import { readMailServerAddress, type MailServer } from '../model/mail/server.ts'

type Read = <Value>(name: string, fallback: Value, parse: (text: string) => Value) => Value

/** The environment is not shown in the process list, so the password may be part of the address. */
export function readNoticeMail(read: Read): { server: MailServer; from: Address } | null {
  const server = read<MailServer | null>('SPOOL_NOTICE_SMTP', null, readServer)
  const from = read<string | null>('SPOOL_NOTICE_FROM', null, readFrom)
  if (server === null && from === null) return null
  if (server === null || from === null)
    throw new SpoolError(
      'bad_parameter',
      `${server === null ? 'SPOOL_NOTICE_SMTP' : 'SPOOL_NOTICE_FROM'} must be set too: notices need a server and a sender.`,
    )
  return { server, from: { name: 'Spool', address: from } }
}

/** The error message does not quote the value, because it may contain a password. */
function readServer(text: string): MailServer {
  const url = URL.parse(text)
  try {
    const password = url ? decodeURIComponent(url.password) : ''
    if (url) url.password = ''
    return { ...readMailServerAddress('smtp', url?.href ?? text), password: password || null }
  } catch (error) {
    throw new Error(
      'must be a server such as smtps://name%40example.com:password@smtp.example.com; ?tls=none is for one on this machine.',
      { cause: error },
    )
  }
}

function readFrom(text: string): string {
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(text))
    throw new Error(`must be an e-mail address such as spool@example.com; it is "${text}".`)
  return text.toLowerCase()
}
