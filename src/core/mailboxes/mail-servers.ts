import type { Inbox } from '../../model/access.ts'
import {
  usesGrant,
  type MailServer,
  type MailServerAddress,
  type MailServerKind,
} from '../../model/mail/server.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import { transaction } from '../../store/database.ts'
import type { Db, Tx } from '../../store/db.ts'
import { forgetSyncState } from '../../store/inboxes/mail-folders.ts'
import { deleteGrant } from '../../store/inboxes/mail-grants.ts'
import {
  deleteMailServer,
  findMailServer,
  listMailServers,
  saveMailServer,
  type StoredMailServer,
} from '../../store/inboxes/mail-servers.ts'
import { decryptSecret, isReadable, sealSecret, type Reseal } from '../access/secrets.ts'
import { forgetStoppedMailbox } from '../notices/stopped.ts'
import type { Spool } from '../spool.ts'

export async function setMailServer(spool: Spool, inbox: Inbox, server: MailServer): Promise<void> {
  await transaction(spool.db, (db) => storeMailServer(spool, db, inbox, server.kind, server))
}

/** Null removes the server. Either way the old sync state no longer applies. */
export async function storeMailServer(
  spool: Spool,
  db: Tx,
  of: Inbox,
  kind: MailServerKind,
  server: MailServer | null,
): Promise<void> {
  const inbox = of.number
  if (kind === 'imap') {
    await forgetSyncState(db, inbox)
    await forgetStoppedMailbox(db, of)
  }
  if (server === null) {
    await deleteMailServer(db, inbox, kind)
    return forgetUnusedGrant(db, inbox)
  }
  const { host, port, security, user, password, options } = server
  const encrypted = password === null ? null : await sealSecret(spool, db, contextOf(inbox, server), password)
  await saveMailServer(db, { inbox, kind, host, port, security, user, password: encrypted, options })
  await forgetUnusedGrant(db, inbox)
}

/** Deletes the grant once neither server uses it. */
async function forgetUnusedGrant(db: Tx, inbox: number): Promise<void> {
  const servers = [...(await listMailServers(db, 'imap')), ...(await listMailServers(db, 'smtp'))]
  const isUsed = servers.some((server) => server.inbox === inbox && usesGrant(server))
  if (!isUsed) await deleteGrant(db, inbox)
}

/** The IMAP and SMTP servers of all current inboxes. */
export async function listServersOfInboxes({ db }: { db: Db }) {
  const inboxes = new Map((await listInboxes(db)).map((inbox) => [inbox.number, inbox]))
  const servers = [...(await listMailServers(db, 'imap')), ...(await listMailServers(db, 'smtp'))]
  return servers.flatMap((server) => {
    const inbox = inboxes.get(server.inbox)
    return inbox ? [{ inbox, server }] : []
  })
}

/** With the decrypted password: only for connecting, never for a log or a response. */
export async function openMailServer(
  spool: Spool,
  db: Db,
  inbox: number,
  kind: MailServerKind,
): Promise<MailServer | null> {
  const stored = await findMailServer(db, inbox, kind)
  return stored ? decryptPassword(spool, stored) : null
}

export function decryptPassword(spool: Spool, stored: StoredMailServer): MailServer {
  const { inbox, password: sealed, askedAt: _, ...address } = stored
  const password = sealed && decryptSecret(spool.keys.secrets, contextOf(inbox, address), sealed)
  return { ...address, password }
}

/** A password has to be entered again if it was lost with the store's secret. */
export function lacksPassword(
  spool: Pick<Spool, 'keys'>,
  { inbox, password, ...address }: StoredMailServer,
): boolean {
  return password !== null && !isReadable(spool, contextOf(inbox, address), password)
}

export async function resealPasswords(db: Tx, reseal: Reseal): Promise<void> {
  for (const server of [...(await listMailServers(db, 'imap')), ...(await listMailServers(db, 'smtp'))]) {
    const { askedAt: _, ...stored } = server
    if (stored.password === null) continue
    await saveMailServer(db, {
      ...stored,
      password: reseal(contextOf(stored.inbox, stored), stored.password),
    })
  }
}

/** Bound to the host as well: somebody who can change the host must not have the old password sent there. */
function contextOf(inbox: number, { kind, host }: MailServerAddress): string {
  return `the ${kind} server ${host} of inbox ${inbox}`
}
