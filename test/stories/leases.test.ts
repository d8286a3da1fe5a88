import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startConversation } from '../../src/core/drafts/compositions.ts'
import { mailboxLease, ownMailboxes } from '../../src/core/mailboxes/sync.ts'
import { claimTasks, leaseName } from '../../src/core/sending/outbox.ts'
import { changeUser } from '../../src/core/people/people.ts'
import { readLetter, sendDraft } from '../../src/core/sending/sending.ts'
import { signIn } from '../../src/core/access/sessions.ts'
import { readShare, shareQueues } from '../../src/core/webhooks/shares.ts'
import { addWebhook } from '../../src/core/webhooks/webhooks.ts'
import type { Spool } from '../../src/core/spool.ts'
import { transaction } from '../../src/store/database.ts'
import type { Tx } from '../../src/store/db.ts'
import { claimLease, dropLease } from '../../src/store/leases.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { openStore } from '../support/desk-opener.ts'
import { shareSpool } from '../support/desk.ts'
import { sendBy } from '../support/outgoing.ts'
import { password, seal } from '../support/web-client.ts'

const hour = 3_600_000

const takeLease = (spool: Spool, name: string, holder: string, milliseconds: number): Promise<boolean> =>
  transaction(spool.db, (db) => claimLease(db, name, holder, milliseconds))
const giveUpLease = (spool: Spool, name: string, holder: string): Promise<void> =>
  transaction(spool.db, (db) => dropLease(db, name, holder))

for (const database of databases) {
  const started = shareSpool(database)

  test(`${database}: of many who want a lease at once one gets it, and it can renew it`, async () => {
    const { spool } = await started()
    const holders = Array.from({ length: 20 }, (_, index) => `node-${index}`)
    const taken = await Promise.all(holders.map((holder) => takeLease(spool, 'one', holder, 60_000)))
    assert.equal(taken.filter(Boolean).length, 1)
    const owner = holders[taken.indexOf(true)]!
    assert.equal(await takeLease(spool, 'one', owner, 60_000), true)
  })

  test(`${database}: a lease that ended or was given up is free again`, async () => {
    const { spool } = await started()
    assert.equal(await takeLease(spool, 'two', 'dead', 60_000), true)
    assert.equal(await takeLease(spool, 'two', 'next', 60_000), false)
    const ended = (db: Tx) =>
      db.run(db.build.updateTable('leases').set({ ends_at: 1 }).where('name', '=', 'two'))
    await transaction(spool.db, ended)
    assert.equal(await takeLease(spool, 'two', 'next', 60_000), true)
    await giveUpLease(spool, 'two', 'dead')
    assert.equal(await takeLease(spool, 'two', 'third', 60_000), false)
    await giveUpLease(spool, 'two', 'next')
    assert.equal(await takeLease(spool, 'two', 'third', 60_000), true)
  })

  test(`${database}: a lease from a clock that was an hour ahead is not believed`, async () => {
    const { spool } = await started()
    // As its holder left it when it died: it ends in an hour and a minute.
    assert.equal(await takeLease(spool, 'three', 'dead', hour + 60_000), true)
    assert.equal(await takeLease(spool, 'three', 'next', 60_000), true)
    assert.equal(await takeLease(spool, 'three', 'third', 60_000), false, 'one of the right length is')
  })

  test(`${database}: nor does it silence a mailbox, a webhook or a draft that is being sent`, async () => {
    await using fresh = await freshDatabase(database)
    await using store = await openStore(fresh)
    const { spool, inbox } = store
    assert.equal((await ownMailboxes(spool, [inbox.number], 'dead', hour + mailboxLease)).size, 1)
    assert.equal((await ownMailboxes(spool, [inbox.number], 'next', mailboxLease)).size, 1)

    const wanted = { url: 'https://hooks.example/', email: 'ada@shop.example', types: [], inboxes: [] }
    const { webhook } = await addWebhook({ ...spool, checkTarget: async (url) => url }, wanted)
    assert.ok((await shareQueues(spool, 'dead', [], hour + 15_000)).mine.has(webhook.id))
    assert.equal((await readShare(spool, 'next', () => false, 15_000)).free, true)
    assert.ok((await shareQueues(spool, 'next', [], 15_000)).mine.has(webhook.id))

    await sendBy(spool, inbox, 1)
    await changeUser(spool, 'ada@shop.example', { password })
    const { actor } = await signIn(spool, 'ada@shop.example', password)
    const letter = { inboxId: inbox.id, to: ['carla@brandt.example'], subject: 'Late', text: 'Late' }
    const draft = await startConversation(spool, actor, letter)
    const sealed = seal(await readLetter(spool, actor, draft.id))
    await sendDraft({ ...spool, undoSeconds: 0 }, actor, { draftId: draft.id, revision: 1, seal: sealed })
    const [dead] = await claimTasks({ ...spool, now: () => Date.now() + hour }, 1)
    assert.equal(dead!.draft, draft.id)
    assert.deepEqual(await claimTasks(spool, 1), [], 'its lease is still held')
    await giveUpLease(spool, leaseName(draft.id), dead!.holder)
    assert.equal((await claimTasks(spool, 1))[0]?.draft, draft.id)
  })
}
