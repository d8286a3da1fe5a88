import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../support/databases.ts'
import { openStore } from '../support/desk-opener.ts'
import { fillMaildir } from '../support/mailbox-filler.ts'
import { followMailbox, openMailUser } from '../support/mail-user.ts'
import { mustHold } from '../support/must-hold.ts'
import { startDovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { writeMail } from '../support/letter.ts'
import { Serving } from '../support/serving.ts'
import { countMessages, storedSources, sum } from '../support/sources.ts'
import { until } from '../support/until.ts'
import { checkWhole } from '../support/wholeness.ts'

const skip = skipWithout('dovecot') || skipWithout('postgres')

test(
  'postgres: of two nodes one follows a mailbox; when it is killed the other goes on within 15 s, with nothing missing or doubled',
  { skip },
  async (t) => {
    await using dovecot = await startDovecot({ users: { team: 'secret' } })
    await using database = await freshDatabase('postgres')
    await using store = await openStore(database)
    const wanted = fillMaildir(dovecot, 'team', 100)
    await followMailbox(store.spool, store.inbox, dovecot)
    const environment = { ...database.env, SPOOL_LOG_LEVEL: 'info' }
    const nodes = await Promise.all([Serving.start(environment), Serving.start(environment)])
    await using stack = new AsyncDisposableStack()
    for (const node of nodes) stack.use(node)
    const owners = (): Serving[] => nodes.filter(({ log }) => log.includes('a mailbox is up to date'))
    const [owner] = await until('one follows it', async () => owners().length > 0 && owners(), 300_000)
    mustHold.equal(owners().length, 1, 'only one')
    const other = nodes.find((node) => node !== owner)!

    await using user = await openMailUser(dovecot)
    const secondsToArrive = async (subject: string): Promise<number> => {
      const begun = performance.now()
      const raw = writeMail({ subject })
      await user.append('INBOX', raw)
      wanted.push(sum(raw))
      await until(
        'it is here',
        async () => (await countMessages(store.spool, store.inbox.number)) === wanted.length,
        300_000,
      )
      return (performance.now() - begun) / 1000
    }
    // A busy machine is late with everything.
    const usual = await secondsToArrive('beforedeath')
    await owner!.kill()
    const seconds = await secondsToArrive('afterdeath')
    t.diagnostic(`the other went on after ${seconds.toFixed(1)} s; usual is ${usual.toFixed(1)} s`)
    assert.ok(seconds < 15 * Math.max(1, usual))
    await other.says(/a mailbox is up to date/)
    mustHold.deepEqual(await storedSources(store.spool, store.inbox.number), wanted.sort())
    await other.kill()
    mustHold.equal(await checkWhole(database), wanted.length)
  },
)
