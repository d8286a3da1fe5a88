import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databases, freshDatabase } from '../support/databases.ts'
import { openStore } from '../support/desk-opener.ts'
import { fillMaildir } from '../support/mailbox-filler.ts'
import { followMailbox } from '../support/mail-user.ts'
import { startDovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startProxy } from '../support/proxy.ts'
import { Serving } from '../support/serving.ts'
import { countMessages, storedSources } from '../support/sources.ts'
import { until } from '../support/until.ts'
import { checkWhole } from '../support/wholeness.ts'

const isLong = process.env['SPOOL_TEST_LONG'] === '1'
const kills = isLong ? 100 : 10
const messages = isLong ? 2000 : 200

for (const kind of databases)
  test(
    `${kind}: ${kills} kills at random moments of a sync of ${messages} messages: each is here once, byte for byte`,
    { skip: skipWithout('dovecot') },
    async (t) => {
      await using dovecot = await startDovecot({ users: { team: 'secret' } })
      await using proxy = await startProxy(dovecot.port)
      await using database = await freshDatabase(kind)
      await using store = await openStore(database)
      const wanted = fillMaildir(dovecot, 'team', messages, { size: 1500 })
      await followMailbox(store.spool, store.inbox, proxy)
      const count = (): Promise<number> => countMessages(store.spool, store.inbox.number)
      const environment = { ...database.env, SPOOL_LOG_LEVEL: 'info' }
      // So slow that no life is long enough for all of it.
      proxy.slowTo(150_000)
      const found: number[] = []
      for (let n = 0; n < kills; n++) {
        await using server = await Serving.start(environment)
        const [connections, before] = [proxy.connections(), found.at(-1) ?? 0]
        await until('it connects', async () => proxy.connections() > connections, 60_000)
        // Most lives last until something has come through, and a little longer.
        if (n % 3 !== 0) await until('something comes', async () => (await count()) > before, 60_000)
        await sleep(Math.random() * 250)
        await server.kill()
        found.push(await count())
        // A lease that nobody can renew any more would keep the next one waiting.
        await store.spool.db.transaction((db) => db.run(db.build.deleteFrom('leases')))
      }
      proxy.slowTo(null)
      await using last = await Serving.start(environment)
      await until('all is here', async () => (await count()) >= messages, 120_000)
      await last.says(/a mailbox is up to date/)
      t.diagnostic(`messages here after each kill: ${found.join(', ')}`)
      assert.ok(new Set(found).size > kills / 2, 'it was killed at work')
      assert.deepEqual(await storedSources(store.spool, store.inbox.number), wanted.sort())
      await last.kill()
      assert.equal(await checkWhole(database), messages)
    },
  )
