import type { ImapFlow } from 'imapflow'
import { SpoolError } from '../../model/errors.ts'
import type { MailServer } from '../../model/mail/server.ts'
import { hidePassword } from '../hidden-password.ts'

/** A client that is signed in, and the server whose options say which folders are meant. */
export interface ImapConnection extends AsyncDisposable {
  client: ImapFlow
  server: MailServer
  /** What ended it; null while it lives, or where nobody said why. */
  failure(): Error | null
}

export interface ImapConnectionOptions {
  /** Bytes of the largest message that will be asked for; a server that sends more is cut off. */
  largestMessage?: number
  /** Milliseconds to reach the server, and for its answers, where somebody waits for them. */
  patience?: number
  /** Hangs up when it is aborted, whatever is being waited for. */
  signal?: AbortSignal
}

/** Milliseconds to reach the server, and to wait for any answer of it. */
const connectPatience = 20_000
const answerPatience = 60_000
const framing = 1_000_000

/** Loaded where it is first needed: most commands never speak IMAP. Nothing of it is logged, as it could hold mail. */
export async function connectImap(
  server: MailServer,
  { largestMessage = 100_000_000, patience, signal }: ImapConnectionOptions = {},
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
    connectionTimeout: patience ?? connectPatience,
    greetingTimeout: patience ?? connectPatience,
    socketTimeout: patience ?? answerPatience,
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
      if (client.usable) await Promise.race([client.logout().catch(() => undefined), pause(1_000)])
      client.close()
    },
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
}
