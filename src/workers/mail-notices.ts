import { hash } from 'node:crypto'
import type { Delivered, Parcel } from '../core/notices/delivery.ts'
import { writeNoticeMail } from '../core/notices/letters.ts'
import { findSender, type NoticeSender } from '../core/notices/settings.ts'
import { withToken } from '../core/mailboxes/grants.ts'
import { openMailServer } from '../core/mailboxes/mail-servers.ts'
import type { Spool } from '../core/spool.ts'
import { sendOwnMail } from '../mail/own-mail.ts'
import type { MailServer } from '../model/mail/server.ts'

/** `beforeDot` is awaited once the server has everything but the end of the mail. */
export async function mailParcel(
  spool: Spool,
  parcel: Parcel,
  beforeDot: () => Promise<void>,
  stop: AbortSignal,
): Promise<Delivered> {
  const done = (problem: string | null, isFinal = false): Delivered => ({
    parcel,
    problem,
    isFinal,
    browsers: [],
  })
  const sender = await findSender(spool)
  const server = sender && (await openServer(spool, sender).catch((error: Error) => error))
  if (!sender || !server) return done('No server sends notices by mail.', true)
  if (server instanceof Error) return done(server.message)
  const { name, email } = parcel.listener
  const mail = {
    server,
    from: sender.from,
    to: { name, address: email },
    ...writeNoticeMail(parcel, spool.url),
    messageName: nameOf(parcel),
  }
  const handover = await sendOwnMail(mail, spool.now(), beforeDot, { stop, cut: stop })
  // Without a reply to the final dot, the mail may have been accepted: it is not sent again.
  if (handover.result !== 'refused') return done(null)
  return done(handover.answer.slice(0, 500), handover.permanent)
}

async function openServer(spool: Spool, sender: NoticeSender): Promise<MailServer | null> {
  if ('server' in sender) return sender.server
  const server = await openMailServer(spool, spool.db, sender.inbox.number, 'smtp')
  return server && withToken(spool, sender.inbox.number, server)
}

/** Stays the same if the mail is sent again after a crash, so that a mail server can detect the duplicate. */
function nameOf({ listener, notices }: Parcel): string {
  const contents = notices.map(({ id, count, rung_at }) => [id, count, rung_at])
  return hash('sha256', JSON.stringify([listener.id, contents])).slice(0, 32)
}
