import { openMailServer } from '../core/mailboxes/mail-servers.ts'
import type { Spool } from '../core/spool.ts'
import { offersSignIn, tryMailServer } from '../mail/try-connection.ts'
import type { Inbox } from '../model/access.ts'
import { SpoolError } from '../model/errors.ts'
import {
  readMailServerAddress,
  type MailServer,
  type MailServerAddress,
  type MailServerKind,
  usesGrant,
} from '../model/mail/server.ts'
import type { OpenDays } from './command.ts'
import { promptSecret, readSecretLines } from './secret.ts'

export interface ServerOptions {
  imap?: string
  smtp?: string
  markSeen?: boolean
  openDays?: OpenDays
  credentialsStdin?: boolean
}

/** What the options do to an inbox's servers; null removes one. */
export interface ServerChange {
  kind: MailServerKind
  server: MailServer | null
  /** The result of the test sign-in, and which options are gone. */
  found: string
}

/** Every server is tested before anything is stored. */
export async function chooseServers(
  spool: Spool,
  inbox: Inbox | null,
  address: string,
  options: ServerOptions,
): Promise<ServerChange[]> {
  const wanted = await readWanted(spool, inbox, options)
  const passwords = options.credentialsStdin ? await readSecretLines() : []
  const changes: ServerChange[] = []
  for (const { kind, server: named } of wanted) {
    if (named === null) {
      changes.push({ kind, server: null, found: 'removed' })
      continue
    }
    const server = await withUser(named, address, passwords)
    const password = await choosePassword(spool, inbox, server, passwords)
    const complete = { ...server, password }
    const gone = options[kind] === undefined ? [] : await listDropped(spool, inbox, complete)
    const dropped = gone.length === 0 ? '' : `. No longer set: ${gone.join(', ')}`
    changes.push({ kind, server: complete, found: `${await tryMailServer(complete)}${dropped}` })
  }
  return changes
}

/** Options of the stored address that the new one, which replaces it, does not have. */
async function listDropped(
  spool: Spool,
  inbox: Inbox | null,
  { kind, options }: MailServer,
): Promise<string[]> {
  const known = inbox && (await openMailServer(spool, spool.db, inbox.number, kind))
  const names = Object.keys(known?.options ?? {}).filter((name) => !(name in options))
  return names.map((name) => `${name}=${known!.options[name]}`)
}

interface Wanted {
  kind: MailServerKind
  server: MailServerAddress | null
}

async function readWanted(spool: Spool, inbox: Inbox | null, options: ServerOptions): Promise<Wanted[]> {
  const wanted = (['imap', 'smtp'] as const).flatMap((kind): Wanted[] => {
    const text = options[kind]
    if (text === undefined) return []
    return [{ kind, server: text === 'none' ? null : readMailServerAddress(kind, text) }]
  })
  const { markSeen, openDays } = options
  if (markSeen === undefined && openDays === undefined) return wanted
  const known = inbox && (await openMailServer(spool, spool.db, inbox.number, 'imap'))
  const given = wanted.find(({ kind }) => kind === 'imap')
  const imap = given ? given.server : known
  if (!imap)
    throw new SpoolError('bad_parameter', '--mark-seen and --open-days need an IMAP server: add --imap.')
  const { 'mark-seen': marked, 'open-days': days, ...others } = imap.options
  const marks = markSeen === undefined ? marked : markSeen ? '1' : undefined
  const open = openDays === undefined ? days : String(openDays)
  const chosen = {
    ...others,
    ...(marks === undefined ? {} : { 'mark-seen': marks }),
    ...(open === undefined ? {} : { 'open-days': open }),
  }
  const server = { ...imap, options: chosen }
  return [{ kind: 'imap', server }, ...wanted.filter(({ kind }) => kind !== 'imap')]
}

/**
 * The user is usually the address. An SMTP server on this machine may accept mail without sign-in: it is asked, unless
 * no password was given (then nobody signs in) or a second one, which is meant for SMTP (then the address signs in).
 */
async function withUser(
  server: MailServerAddress,
  address: string,
  passwords: readonly string[],
): Promise<MailServerAddress> {
  if (server.user !== null) return server
  const mayBeOpen = server.kind === 'smtp' && server.security === 'none' && !passwords[1]
  if (mayBeOpen && !(passwords[0] && (await offersSignIn(server)))) return server
  return { ...server, user: address.toLowerCase() }
}

/** The first line is for IMAP, the second for SMTP if it differs. A stored password stays valid for the same server. */
async function choosePassword(
  spool: Spool,
  inbox: Inbox | null,
  { kind, host, user }: MailServerAddress,
  passwords: readonly string[],
): Promise<string | null> {
  if (user === null) return null
  const given = kind === 'imap' ? passwords[0] : (passwords[1] ?? passwords[0])
  if (given) return given
  const known = inbox && (await openMailServer(spool, spool.db, inbox.number, kind))
  if (known && known.host === host && known.user === user && (known.password !== null || usesGrant(known)))
    return known.password
  return promptSecret(`Password of ${user} at ${host}: `)
}
