import { SpoolError } from '../../model/errors.ts'
import { openDatabase, transaction } from '../../store/database.ts'
import type { Database, Db } from '../../store/db.ts'
import { hasServer } from '../../store/drivers/running-servers.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import { listGrants } from '../../store/inboxes/mail-grants.ts'
import { deleteAllBrowsers } from '../../store/notices/browsers.ts'
import { deleteLinks } from '../../store/people/links.ts'
import { readSetting, writeSetting } from '../../store/settings.ts'
import {
  decryptSecret,
  encryptSecret,
  forgotten,
  isForgotten,
  isReadable,
  type Reseal,
} from '../access/secrets.ts'
import { resealClients } from '../inboxes/oauth-clients.ts'
import { resealGrants } from '../mailboxes/grants.ts'
import { lacksPassword, listServersOfInboxes, resealPasswords } from '../mailboxes/mail-servers.ts'
import { checkSecret, deriveKeys, type Keys, type Spool } from '../spool.ts'
import { listUnsigned, resealWebhooks } from '../webhooks/webhooks.ts'

export interface SecretChange {
  next: Keys
  now: number
  /** Called right before the store takes the new secret. */
  beforeCommit(): void
}

export const stopServers = 'it would go on encrypting and signing with the secret that it started with'

/** Encrypts everything in the store again, in one transaction: it has the old secret or the new one. */
export async function rotateStore(db: Database, old: Keys, change: SecretChange): Promise<void> {
  await changeSecret(db, old.check, change, (context, encrypted) => {
    if (!isReadable({ keys: old }, context, encrypted)) return forgotten
    return encryptSecret(change.next.secrets, context, decryptSecret(old.secrets, context, encrypted))
  })
}

export interface Forgetting extends SecretChange {
  /** Folder of the SQLite store, or the address of PostgreSQL. */
  folder: string
  url: string | null
  /** Secrets that might be the store's. */
  known: readonly string[]
  /** Awaited once it is sure that none of them is. */
  confirm(): Promise<void>
}

/** Gives the store a new secret without the old one. Returns what has to be entered again. */
export async function forgetSecret({ folder, url, known, confirm, ...change }: Forgetting): Promise<Lost[]> {
  await using db = await openDatabase({ url, folder, writer: 'inline', absent: 'refuse' })
  for (const secret of known)
    if (await checkSecret(db, deriveKeys(secret)))
      throw new SpoolError(
        'conflict',
        'The secret is there and opens the store, so nothing is lost. "spool secret rotate" changes it.',
      )
  const check = await readSetting(db, 'secret_check')
  await confirm()
  await changeSecret(db, check, change, () => forgotten)
  return await listLost({ db, keys: change.next })
}

async function changeSecret(
  db: Database,
  known: string | undefined,
  { next, now, beforeCommit }: SecretChange,
  reseal: Reseal,
): Promise<void> {
  await transaction(db, async (db) => {
    if ((await readSetting(db, 'secret_check')) !== known)
      throw new SpoolError('conflict', 'The secret of this store was changed meanwhile; nothing was done.')
    if (await hasServer(db)) throw new SpoolError('conflict', `Stop the servers first: ${stopServers}.`)
    // Everything that `sealSecret` writes. Sign-ins under way are begun again.
    await resealPasswords(db, reseal)
    await resealGrants(db, reseal, now)
    await resealClients(db, reseal)
    await resealWebhooks(db, reseal, now)
    await deleteLinks(db, 'mailbox', null)
    await deleteAllBrowsers(db)
    await writeSetting(db, 'secret_check', next.check)
    beforeCommit()
  })
}

/** What has to be entered again, because it was encrypted with a secret that was lost. */
export async function listLost(spool: Pick<Spool, 'keys'> & { db: Db }): Promise<Lost[]> {
  const { db } = spool
  const inboxes = await listInboxes(db)
  const passwords = (await listServersOfInboxes(spool))
    .filter(({ server }) => lacksPassword(spool, server))
    .map(({ inbox, server }) => ({ kind: server.kind, of: inbox.address }))
  const signIns = (await listGrants(db)).flatMap(({ inbox, secrets }) => {
    const found = inboxes.find(({ number }) => number === inbox)
    return found && isForgotten(secrets) ? [{ kind: 'sign-in' as const, of: found.address }] : []
  })
  const webhooks = (await listUnsigned(spool)).map(({ id }) => ({ kind: 'webhook' as const, of: id }))
  return [...passwords, ...signIns, ...webhooks]
}

export interface Lost {
  kind: 'imap' | 'smtp' | 'sign-in' | 'webhook'
  /** The inbox's address, or the webhook's id. */
  of: string
}
