import { ImapFlow } from 'imapflow'
import { changeInbox } from '../../src/core/inboxes/inboxes.ts'
import { setMailServer } from '../../src/core/mailboxes/mail-servers.ts'
import type { Spool } from '../../src/core/spool.ts'
import type { Inbox } from '../../src/model/access.ts'
import { readMailServerAddress } from '../../src/model/mail/server.ts'
import { writeMail, type Letter } from './letter.ts'
import type { Dovecot } from './parts/dovecot.ts'

/** A user with a mail client who has the same mailbox open. */
export interface MailUser extends AsyncDisposable {
  client: ImapFlow
  append(folder: string, raw: string | Buffer, flags?: string[], date?: Date): Promise<void>
  write(folder: string, letter: Letter, flags?: string[]): Promise<void>
  /** All mails of a folder, oldest first. */
  read(folder: string): Promise<string[]>
  /** Flags by UID. */
  flags(folder: string): Promise<Map<number, Set<string>>>
}

export async function openMailUser({ port }: { port: number }, user = 'team'): Promise<MailUser> {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port,
    secure: false,
    doSTARTTLS: false,
    auth: { user, pass: 'secret' },
    logger: false,
  })
  client.on('error', () => undefined)
  await client.connect()
  const append: MailUser['append'] = async (folder, raw, flags = [], date = new Date()) => {
    if (!(await client.append(folder, raw, flags, date))) throw new Error(`Nothing was put into ${folder}.`)
  }
  return {
    client,
    append,
    write: (folder, letter, flags) => append(folder, writeMail(letter), flags),
    async read(folder) {
      const lock = await client.getMailboxLock(folder, { readOnly: true })
      try {
        // The server reports new mail only in response to a command.
        await client.noop()
        if (!client.mailbox || client.mailbox.exists === 0) return []
        return (await client.fetchAll('1:*', { source: true })).map(({ source }) => String(source))
      } finally {
        lock.release()
      }
    },
    async flags(folder) {
      const lock = await client.getMailboxLock(folder, { readOnly: true })
      try {
        const messages = await client.fetchAll('1:*', { uid: true, flags: true })
        return new Map(messages.map(({ uid, flags }) => [uid, flags ?? new Set()]))
      } finally {
        lock.release()
      }
    },
    async [Symbol.asyncDispose]() {
      client.close()
    },
  }
}

/** Configures an inbox to follow a mailbox. `port` may be that of a proxy. */
export async function followMailbox(
  spool: Spool,
  inbox: Inbox,
  { port }: Pick<Dovecot, 'port'>,
  { user = 'team', options = '' }: { user?: string; options?: string } = {},
): Promise<void> {
  const address = readMailServerAddress('imap', `imap://${user}@127.0.0.1:${port}?tls=none${options}`)
  await setMailServer(spool, inbox, { ...address, password: 'secret' })
}

export async function unfollowMailbox(spool: Spool, inbox: Inbox): Promise<void> {
  await changeInbox(spool, inbox.id, { servers: [{ kind: 'imap', server: null }] })
}
