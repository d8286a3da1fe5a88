import { SpoolError } from '../model/errors.ts'
import type { MailServer, MailServerAddress } from '../model/mail-server.ts'
import { explainFailure } from './connection-trouble.ts'
import { connectImap } from './imap-connection.ts'
import { chooseFolders } from './imap-folder.ts'
import { checkImapOptions } from './imap-options.ts'

const patience = 20_000

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
  const { host, user, password } = server
  if (user !== null && password === null)
    throw new SpoolError(
      'bad_parameter',
      `The SMTP server ${host} needs a password; give it with --credentials-stdin.`,
    )
  const { greet } = await import('./smtp-client.ts')
  const { offersSignIn } = await greet(server, patience)
  if (user !== null) return `${host} lets ${user} in`
  const unused = ', though it offers one: if it refuses mail, give a password with --credentials-stdin'
  return `${host} answers, without a sign-in${offersSignIn ? unused : ''}`
}

/** Whether a mail server lets people sign in; asked before anything is said of who. */
export async function offersSignIn(server: MailServerAddress): Promise<boolean> {
  try {
    const { greet } = await import('./smtp-client.ts')
    return (await greet({ ...server, user: null, password: null }, patience)).offersSignIn
  } catch (error) {
    throw new SpoolError('bad_parameter', explainFailure(server, error), { cause: error })
  }
}
