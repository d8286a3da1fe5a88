import { system, type Actor, type Inbox } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import { newId } from '../../model/ids.ts'
import { mailServerKinds, type MailServer, type MailServerKind } from '../../model/mail/server.ts'
import { transaction } from '../../store/database.ts'
import { insertInbox, listInboxes, updateInbox } from '../../store/inboxes/inboxes.ts'
import { findInbox } from '../access/access.ts'
import { storeMailServer } from '../mailboxes/mail-servers.ts'
import { checkAddress, checkName } from '../people/people.ts'
import { requireAdmin } from '../access/sessions.ts'
import type { Spool } from '../spool.ts'

/** With exactly these servers; an inbox that is added again loses its old ones. */
export async function addInbox(
  spool: Spool,
  address: string,
  name: string | null,
  servers: readonly MailServer[] = [],
  actor: Actor = system,
): Promise<Inbox> {
  const checked = checkAddress(address)
  const title = checkName(name ?? nameFor(checked))
  return transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    if ((await listInboxes(db)).some((inbox) => inbox.address === checked)) {
      throw new SpoolError('conflict', `There is an inbox ${checked} already.`)
    }
    const inbox = await insertInbox(db, {
      id: newId('inb', spool.now()),
      address: checked,
      name: title,
      createdAt: spool.now(),
    })
    for (const kind of mailServerKinds)
      await storeMailServer(spool, db, inbox, kind, servers.find((each) => each.kind === kind) ?? null)
    return inbox
  })
}

/** support@… → Support */
function nameFor(address: string): string {
  const local = address.split('@')[0]!
  return local.charAt(0).toUpperCase() + local.slice(1)
}

export interface InboxChange {
  name?: string
  /** Null removes one. */
  servers?: readonly { kind: MailServerKind; server: MailServer | null }[]
}

export async function changeInbox(
  spool: Spool,
  idOrAddress: string,
  { name, servers = [] }: InboxChange,
  actor: Actor = system,
): Promise<Inbox> {
  const title = name === undefined ? null : checkName(name)
  return transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    const inbox = await findInbox(db, idOrAddress)
    for (const { kind, server } of servers) await storeMailServer(spool, db, inbox, kind, server)
    if (title === null) return inbox
    await updateInbox(db, inbox.number, { name: title })
    return { ...inbox, name: title }
  })
}

/** Hides it from everybody; its mail stays stored and is back when the address is added again. */
export async function removeInbox(spool: Spool, idOrAddress: string, actor: Actor = system): Promise<void> {
  await transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    const inbox = await findInbox(db, idOrAddress)
    await updateInbox(db, inbox.number, { removed_at: spool.now() })
  })
}

export async function listAllInboxes(spool: Spool): Promise<Inbox[]> {
  return listInboxes(spool.db)
}

/** The inbox an address belongs to: its own address or a plus address (support+orders@…); null if none. */
export async function findInboxByAddress(spool: Spool, address: string): Promise<Inbox | null> {
  const [, local, domain] = /^(.+)@([^@]+)$/.exec(address.toLowerCase()) ?? []
  if (local === undefined) return null
  const inboxes = await listInboxes(spool.db)
  const find = (name: string): Inbox | undefined =>
    inboxes.find((inbox) => inbox.address === `${name}@${domain}`)
  return find(local) ?? find(local.replace(/(.)\+.*$/, '$1')) ?? null
}
