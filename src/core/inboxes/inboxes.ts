import { system, type Actor, type Inbox } from '../../model/access.ts'
import { checkName } from '../../model/characters/names.ts'
import { SpoolError } from '../../model/errors.ts'
import { newId } from '../../model/ids.ts'
import { addressesOf, ownAddressOf } from '../../model/mail/own-address.ts'
import { mailServerKinds, type MailServer, type MailServerKind } from '../../model/mail/server.ts'
import { transaction } from '../../store/database.ts'
import type { Db } from '../../store/db.ts'
import { insertInbox, listInboxes, updateInbox } from '../../store/inboxes/inboxes.ts'
import { deleteGrant } from '../../store/inboxes/mail-grants.ts'
import { findInbox } from '../access/access.ts'
import { storeGrant, type NewGrant } from '../mailboxes/grants.ts'
import { storeMailServer } from '../mailboxes/mail-servers.ts'
import { checkAddress } from '../people/people.ts'
import { requireAdmin } from '../access/sessions.ts'
import { takeBackSending } from '../sending/held.ts'
import type { Spool } from '../spool.ts'

/** Adds an inbox with exactly these servers; one that is added again loses its old servers. */
export async function addInbox(
  spool: Spool,
  address: string,
  name: string | null,
  servers: readonly MailServer[] = [],
  actor: Actor = system,
  { aliases = [], grant = null }: { aliases?: readonly string[]; grant?: NewGrant | null } = {},
): Promise<Inbox> {
  const checked = checkAddress(address)
  const title = checkName(name ?? nameFor(checked))
  return transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    await requireFree(db, checked, null)
    const others = await checkAliases(db, aliases, checked, null)
    const inbox = await insertInbox(db, {
      id: newId('inb', spool.now()),
      address: checked,
      name: title,
      aliases: others,
      createdAt: spool.now(),
    })
    for (const kind of mailServerKinds)
      await storeMailServer(spool, db, inbox, kind, servers.find((each) => each.kind === kind) ?? null)
    if (grant) await storeGrant(spool, db, inbox.number, grant)
    return inbox
  })
}

/** An address belongs to one inbox, whether as its own or as an alias. */
async function requireFree(db: Db, address: string, inbox: number | null): Promise<void> {
  const taken = (await listInboxes(db)).find(
    (each) => each.number !== inbox && addressesOf(each).includes(address),
  )
  if (!taken) return
  throw new SpoolError(
    'conflict',
    taken.address === address
      ? `There is already an inbox for ${address}.`
      : `${address} already belongs to the inbox ${taken.address}. Remove it there first.`,
  )
}

const mostAliases = 50

async function checkAliases(
  db: Db,
  aliases: readonly string[],
  address: string,
  inbox: number | null,
): Promise<string[]> {
  const wanted = [...new Set(aliases.map((alias) => checkAddress(alias.trim())))].filter(
    (alias) => alias !== address,
  )
  if (wanted.length > mostAliases)
    throw new SpoolError('bad_parameter', `An inbox can have at most ${mostAliases} other addresses.`)
  for (const alias of wanted) await requireFree(db, alias, inbox)
  return wanted
}

/** support@… → Support */
function nameFor(address: string): string {
  const local = address.split('@')[0]!
  return local.charAt(0).toUpperCase() + local.slice(1)
}

export interface InboxChange {
  name?: string
  /** Replaces the list. */
  aliases?: readonly string[]
  /** A null server removes the one of that kind. */
  servers?: readonly { kind: MailServerKind; server: MailServer | null }[]
  grant?: NewGrant
}

export async function changeInbox(
  spool: Spool,
  idOrAddress: string,
  { name, aliases, servers = [], grant }: InboxChange,
  actor: Actor = system,
): Promise<Inbox> {
  const title = name === undefined ? null : checkName(name)
  return transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    const inbox = await findInbox(db, idOrAddress)
    for (const { kind, server } of servers) await storeMailServer(spool, db, inbox, kind, server)
    if (grant) await storeGrant(spool, db, inbox.number, grant)
    if (title === null && aliases === undefined) return inbox
    const change = {
      ...(title === null ? {} : { name: title }),
      ...(aliases === undefined
        ? {}
        : { aliases: await checkAliases(db, aliases, inbox.address, inbox.number) }),
    }
    await updateInbox(db, inbox.number, change)
    return { ...inbox, ...change }
  })
}

/**
 * Hides the inbox from everybody; its mail stays stored and reappears when the address is added again. What waits to be
 * sent does not go out.
 */
export async function removeInbox(spool: Spool, idOrAddress: string, actor: Actor = system): Promise<void> {
  await transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    const inbox = await findInbox(db, idOrAddress)
    await takeBackSending(db, inbox.number, actor, spool.now())
    await updateInbox(db, inbox.number, { removed_at: spool.now() })
    await deleteGrant(db, inbox.number)
  })
}

export async function listAllInboxes(spool: Spool): Promise<Inbox[]> {
  return listInboxes(spool.db)
}

/** The inbox an address belongs to: one of its addresses or a plus address (support+orders@…); null if none. */
export async function findInboxByAddress(spool: Spool, address: string): Promise<Inbox | null> {
  const inboxes = await listInboxes(spool.db)
  const exact = inboxes.find((inbox) => addressesOf(inbox).includes(address.toLowerCase()))
  return exact ?? inboxes.find((inbox) => ownAddressOf(address, addressesOf(inbox)) !== undefined) ?? null
}
