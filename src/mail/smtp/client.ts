import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { quoteServer, SpoolError } from '../../model/errors.ts'
import type { MailServer } from '../../model/mail/server.ts'
import { explainFailure } from '../connection-trouble.ts'
import { hidePassword } from '../hidden-password.ts'

/** The outcome of one attempt. Only the response to the final dot confirms delivery; without one it is unknown. */
export type Handover =
  | { result: 'accepted'; answer: string }
  | { result: 'refused'; permanent: boolean; answer: string }
  | { result: 'unknown'; answer: string }

export interface Parcel {
  from: string
  to: readonly string[]
  source: Uint8Array
}

/** Signals that the process is shutting down: `stop` what can be restarted, and a little later `cut` the rest. */
export interface Ending {
  stop: AbortSignal
  cut: AbortSignal
}

const connectTimeout = 30_000
const answerTimeout = 120_000

/**
 * Hands a mail to a server, for all recipients or none: if one is refused, nothing is sent. `beforeDot` is awaited once
 * the server has everything except the final dot; if the connection ends there, the server discards the mail. If
 * `beforeDot` fails, the dot is not sent.
 */
export async function handOver(
  server: MailServer,
  { from, to, source }: Parcel,
  beforeDot: () => Promise<void>,
  { stop, cut }: Ending,
): Promise<Handover> {
  const connection = prepareConnection(server, connectTimeout, answerTimeout)
  let dotSaid = false
  /** Why Spool itself held the dot back. */
  let heldBack: Error | null = null
  const onStop = (): void => {
    if (!dotSaid) connection.close()
  }
  const onCut = (): void => connection.close()
  stop.addEventListener('abort', onStop)
  cut.addEventListener('abort', onCut)
  try {
    await connect(connection, server)
    // The connection records refused recipients on this very object.
    const envelope: SMTPConnection.Envelope & { rejectedErrors?: SMTPConnection.SMTPError[] } = {
      from,
      to: [...to],
      size: source.length,
    }
    async function* content(): AsyncGenerator<Uint8Array> {
      const [refused] = envelope.rejectedErrors ?? []
      if (refused) throw refused
      yield source
      await beforeDot().catch((error: Error) => {
        heldBack = error
        throw error
      })
      stop.throwIfAborted()
      dotSaid = true
    }
    const { response } = await send(connection, envelope, Readable.from(content(), { objectMode: false }))
    return { result: 'accepted', answer: response }
  } catch (error) {
    return heldBack === null
      ? readFailure(error as SMTPConnection.SMTPError, dotSaid, server)
      : { result: 'refused', permanent: false, answer: quoteServer((heldBack as Error).message, 500) }
  } finally {
    stop.removeEventListener('abort', onStop)
    cut.removeEventListener('abort', onCut)
    connection.close()
  }
}

/** Connects and signs in, as for a mail, then quits. Returns whether the server offers authentication at all. */
export async function greet(
  server: MailServer,
  timeout: number,
  signal?: AbortSignal,
): Promise<{ offersSignIn: boolean }> {
  const connection = prepareConnection(server, timeout, timeout)
  signal?.addEventListener('abort', () => connection.close(), { once: true })
  try {
    await connect(connection, server)
    const offersSignIn = connection.allowsAuth
    connection.quit()
    return { offersSignIn }
  } catch (error) {
    connection.close()
    if (server.user === null || connection.allowsAuth || (error as { code?: string }).code !== 'EAUTH')
      throw error
    throw new SpoolError('bad_parameter', explainNoSignIn(server), { cause: error })
  }
}

/** Many servers offer it only once the connection is encrypted. */
function explainNoSignIn({ host, port, security }: MailServer): string {
  const place = `The SMTP server ${host}:${port}`
  return security === 'none'
    ? `${place} offers no sign-in without encryption: choose STARTTLS (in an address, without ?tls=none); if it needs no sign-in, leave its user name and password out.`
    : `${place} offers no sign-in: leave its user name and password out.`
}

function prepareConnection(
  { host, port, security }: MailServer,
  toConnect: number,
  toAnswer: number,
): SMTPConnection {
  return new SMTPConnection({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: toConnect,
    greetingTimeout: toConnect,
    socketTimeout: toAnswer,
    customAuth: { [tokenMethod]: signInByToken },
    logger: false,
  })
}

async function connect(connection: SMTPConnection, server: MailServer): Promise<void> {
  const { user, password, token } = server
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const done = (error?: Error | null): void => (error ? reject(error) : resolve())
  // Without a listener an error between two commands would end the process.
  connection.on('error', reject)
  connection.on('end', () => reject(new Error('The connection ended.')))
  connection.connect((error?: Error) => {
    if (error || user === null) return done(error)
    const credentials = { user, pass: token ?? password ?? '' }
    connection.login({ credentials, ...(token === undefined ? {} : { method: tokenMethod }) }, done)
  })
  await promise.catch((error: unknown) => {
    throw hidePassword(error, server)
  })
}

const tokenMethod = 'ACCESS-TOKEN'

/** XOAUTH2 or OAUTHBEARER (RFC 7628), whichever the server offers; the library knows only the first. */
async function signInByToken({
  auth,
  authMethods,
  sendCommand,
}: SMTPConnection.CustomAuthenticationContext): Promise<void> {
  const { user, pass: token } = auth.credentials
  const isOlder = authMethods.includes('XOAUTH2')
  const words = isOlder
    ? `user=${user}\x01auth=Bearer ${token}\x01\x01`
    : `n,a=${user.replaceAll('=', '=3D').replaceAll(',', '=2C')},\x01auth=Bearer ${token}\x01\x01`
  const method = isOlder ? 'XOAUTH2' : 'OAUTHBEARER'
  let answer = await sendCommand(`AUTH ${method} ${Buffer.from(words).toString('base64')}`)
  // The server sends the error first, and the refusal only after an empty response.
  if (answer.status === 334) answer = await sendCommand(isOlder ? '' : 'AQ==')
  if (answer.status < 200 || answer.status >= 300) throw new Error('The token was refused.')
}

async function send(
  connection: SMTPConnection,
  envelope: SMTPConnection.Envelope,
  content: Readable,
): Promise<SMTPConnection.SentMessageInfo> {
  const { promise, resolve, reject } = Promise.withResolvers<SMTPConnection.SentMessageInfo>()
  connection.once('error', reject)
  connection.once('end', () => reject(new Error('The connection ended.')))
  connection.send(envelope, content, (error, info) => (error ? reject(error) : resolve(info)))
  return promise
}

/** A response counts at any stage; without one after the dot, the outcome is unknown. */
function readFailure(error: SMTPConnection.SMTPError, dotSaid: boolean, server: MailServer): Handover {
  const code = error.responseCode
  const byToken = server.token !== undefined
  // The server's own words, or what to check if it gave none.
  const answer =
    error.response || error.code === 'EMESSAGE'
      ? quoteServer(error.response ?? error.message, 500)
      : explainFailure(server, error)
  // 421: the server ends the session, whatever the command.
  if (code !== undefined && code >= 400 && code !== 421)
    // A refused token says nothing about the mail: a new one may be available soon.
    return { result: 'refused', permanent: code >= 500 && !(byToken && error.code === 'EAUTH'), answer }
  if (dotSaid)
    return { result: 'unknown', answer: `No answer came after the mail was handed over: ${answer}` }
  // Larger than the limit that the server announced: that will not change.
  return { result: 'refused', permanent: error.code === 'EMESSAGE', answer }
}
