import { SpoolError } from '../model/errors.ts'
import type { MailServer } from '../model/mail-server.ts'
import { explainFailure } from './connection-trouble.ts'
import { connectImap } from './imap-connection.ts'
import { chooseFolders } from './imap-folder.ts'
import { checkImapOptions } from './imap-options.ts'

/** Signs in and looks around, changing nothing. Answers in words what was found, or rejects with what is wrong. */
export async function tryMailServer(server: MailServer): Promise<string> {
  try {
    return server.kind === 'imap' ? await tryImap(server) : await trySmtp(server)
  } catch (error) {
    if (error instanceof SpoolError) throw error
    throw new SpoolError('bad_parameter', explainFailure(server, error), { cause: error })
  }
}

async function tryImap(server: MailServer): Promise<string> {
  checkImapOptions(server)
  await using connection = await connectImap(server)
  const folders = await chooseFolders(connection)
  const found: string[] = []
  for (const { name, isSent } of folders) {
    const status = await connection.client.status(name, { messages: true })
    found.push(`${status ? (status.messages ?? 0) : 0} messages in ${name}${isSent ? ' (sent)' : ''}`)
  }
  const sent = folders.some(({ isSent }) => isSent)
    ? ''
    : '; it has no folder for sent mail, which ?sent=FOLDER can name'
  return `${server.host} lets ${server.user} in: ${found.join(', ')}${sent}`
}

async function trySmtp(server: MailServer): Promise<string> {
  const { host, port, security, user, password } = server
  if (user !== null && password === null)
    throw new SpoolError(
      'bad_parameter',
      `The SMTP server ${host} needs a password; give it with --credentials-stdin.`,
    )
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user === null ? {} : { auth: { user, pass: password! } }),
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 20_000,
  })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
  return user === null ? `${host} answers, without a sign-in` : `${host} lets ${user} in`
}
