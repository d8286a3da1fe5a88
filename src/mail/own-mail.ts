import type { OwnMail } from '../model/mail/own-mail.ts'
import { sendsByGraph } from '../model/mail/server.ts'
import { composeMail, wireEnvelope } from './compose.ts'
import { handOverByGraph } from './graph/client.ts'
import { handOver, type Ending, type Handover } from './smtp/client.ts'

/** Tells mail programs not to answer, and a Spool that receives it not to notify anybody. */
const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/** Sends a mail that Spool itself wrote. `beforeDot` is awaited once the server has everything but the end of it. */
export async function sendOwnMail(
  { server, from, to, subject, body, messageName }: OwnMail,
  date: number,
  beforeDot: () => Promise<void>,
  end: Ending,
): Promise<Handover> {
  const letter = {
    from,
    to: [to],
    cc: [],
    bcc: [],
    subject,
    body,
    attachments: [],
    newestMessageId: null,
  }
  const source = await composeMail({
    letter,
    messageId: `<${messageName}@${from.address.split('@').at(-1)}>`,
    date,
    inReplyTo: null,
    references: [],
    contents: [],
    headers,
  })
  return sendsByGraph(server)
    ? handOverByGraph(server, { source, bcc: [] }, beforeDot, end)
    : handOver(server, { ...wireEnvelope(letter), source }, beforeDot, end)
}
