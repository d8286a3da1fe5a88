import assert from 'node:assert/strict'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { keepClient, viewClient } from '../../src/core/inboxes/oauth-clients.ts'
import { tokenFor } from '../../src/core/mailboxes/grants.ts'
import { openMailServer, setMailServer } from '../../src/core/mailboxes/mail-servers.ts'
import { addUser } from '../../src/core/people/people.ts'
import type { Spool } from '../../src/core/spool.ts'
import { createToken } from '../../src/core/tokens/tokens.ts'
import { addWebhook, openSecrets } from '../../src/core/webhooks/webhooks.ts'
import { transaction } from '../../src/store/database.ts'
import { saveBrowser } from '../../src/store/notices/browsers.ts'
import { findWebhook } from '../../src/store/webhooks/webhooks.ts'
import { textQuery } from '../../src/store/statement.ts'
import type { FreshDatabase } from './databases.ts'
import { consentTo, redirectUri } from './mail-grant.ts'
import { startMailProvider } from './mail-provider.ts'
import { makeSession } from './session.ts'

export interface SealedStore {
  environment: Record<string, string>
  token: string
  session: string
  webhook: { id: string; secret: string }
  /** Reads everything that was encrypted, with the secret of this environment. */
  checkWhole(environment: Record<string, string>): Promise<void>
}

export const plainAddress = 'support@shop.example'
export const grantedAddress = 'sales@shop.example'
const passwords = { imap: 'the password of imap', smtp: 'the password of smtp' }
const secretOfClient = 'the secret of a client'

/** A store with something of every kind that Spool encrypts or signs with its secret. */
export async function makeSealedStore(database: FreshDatabase): Promise<SealedStore> {
  const environment = {
    ...database.env,
    SPOOL_FETCH_ALLOW: '127.0.0.1',
    SPOOL_WEBHOOK_ALLOW: '127.0.0.1',
    SPOOL_PORT: '0',
  }
  await using provider = await startMailProvider(redirectUri)
  await using spool = await openSpool(readConfig(environment), 'inline')
  const at = { host: '127.0.0.1', port: 9, security: 'none', options: {} } as const
  const plain = await addInbox(spool, plainAddress, null)
  for (const kind of ['imap', 'smtp'] as const)
    await setMailServer(spool, plain, { kind, ...at, user: 'pia', password: passwords[kind] })
  const grant = await consentTo(spool, provider, grantedAddress)
  const imap = { kind: 'imap', ...at, user: grantedAddress, password: null } as const
  const granted = await addInbox(spool, grantedAddress, null, [imap], undefined, { grant })
  const user = await addUser(spool, {
    email: 'ada@shop.example',
    name: 'Ada',
    role: 'admin',
    inboxes: [],
    password: null,
  })
  const wanted = { url: 'https://127.0.0.1/hook', email: user.email, types: [], inboxes: [] }
  const { webhook, secret } = await addWebhook(spool, wanted)
  const { secret: session, actor } = await makeSession(spool, user)
  await transaction(spool.db, async (db) => {
    await keepClient(spool, db, 'other', { clientId: 'spool', clientSecret: secretOfClient })
    await saveBrowser(db, {
      id: 'psh_1',
      user_id: user.id,
      session_id: actor.session,
      endpoint: 'https://push.example/1',
      p256dh: 'x',
      auth: 'x',
      device: null,
      created_at: 1,
      last_used_at: null,
      problem: null,
    })
  })
  const { token } = await createToken(spool, {
    email: user.email,
    name: 'Agent',
    scopes: ['threads:read'],
    inboxes: [],
    lifetime: null,
  })
  return {
    environment,
    token,
    session,
    webhook: { id: webhook.id, secret },
    async checkWhole(environment) {
      await using spool = await openSpool(readConfig(environment), 'inline', { absent: 'refuse' })
      for (const kind of ['imap', 'smtp'] as const)
        assert.equal((await openMailServer(spool, spool.db, plain.number, kind))?.password, passwords[kind])
      assert.equal(await tokenFor(spool, granted.number, 'mailbox'), grant.tokens.access)
      assert.deepEqual(openSecrets(spool, (await findWebhook(spool.db, webhook.id))!), [secret])
      assert.equal((await viewClient(spool, 'other'))?.clientId, 'spool')
    },
  }
}

/** Every value of every table, to look for what must not be there, or has changed. */
export async function readStoredSecrets(spool: Spool): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [table, key, columns] of [
    ['mail_servers', ['inbox', 'kind'], ['password']],
    ['mail_grants', ['inbox'], ['secrets', 'access']],
    ['webhooks', ['id'], ['secret', 'old_secret']],
    ['settings', ['name'], ['value']],
  ] as const) {
    const rows = await spool.db.all(textQuery<Record<string, unknown>>(`SELECT * FROM ${table}`))
    for (const row of rows)
      for (const column of columns) {
        const value = row[column]
        if (value === null) continue
        const text = Buffer.isBuffer(value) ? value.toString('base64') : String(value)
        found.set([table, ...key.map((name) => row[name]), column].join(' '), text)
      }
  }
  return found
}
