import type { Inbox } from '../model/access.ts'
import { SpoolError } from '../model/errors.ts'
import { newId } from '../model/ids.ts'
import { transaction } from '../store/database.ts'
import { insertInbox, listInboxes, updateInbox } from '../store/inboxes.ts'
import { findInbox } from './access.ts'
import { checkAddress, checkName } from './people.ts'
import type { Spool } from './spool.ts'

export async function addInbox(spool: Spool, address: string, name: string | null): Promise<Inbox> {
  const checked = checkAddress(address)
  const title = checkName(name ?? nameFor(checked))
  return transaction(spool.db, async (db) => {
    if ((await listInboxes(db)).some((inbox) => inbox.address === checked)) {
      throw new SpoolError('conflict', `There is an inbox ${checked} already.`)
    }
    return insertInbox(db, {
      id: newId('inb', spool.now()),
      address: checked,
      name: title,
      createdAt: spool.now(),
    })
  })
}

/** support@… → Support */
function nameFor(address: string): string {
  const local = address.split('@')[0]!
  return local.charAt(0).toUpperCase() + local.slice(1)
}

export async function renameInbox(spool: Spool, idOrAddress: string, name: string): Promise<Inbox> {
  const title = checkName(name)
  return transaction(spool.db, async (db) => {
    const inbox = await findInbox(db, idOrAddress)
    await updateInbox(db, inbox.number, { name: title })
    return { ...inbox, name: title }
  })
}

/** It leaves every view; its mail stays in the store and is there again when the address is added again. */
export async function removeInbox(spool: Spool, idOrAddress: string): Promise<void> {
  await transaction(spool.db, async (db) => {
    const inbox = await findInbox(db, idOrAddress)
    await updateInbox(db, inbox.number, { removed_at: spool.now() })
  })
}

export async function listAllInboxes(spool: Spool): Promise<Inbox[]> {
  return listInboxes(spool.db)
}

/** Whose mail this address is: an inbox's own, or its plus-address (support+orders@…); null where nobody's. */
export async function findInboxByAddress(spool: Spool, address: string): Promise<Inbox | null> {
  const [, local, domain] = /^(.+)@([^@]+)$/.exec(address.toLowerCase()) ?? []
  if (local === undefined) return null
  const inboxes = await listInboxes(spool.db)
  const find = (name: string): Inbox | undefined =>
    inboxes.find((inbox) => inbox.address === `${name}@${domain}`)
  return find(local) ?? find(local.replace(/(.)\+.*$/, '$1')) ?? null
}
