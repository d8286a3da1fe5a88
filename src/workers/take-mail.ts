import { findInboxByAddress } from '../core/inboxes/inboxes.ts'
import type { Intake } from '../core/receiving/intake.ts'
import type { Spool } from '../core/spool.ts'
import { readAuthenticationResults } from '../mail/sender/authentication-results.ts'
import type { SenderCheck } from '../mail/sender/check.ts'
import { hasSpamFlag } from '../mail/sender/spam-flag.ts'
import { judgeSender, type SenderVerdict } from '../mail/sender/verdict.ts'
import {
  startListener,
  type HandedOver,
  type Listener,
  type ListenerProtocol,
} from '../mail/smtp/listener.ts'
import type { Inbox } from '../model/access.ts'
import { StoreUnavailable } from '../model/errors.ts'
import type { Fetching } from './mailbox-session.ts'

export interface TakingMail extends Fetching {
  intake: Intake
  tls: { cert: string; key: string } | null
  /** SPF, DKIM and DMARC of mail that arrives by SMTP. */
  senderCheck: SenderCheck | null
  /** Whose Authentication-Results header is trusted for mail that arrives by LMTP. */
  authservId: string | null
}

/** Listens for mail from other mail servers. Acknowledged mail is committed and synced. */
export async function startTakingMail(
  taking: TakingMail,
  protocol: ListenerProtocol,
  { host, port }: { host: string; port: number },
): Promise<Listener> {
  const { spool, log, counts, largestMessage, tls } = taking
  return startListener({
    protocol,
    host,
    port,
    largestMessage,
    budget: spool.memory.arriving,
    tls,
    knows: async (address) => (await findInboxByAddress(spool, address)) !== null,
    take: (mail) => takeMail(taking, protocol, mail),
    onRefusal: (reason) => counts.add(counts.refused, reason),
    // Spool's own messages are safe to log; those of libraries may quote what the client sent.
    onTrouble(error) {
      const { code } = error as { code?: string }
      const reason = error instanceof StoreUnavailable ? error.message : error.name
      log.warn({ protocol, code, reason }, 'a mail could not be accepted')
    },
  })
}

async function takeMail(taking: TakingMail, protocol: ListenerProtocol, mail: HandedOver): Promise<string> {
  const { spool, pool, counts, intake } = taking
  const inboxes = await findInboxes(spool, mail.recipients)
  const [parsed, verdict] = await Promise.all([pool.parse(mail.raw), authenticate(taking, protocol, mail)])
  const id = await intake.take(inboxes, {
    mail: parsed,
    direction: 'inbound',
    envelopeDate: spool.now(),
    seen: false,
    quiet: false,
    authentication: verdict && judgeSender(verdict, parsed.from),
    // LMTP mail comes from one of the team's own servers, and `authservId` names the one that is trusted.
    spam: protocol === 'lmtp' && taking.authservId !== null && hasSpamFlag(mail.raw),
  })
  counts.received[protocol]++
  return id
}

async function findInboxes(spool: Spool, addresses: readonly string[]): Promise<Inbox[]> {
  const inboxes = new Map<number, Inbox>()
  for (const address of addresses) {
    const inbox = await findInboxByAddress(spool, address)
    if (inbox) inboxes.set(inbox.number, inbox)
    else throw new StoreUnavailable('An inbox was removed while mail for it arrived.')
  }
  return [...inboxes.values()]
}

async function authenticate(
  { senderCheck, authservId }: TakingMail,
  protocol: ListenerProtocol,
  mail: HandedOver,
): Promise<SenderVerdict | null> {
  if (protocol === 'smtp') return senderCheck ? senderCheck.check(mail) : null
  return authservId === null ? null : readAuthenticationResults(mail.raw, authservId)
}
