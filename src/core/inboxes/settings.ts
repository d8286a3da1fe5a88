import { system, type Actor, type Inbox } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import {
  checkMailServer,
  marksSeen,
  sendsByGraph,
  readFolderNames,
  writeFolderNames,
  writeOpenDays,
  type MailServer,
  type MailServerAddress,
  type MailServerKind,
} from '../../model/mail/server.ts'
import type { InboxSettings, ServerSettings, SyncView } from '../../model/settings.ts'
import { toTime, toTimeOrNull } from '../../model/time.ts'
import { listGrants, type GrantRow } from '../../store/inboxes/mail-grants.ts'
import { readersOfInbox } from '../../store/people/users.ts'
import { findInboxInView, noSuch } from '../access/access.ts'
import { addInbox, changeInbox, listAllInboxes, type InboxChange } from './inboxes.ts'
import { lacksPassword, listServersOfInboxes, openMailServer } from '../mailboxes/mail-servers.ts'
import { readSyncProgress, type MailboxProgress } from '../mailboxes/state.ts'
import type { Spool } from '../spool.ts'

/** From the form. Without a password the stored one is kept, as long as server and user stay the same. */
export type WantedServer = ServerSettings & { password?: string }

export async function listInboxSettings(spool: Spool): Promise<InboxSettings[]> {
  const servers = await listServersOfInboxes(spool)
  const progress = new Map((await readSyncProgress(spool)).map((each) => [each.inbox.number, each]))
  const inboxes = await listAllInboxes(spool)
  const grants = new Map((await listGrants(spool.db)).map((grant) => [grant.inbox, grant]))
  return Promise.all(
    inboxes.map(async ({ number, id, address, name, aliases }) => {
      const find = (kind: MailServerKind) =>
        servers.find(({ server }) => server.inbox === number && server.kind === kind)?.server
      const imap = find('imap')
      const smtp = find('smtp')
      const followed = progress.get(number)
      return {
        id,
        address,
        aliases: [...aliases],
        name,
        markSeen: imap !== undefined && marksSeen(imap),
        imap: imap ? viewServer(imap) : null,
        smtp: smtp ? viewServer(smtp) : null,
        sendsByGraph: smtp !== undefined && sendsByGraph(smtp),
        folders: imap ? readFolderNames(imap) : null,
        sync: followed ? viewSync(followed) : null,
        passwordsLost: [imap, smtp].flatMap((server) =>
          server && lacksPassword(spool, server) ? [server.kind] : [],
        ),
        signIn: viewGrant(grants.get(number)),
        people: await readersOfInbox(spool.db, number),
      }
    }),
  )
}

export async function getInboxSettings(spool: Spool, id: string): Promise<InboxSettings> {
  const found = (await listInboxSettings(spool)).find((inbox) => inbox.id === id)
  if (!found) throw noSuch('inbox')
  return found
}

function viewGrant(grant: GrantRow | undefined): InboxSettings['signIn'] {
  if (!grant) return null
  const { provider, way, account, failure } = grant
  return { provider, way, account, failure }
}

function viewServer({ host, port, security, user }: MailServerAddress): ServerSettings {
  return { host, port, security, username: user }
}

/** Problems that do not go away until somebody fixes them. */
const lasting = new Set(['password', 'grant', 'certificate', 'name', 'tls'])

function viewSync(progress: MailboxProgress): SyncView {
  const { state, failure, problem, retryAt, changedAt, syncedAt, folders } = progress
  const sum = (of: 'done' | 'total'): number => folders.reduce((sum, folder) => sum + folder[of], 0)
  return {
    state: nameState(progress),
    lastSyncAt: toTimeOrNull(syncedAt),
    error:
      failure === null || problem === null
        ? null
        : { message: failure, at: toTime(changedAt!), retryAt: toTimeOrNull(retryAt) },
    progress: state === 'first_sync' ? { done: sum('done'), total: sum('total') } : null,
    folders: folders.map(({ name, isSent, done, total }) => ({
      path: name,
      role: isSent ? 'sent' : name.toUpperCase() === 'INBOX' ? 'inbox' : null,
      messages: done,
      total,
    })),
  }
}

function nameState({ state, problem, syncedAt, isFollowed }: MailboxProgress): SyncView['state'] {
  if (!isFollowed || state === 'connecting') return 'starting'
  if (state === 'first_sync') return 'syncing'
  if (state === 'following') return 'idle'
  return lasting.has(problem ?? '') || syncedAt === null ? 'failed' : 'waiting'
}

export interface WantedInbox {
  name?: string
  aliases?: readonly string[]
  /** Null removes it. */
  imap?: WantedServer | null
  smtp?: WantedServer | null
  folders?: string[] | null
  markSeen?: boolean
  /** For the first sync; null: every thread starts open. */
  openDays?: number | null
}

export async function createInbox(
  spool: Spool,
  actor: Actor,
  { address, ...wanted }: WantedInbox & { address: string },
): Promise<InboxSettings> {
  const servers = (await chooseServers(spool, null, wanted)).flatMap(({ server }) => server ?? [])
  const { name = null, aliases = [] } = wanted
  const { id } = await addInbox(spool, address.trim(), name, servers, actor, { aliases })
  return getInboxSettings(spool, id)
}

export async function reviseInbox(
  spool: Spool,
  actor: Actor,
  id: string,
  wanted: WantedInbox,
): Promise<InboxSettings> {
  const inbox = await findInboxInView(spool.db, system, id)
  const servers = await chooseServers(spool, inbox, wanted)
  await changeInbox(spool, id, { ...wanted, servers }, actor)
  return getInboxSettings(spool, id)
}

async function chooseServers(
  spool: Spool,
  inbox: Inbox | null,
  { imap, smtp, folders, markSeen, openDays }: WantedInbox,
): Promise<NonNullable<InboxChange['servers']>> {
  const changes: NonNullable<InboxChange['servers']>[number][] = []
  const known = await findKnown(spool, inbox, 'imap')
  const fetching =
    imap === undefined ? known : imap && (await completeServer(spool, inbox, 'imap', imap, known))
  if (imap === null) changes.push({ kind: 'imap', server: null })
  else if (fetching && (imap || [folders, markSeen, openDays].some((choice) => choice !== undefined)))
    changes.push({ kind: 'imap', server: withChoices(fetching, folders, markSeen, openDays) })
  else if ((folders ?? undefined) !== undefined || markSeen)
    throw new SpoolError('bad_parameter', 'Folders and marking as read need an IMAP server.')
  if (smtp !== undefined)
    changes.push({ kind: 'smtp', server: smtp && (await completeServer(spool, inbox, 'smtp', smtp)) })
  return changes
}

function withChoices(
  server: MailServer,
  folders: readonly string[] | null | undefined,
  markSeen: boolean | undefined,
  openDays: number | null | undefined,
): MailServer {
  const { folders: named, 'mark-seen': marks, 'open-days': days, ...options } = server.options
  const chosen = folders === undefined ? named : folders && writeFolderNames(folders)
  const marked = markSeen === undefined ? marks : markSeen ? '1' : undefined
  const open = openDays === undefined ? days : writeOpenDays(openDays)
  return {
    ...server,
    options: {
      ...options,
      ...(chosen ? { folders: chosen } : {}),
      ...(marked === undefined ? {} : { 'mark-seen': marked }),
      ...(open === undefined ? {} : { 'open-days': open }),
    },
  }
}

/** Completes form input with what is stored for the same server: its password and options. */
async function completeServer(
  spool: Spool,
  inbox: Inbox | null,
  kind: MailServerKind,
  { password, username, ...wanted }: WantedServer,
  stored?: MailServer | null,
): Promise<MailServer> {
  const host = wanted.host.trim().replace(/^\[|\]$/g, '')
  const server = { ...wanted, host, kind, user: username?.trim() || null, options: {} }
  checkMailServer(server)
  const known = stored ?? (await findKnown(spool, inbox, kind))
  const options = known?.host === host ? known.options : {}
  if (server.user === null) return { ...server, options, password: null }
  // A password is for one server and one user: somebody who can change either must not have it sent elsewhere.
  const kept = known && isSameServer(known, server) && known.user === server.user ? known.password : null
  const secret = password || kept
  if (!secret) {
    const mayDoWithout = kind === 'smtp' && wanted.security === 'none'
    const orNone = mayDoWithout ? ', or leave the user name empty if it needs none' : ''
    throw new SpoolError('bad_parameter', `Enter the password of ${server.user} at ${host}${orNone}.`, {
      details: { parameter: 'password' },
    })
  }
  return { ...server, options, password: secret }
}

/**
 * TLS authenticates the host, whatever the port; without it another port may belong to somebody else on that machine.
 */
function isSameServer(known: MailServerAddress, wanted: MailServerAddress): boolean {
  if (known.host !== wanted.host) return false
  return wanted.security !== 'none' || (known.security === 'none' && known.port === wanted.port)
}

/** An unreadable password counts as none: it has to be entered again. */
async function findKnown(
  spool: Spool,
  inbox: Inbox | null,
  kind: MailServerKind,
): Promise<MailServer | null> {
  return inbox && openMailServer(spool, spool.db, inbox.number, kind).catch(() => null)
}

/** The same for a test sign-in, possibly for an inbox that does not exist yet. */
export async function completeTrial(
  spool: Spool,
  kind: MailServerKind,
  wanted: WantedServer,
  inboxId: string | null,
): Promise<MailServer> {
  const inbox = inboxId === null ? null : await findInboxInView(spool.db, system, inboxId)
  return completeServer(spool, inbox, kind, wanted)
}
