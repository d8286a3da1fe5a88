import type { ListResponse } from 'imapflow'
import { quoteServer, SpoolError } from '../model/errors.ts'
import { sendsByGraph, type MailServer, type MailServerAddress } from '../model/mail/server.ts'
import type { FolderRole, FoundFolder } from '../model/settings.ts'
import { diagnose, explainSilence, type Diagnosis } from './connection-trouble.ts'
import { connectImap } from './imap/connection.ts'
import { chooseFolders, countMessages } from './imap/folder.ts'
import { checkImapOptions } from './imap/options.ts'

export type Trial =
  | { ok: true; words: string; folders: FoundFolder[] | null }
  | ({ ok: false; cause: unknown } & Diagnosis)

const defaultTimeout = 20_000
/** As many as a person can choose from; a hostile server may list any number. */
const mostFolders = 1000

/** Signs in and looks at the folders, changing nothing. Returns in words what was found, or rejects with the cause. */
export async function tryMailServer(server: MailServer): Promise<string> {
  const trial = await probeMailServer(server)
  if (trial.ok) return trial.words
  if (trial.cause instanceof SpoolError) throw trial.cause
  const { message, inAddress, cause } = trial
  throw new SpoolError('bad_parameter', inAddress ? `${message} ${inAddress}` : message, { cause })
}

/** Like `tryMailServer`, with more details; resolves within `timeout` milliseconds. */
export async function probeMailServer(server: MailServer, timeout = defaultTimeout): Promise<Trial> {
  const { promise: silence, resolve } = Promise.withResolvers<Trial>()
  const timer = setTimeout(() => resolve({ ok: false, cause: null, ...explainSilence(server) }), timeout)
  const look = server.kind === 'imap' ? tryImap : trySmtp
  const over = new AbortController()
  const looked = look(server, timeout, over.signal).catch((error: unknown): Trial => ({
    ok: false,
    cause: error,
    ...diagnose(server, error),
  }))
  try {
    return await Promise.race([looked, silence])
  } finally {
    clearTimeout(timer)
    // Otherwise a server that keeps sending could hold its connection open indefinitely.
    over.abort()
  }
}

async function tryImap(server: MailServer, timeout: number, signal: AbortSignal): Promise<Trial> {
  checkImapOptions(server)
  await using connection = await connectImap(server, { timeout, signal, largestMessage: 0 })
  const { folders: chosen, absent, listed } = await chooseFolders(connection)
  if (absent !== null) throw new SpoolError('not_found', absent)
  const found: string[] = []
  for (const { name, isSent } of chosen) {
    const count = await countMessages(connection, name)
    found.push(`${count} messages in ${quoteServer(name)}${isSent ? ' (sent)' : ''}`)
  }
  const sent = chosen.find(({ isSent }) => isSent)
  const warning = sent ? '' : '; it has no folder for sent mail, which ?sent=FOLDER can name'
  const paths = new Set(chosen.map(({ name }) => name))
  const selectable = listed.filter(({ flags }) => !flags.has('\\Noselect')).slice(0, mostFolders)
  return {
    ok: true,
    words: `${server.host} lets ${server.user} in: ${found.join(', ')}${warning}`,
    folders: selectable.map((folder) => ({
      path: folder.path,
      role: folder.path === sent?.name ? 'sent' : roleOf(folder),
      chosen: paths.has(folder.path),
    })),
  }
}

const roles: Record<string, FolderRole> = {
  '\\Inbox': 'inbox',
  '\\Sent': 'sent',
  '\\Drafts': 'drafts',
  '\\Trash': 'trash',
  '\\Junk': 'junk',
  '\\Archive': 'archive',
  '\\All': 'archive',
}

function roleOf({ path, specialUse }: ListResponse): FolderRole | null {
  return path.toUpperCase() === 'INBOX' ? 'inbox' : (roles[specialUse ?? ''] ?? null)
}

async function trySmtp(server: MailServer, timeout: number, signal: AbortSignal): Promise<Trial> {
  const { host, user, password, token } = server
  if (sendsByGraph(server)) return { ok: true, words: `${host} gets the mail of ${user}`, folders: null }
  if (user !== null && password === null && token === undefined)
    throw new SpoolError(
      'bad_parameter',
      `The SMTP server ${host} needs a password; give it with --credentials-stdin.`,
    )
  const { greet } = await import('./smtp/client.ts')
  const { offersSignIn } = await greet(server, timeout, signal)
  const unused = ', though it offers one: if it refuses mail, give a password with --credentials-stdin'
  const words =
    user === null
      ? `${host} answers, without a sign-in${offersSignIn ? unused : ''}`
      : `${host} lets ${user} in`
  return { ok: true, words, folders: null }
}

/** Whether a mail server offers authentication; checked before any user name is sent. */
export async function offersSignIn(server: MailServerAddress): Promise<boolean> {
  try {
    const { greet } = await import('./smtp/client.ts')
    return (await greet({ ...server, user: null, password: null }, defaultTimeout)).offersSignIn
  } catch (error) {
    throw new SpoolError('bad_parameter', diagnose(server, error).message, { cause: error })
  }
}
