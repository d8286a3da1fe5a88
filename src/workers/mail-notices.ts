import { hash } from 'node:crypto'
import type { Delivered, Parcel } from '../core/notices/delivery.ts'
import { writeNoticeMail } from '../core/notices/letters.ts'
import { findSender, type NoticeSender } from '../core/notices/settings.ts'
import { withToken } from '../core/mailboxes/grants.ts'
import { openMailServer } from '../core/mailboxes/mail-servers.ts'
import type { Spool } from '../core/spool.ts'
import { composeMail, wireEnvelope } from '../mail/compose.ts'
import { handOverByGraph } from '../mail/graph/client.ts'
import { handOver } from '../mail/smtp/client.ts'
import type { Address } from '../model/mail/mail.ts'
import { sendsByGraph, type MailServer } from '../model/mail/server.ts'

/** Tells mail programs not to answer, and a Spool that receives it not to notify anybody. */
const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

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
  const { letter, source } = await compose(spool, parcel, sender.from)
  const end = { stop, cut: stop }
  const handover = await (sendsByGraph(server)
    ? handOverByGraph(server, { source, bcc: [] }, beforeDot, end)
    : handOver(server, { ...wireEnvelope(letter), source }, beforeDot, end))
  // Without a reply to the final dot, the mail may have been accepted: it is not sent again.
  if (handover.result !== 'refused') return done(null)
  return done(handover.answer.slice(0, 500), handover.permanent)
}

async function openServer(spool: Spool, sender: NoticeSender): Promise<MailServer | null> {
  if ('server' in sender) return sender.server
  const server = await openMailServer(spool, spool.db, sender.inbox.number, 'smtp')
  return server && withToken(spool, sender.inbox.number, server)
}

async function compose(spool: Spool, parcel: Parcel, from: Address) {
  const { name, email } = parcel.listener
  const letter = {
    from,
    to: [{ name, address: email }],
    cc: [],
    bcc: [],
    ...writeNoticeMail(parcel, spool.url),
    attachments: [],
    newestMessageId: null,
  }
  const source = await composeMail({
    letter,
    messageId: `<${nameOf(parcel)}@${from.address.split('@').at(-1)}>`,
    date: spool.now(),
    inReplyTo: null,
    references: [],
    contents: [],
    headers,
  })
  return { letter, source }
}

/** Stays the same if the mail is sent again after a crash, so that a mail server can detect the duplicate. */
function nameOf({ listener, notices }: Parcel): string {
  const contents = notices.map(({ id, count, rung_at }) => [id, count, rung_at])
  return hash('sha256', JSON.stringify([listener.id, contents])).slice(0, 32)
}
