import type { Logger } from 'pino'
import { Intake } from '../core/receiving/intake.ts'
import type { Spool } from '../core/spool.ts'
import type { MailReader } from '../mail/parse-pool.ts'
import { openSenderCheck } from '../mail/sender/check.ts'
import { SpoolError } from '../model/errors.ts'
import { startFetching } from './fetch-mail.ts'
import { MailCounts } from './mail-counts.ts'
import { startTakingMail, type TakingMail } from './take-mail.ts'

interface ListenAddress {
  host: string
  port: number
}

export interface MailSettings extends Pick<TakingMail, 'tls' | 'authservId'> {
  maxMessageBytes: number
  smtpListen: ListenAddress | null
  lmtpListen: ListenAddress | null
  nameServers: string[] | null
}

type Read = () => Readonly<Record<string, number>>

/** The metrics the mail workers report to. */
export interface MailGauges {
  watchCounts(name: string, help: string, label: string, read: Read): void
  watchEach(name: string, help: string, label: string, read: Read): void
}

/** Starts fetching and the SMTP and LMTP listeners; they share the parser threads. */
export async function startMail(settings: MailSettings, spool: Spool, log: Logger, gauges: MailGauges) {
  await using stack = new AsyncDisposableStack()
  const { maxMessageBytes: largestMessage, tls, authservId, nameServers } = settings
  const counts = new MailCounts()
  registerCounts(counts, gauges)
  const pool: MailReader = { parse: (raw) => spool.readMail(raw, 'now') }
  const common = { spool, pool, log, counts, largestMessage }
  const onFailure = (error: unknown): void =>
    log.warn({ worker: 'fetch-mail', reason: (error as Error).message }, 'a worker failed')
  const fetching = stack.use(startFetching(common, onFailure))

  const listen = async (protocol: 'smtp' | 'lmtp', at: ListenAddress | null): Promise<string | null> => {
    if (at === null) return null
    const senderCheck = protocol === 'smtp' ? stack.use(openSenderCheck({ nameServers })) : null
    const taking = { ...common, intake: new Intake(spool), tls, senderCheck, authservId }
    const { host, port } = stack.use(
      await startTakingMail(taking, protocol, at).catch(explainListening(protocol)),
    )
    return `${host}:${port}`
  }
  const smtp = await listen('smtp', settings.smtpListen)
  const lmtp = await listen('lmtp', settings.lmtpListen)
  const owned = stack.move()
  return { fetching, smtp, lmtp, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Common listen errors, as a sentence that names the variable. */
function explainListening(protocol: 'smtp' | 'lmtp'): (error: NodeJS.ErrnoException) => never {
  const wanted: Record<string, string> = {
    EADDRINUSE: 'names a port that is already in use; choose another.',
    EADDRNOTAVAIL: 'must be an address of this machine, such as 127.0.0.1 or 0.0.0.0.',
    ENOTFOUND: 'must be an address of this machine, such as 127.0.0.1 or 0.0.0.0.',
    EACCES:
      'names a port that this user may not bind, such as one below 1024; choose another, or forward that one.',
  }
  return (error) => {
    const sentence = wanted[error.code ?? '']
    if (sentence === undefined) throw error
    const name = protocol === 'smtp' ? 'SPOOL_SMTP_LISTEN' : 'SPOOL_LMTP_LISTEN'
    throw new SpoolError('bad_parameter', `${name} ${sentence}`, { cause: error })
  }
}

function registerCounts(counts: MailCounts, gauges: MailGauges): void {
  gauges.watchCounts('spool_mail_received_total', 'Messages taken in', 'door', () => counts.received)
  gauges.watchCounts('spool_mail_refused_total', 'Mail refused or put off', 'reason', () => counts.refused)
  gauges.watchCounts(
    'spool_imap_passed_over_total',
    'Messages not fetched',
    'reason',
    () => counts.passedOver,
  )
  gauges.watchCounts('spool_imap_failures_total', 'Lost connections', 'inbox', () => counts.failures)
  gauges.watchEach('spool_imap_connected', '1 while followed by this node', 'inbox', () => counts.connected)
  gauges.watchEach(
    'spool_mail_grant_refused',
    '1 while the provider refuses the sign-in',
    'inbox',
    () => counts.refusedGrants,
  )
  gauges.watchEach('spool_imap_first_sync_messages', 'Messages of the first sync', 'inbox', () =>
    counts.history('total'),
  )
  gauges.watchEach('spool_imap_first_sync_done', 'Those of them that are here', 'inbox', () =>
    counts.history('done'),
  )
}
