import type { Spool } from '../../src/core/spool.ts'
import type { Inbox } from '../../src/model/access.ts'
import { writeMail, type Letter } from './letter.ts'
import { followMailbox, openMailUser, type MailUser } from './mail-user.ts'
import { sendBy } from './outgoing.ts'
import { startDovecot } from './parts/dovecot.ts'
import { SmtpClient } from './smtp-client.ts'
import { startSmtpSink } from './smtp-sink.ts'

/** A mail provider: an SMTP server that puts mail into the mailboxes of a real Dovecot. */
export interface MailHost extends AsyncDisposable {
  /** Configures the inbox to fetch from and send through this host. */
  serve(spool: Spool, inbox: Inbox): Promise<void>
  /** Opens a mailbox like a user's mail client. */
  open(address: string): Promise<MailUser>
  /** Sends a mail over SMTP. */
  send(letter: Letter & { from: string; to: string }): Promise<void>
}

export async function startMailHost(addresses: readonly string[]): Promise<MailHost> {
  await using stack = new AsyncDisposableStack()
  const users = Object.fromEntries(addresses.map((address) => [userOf(address), 'secret']))
  const dovecot = stack.use(await startDovecot({ users }))
  const smtp = stack.use(await startSmtpSink())
  const mailboxes = new Map<string, MailUser>()
  for (const address of addresses)
    mailboxes.set(address, stack.use(await openMailUser(dovecot, userOf(address))))
  smtp.refuse = (step, address) => (step === 'rcpt' && !mailboxes.has(address) ? 550 : null)
  smtp.deliver = async ({ to, source }) => {
    for (const address of to) await mailboxes.get(address)!.append('INBOX', source)
  }
  const owned = stack.move()
  return {
    async serve(spool, inbox) {
      await followMailbox(spool, inbox, dovecot, { user: userOf(inbox.address) })
      await sendBy(spool, inbox, smtp.port)
    },
    open: (address) => openMailUser(dovecot, userOf(address)),
    async send(letter) {
      using client = await SmtpClient.connect(smtp.port)
      await client.hello()
      const replies = await client.deliver(writeMail(letter), [bare(letter.to)], bare(letter.from))
      if (!replies.at(-1)!.startsWith('250')) throw new Error(replies.join('\n'))
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function bare(address: string): string {
  return /<([^>]*)>/.exec(address)?.[1] ?? address
}

function userOf(address: string): string {
  return address.split('@')[0]!
}
