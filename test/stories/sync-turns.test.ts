import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { mailboxLease, openFolder, ownMailboxes, receiveFetched } from '../../src/core/mailboxes/sync.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { transaction } from '../../src/store/database.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { openStore } from '../support/desk-opener.ts'
import { writeMail } from '../support/letter.ts'

const sight = { uidValidity: 1, uidNext: 1000, exists: 999, modseq: null }

/** By a clock on which every look takes ten milliseconds. */
async function withSlowClock<Result>(work: () => Promise<Result>): Promise<Result> {
  let now = performance.now()
  const clock = mock.method(performance, 'now', () => (now += 10))
  try {
    return await work()
  } finally {
    clock.mock.restore()
  }
}

for (const database of databases)
  test(`${database}: a batch of a sync is long while nobody waits, and ends soon for another writer`, async () => {
    await using fresh = await freshDatabase(database)
    await using store = await openStore(fresh)
    const { spool, inbox } = store
    const owner = { inbox, holder: 'this node' }
    await ownMailboxes(spool, [inbox.number], owner.holder, mailboxLease)
    const key = { inbox: inbox.number, account: 'team', name: 'INBOX', isSent: false }
    const folder = await openFolder(spool, owner, key, sight)
    const items = Array.from({ length: 60 }, (_, at) => ({
      uid: at + 1,
      hash: Buffer.alloc(32, at + 1),
      incoming: {
        mail: parseMail(Buffer.from(writeMail({ subject: `mail ${at}` }))),
        direction: 'inbound' as const,
        envelopeDate: null,
        seen: true,
        quiet: true,
      },
    }))
    const alone = await withSlowClock(() => receiveFetched(spool, owner, folder, items))
    assert.ok(alone.taken > 5 && alone.taken < 40, `${alone.taken} were stored while nobody waited`)
    const left = items.slice(alone.taken)
    const [interrupted] = await withSlowClock(() =>
      Promise.all([receiveFetched(spool, owner, folder, left), transaction(spool.db, async () => undefined)]),
    )
    assert.ok(interrupted.taken <= 3, `${interrupted.taken} were stored while another waited`)
    assert.equal(interrupted.stored, interrupted.taken)
  })
