import { setTimeout as sleep } from 'node:timers/promises'
import type { ImapFlow, SearchObject } from 'imapflow'
import { SpoolError } from '../../model/errors.ts'
import type { MailServer } from '../../model/mail/server.ts'
import { hidePassword } from '../hidden-password.ts'

/** A signed-in client, and the server whose options name the folders to use. */
export interface ImapConnection extends AsyncDisposable {
  client: ImapFlow
  server: MailServer
  /** The error that ended the connection; null while it is alive, or if the reason is unknown. */
  failure(): Error | null
}

export interface ImapConnectionOptions {
  /** Bytes of the largest message that will be fetched; a server that sends more is disconnected. */
  largestMessage?: number
  /** Timeout in milliseconds for connecting and for each response, where a user is waiting. */
  timeout?: number
  /** Closes the connection when aborted, whatever it is waiting for. */
  signal?: AbortSignal
}

/** Timeouts in milliseconds for connecting and for each response. */
const connectTimeout = 20_000
const answerTimeout = 60_000
const framing = 1_000_000
/** Bytes of a line without the messages in it. The longest answers are lists of UIDs, which are requested in parts. */
const longestLine = 500_000

/** Loads imapflow on first use: most commands never speak IMAP. Its log is off, as it could contain mail. */
export async function connectImap(
  server: MailServer,
  { largestMessage = 100_000_000, timeout, signal }: ImapConnectionOptions = {},
): Promise<ImapConnection> {
  const { host, port, security, user, password, token } = server
  if (user === null || (password === null && token === undefined)) {
    throw new SpoolError(
      'bad_parameter',
      `The IMAP server ${host} needs a user name and a password ("spool inbox set … --imap … --credentials-stdin"), or a sign-in in the settings page.`,
    )
  }
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    host,
    port,
    secure: security === 'tls',
    ...(security === 'tls' ? {} : { doSTARTTLS: security === 'starttls' }),
    // The library speaks OAUTHBEARER or XOAUTH2, whichever the server offers.
    auth: token === undefined ? { user, pass: password! } : { user, accessToken: token },
    clientInfo: { name: 'Spool' },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: timeout ?? connectTimeout,
    greetingTimeout: timeout ?? connectTimeout,
    socketTimeout: timeout ?? answerTimeout,
    maxLineLength: longestLine,
    maxLiteralSize: largestMessage + framing,
    maxResponseSize: largestMessage + 2 * framing,
  })
  let failure: Error | null = null
  // A connection that breaks between two commands has no command to fail: without a listener it would end the process.
  client.on('error', (error) => (failure ??= error))
  const hangUp = (): void => client.close()
  signal?.addEventListener('abort', hangUp)
  try {
    signal?.throwIfAborted()
    await client.connect()
  } catch (error) {
    signal?.removeEventListener('abort', hangUp)
    client.close()
    throw hidePassword(error, server)
  }
  return {
    client,
    server,
    failure: () => failure,
    async [Symbol.asyncDispose]() {
      signal?.removeEventListener('abort', hangUp)
      if (client.usable)
        await Promise.race([client.logout().catch(() => undefined), sleep(1_000, null, { ref: false })])
      client.close()
    },
  }
}

/** Bytes of one answer without messages in it: more than any list of folders or 5,000 UIDs. */
const longestAnswer = 3_000_000

/** Awaits a command whose answer the client collects in memory; a server that does not end it is hung up on. */
export async function collect<Answer>(connection: ImapConnection, answer: Promise<Answer>): Promise<Answer> {
  const { client } = connection
  const before = client.stats().received
  let isTooLong = false
  const watch = setInterval(() => {
    isTooLong ||= client.stats().received - before > longestAnswer
    if (isTooLong) client.close()
  }, 20)
  try {
    const found = await answer
    if (!isTooLong) return found
  } catch (error) {
    if (!isTooLong) throw error
  } finally {
    clearInterval(watch)
  }
  throw listsTooMuch(connection)
}

/** The UIDs of the messages in the open folder that match. */
export async function search(connection: ImapConnection, query: SearchObject): Promise<number[]> {
  const found = await collect(connection, connection.client.search(query, { uid: true }))
  if (!Array.isArray(found)) throw connection.failure() ?? new Error('The server did not answer a search.')
  return found
}

export function listsTooMuch({ server }: ImapConnection): SpoolError {
  return new SpoolError(
    'too_large',
    `${server.host} lists more folders or messages than Spool can hold; check that it is the right mail server.`,
  )
}
