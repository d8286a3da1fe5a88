import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { changeInbox } from '../../src/core/inboxes/inboxes.ts'
import { tokenFor } from '../../src/core/mailboxes/grants.ts'
import { GrantRefused, ProviderAway } from '../../src/model/mail/oauth.ts'
import { transaction } from '../../src/store/database.ts'
import { findGrant, updateGrant } from '../../src/store/inboxes/mail-grants.ts'
import { Child } from '../support/child.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { addGrantedInbox, consentTo, redirectUri } from '../support/mail-grant.ts'
import { startMailProvider } from '../support/mail-provider.ts'

const address = 'support@shop.example'

for (const database of databases)
  test(`${database}: a renewal whose answer was lost is tried again, and where the provider takes a token only once a person is told`, async () => {
    await using provider = await startMailProvider(redirectUri)
    await using fresh = await freshDatabase(database)
    const environment = { ...fresh.env, SPOOL_FETCH_ALLOW: '127.0.0.1' }
    await using spool = await openSpool(readConfig(environment), 'inline')
    const { id, number } = await addGrantedInbox(spool, provider, address, 9)
    const read = async () => (await findGrant(spool.db, number))!
    const endToken = (): Promise<void> =>
      transaction(spool.db, (db) => updateGrant(db, number, { access: null, ends_at: null }))
    /** As time would. */
    const endLeases = (): Promise<void> =>
      transaction(
        spool.db,
        async (db) => void (await db.run(db.build.updateTable('leases').set({ ends_at: 0 }))),
      )
    const uses = (): number[] => [...provider.refreshes.values()].toSorted()
    /** Spool is killed when the provider has new tokens and before they are stored. */
    const killWhileRenewing = async (): Promise<void> => {
      await endToken()
      const { promise: dead, resolve } = Promise.withResolvers<void>()
      provider.cut = async () => {
        await node.kill()
        resolve()
      }
      await using node = new Child('test/faults/child/fetch.ts', [], environment)
      await dead
      await endLeases()
    }

    // A provider that goes on taking the old token, as Microsoft and Google do: nobody notices.
    provider.rotates = false
    await killWhileRenewing()
    assert.ok(await tokenFor(spool, number, 'mailbox'))
    assert.equal((await read()).failure, null)

    // The same where only the connection broke.
    await endToken()
    provider.cut = async () => undefined
    await assert.rejects(tokenFor(spool, number, 'mailbox'), ProviderAway)
    assert.equal((await read()).failure, null)
    assert.ok(await tokenFor(spool, number, 'mailbox'), 'asked again at once')

    // One that takes it once: the new one is lost, which only a person can mend.
    provider.rotates = true
    provider.refreshes.clear()
    await killWhileRenewing()
    provider.away = true
    await assert.rejects(tokenFor(spool, number, 'mailbox'), ProviderAway)
    provider.away = false
    await assert.rejects(tokenFor(spool, number, 'mailbox'), GrantRefused)
    assert.match((await read()).failure!, /sign in again.*The answer to the last renewal was lost/)
    assert.deepEqual(uses(), [2], 'sent again once')
    await assert.rejects(tokenFor(spool, number, 'mailbox'), GrantRefused)
    assert.deepEqual(uses(), [2], 'and never after the refusal')

    await changeInbox(spool, id, { grant: await consentTo(spool, provider, address) })
    provider.refreshes.clear()
    for (let count = 0; count < 3; count++) {
      await endToken()
      assert.ok(await tokenFor(spool, number, 'mailbox'))
    }
    assert.deepEqual(uses(), [1, 1, 1], 'every answer was stored before the next was asked for')

    // Without a lost answer the words do not speak of one.
    provider.revoked = true
    await endToken()
    await assert.rejects(tokenFor(spool, number, 'mailbox'), GrantRefused)
    assert.doesNotMatch((await read()).failure!, /was lost/)
  })
