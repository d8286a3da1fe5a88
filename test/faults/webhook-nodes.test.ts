import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { addUser } from '../../src/core/people/people.ts'
import { addWebhook } from '../../src/core/webhooks/webhooks.ts'
import { system } from '../../src/model/access.ts'
import { transaction } from '../../src/store/database.ts'
import { appendEvent } from '../../src/store/log/events.ts'
import { Child } from '../support/child.ts'
import { freshDatabase, type FreshDatabase } from '../support/databases.ts'
import { mustHold } from '../support/must-hold.ts'
import { skipWithout } from '../support/parts/install.ts'
import { Receiver, waitFor } from '../support/receiver.ts'

const long = process.env['SPOOL_TEST_LONG'] === '1'
const kills = long ? 30 : 3
const subscriptions = 6
const allow = { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' }

function startDelivering(database: FreshDatabase): Child {
  return new Child('test/faults/child/deliver.ts', ['0'], { ...database.env, ...allow })
}

test(
  `postgres: three nodes, one killed every few seconds, ${kills} times: nothing lost, hardly anything twice`,
  { skip: skipWithout('postgres') ?? false },
  async (t) => {
    await using database = await freshDatabase('postgres')
    await using receiver = await Receiver.start()
    await using spool = await openSpool(readConfig({ ...database.env, ...allow }), 'inline')
    const inbox = await addInbox(spool, 'support@shop.example', null)
    const email = 'ada@shop.example'
    await addUser(spool, { email, name: 'Ada', role: 'admin', inboxes: [], password: null })
    for (let n = 0; n < subscriptions; n++) {
      const { secret } = await addWebhook(spool, {
        url: `${receiver.url}/${n}`,
        email,
        types: [],
        inboxes: [],
      })
      receiver.secrets.push(secret)
    }
    const nodes = [1, 2, 3].map(() => startDelivering(database))
    await using _nodes = {
      [Symbol.asyncDispose]: async () => void (await Promise.all(nodes.map((node) => node.kill()))),
    }
    await Promise.all(nodes.map((node) => node.says(/delivers/)))

    let writing = true
    let written = 0
    const writer = (async () => {
      for (const going = () => writing; going(); await sleep(100)) {
        // No faster than it is delivered.
        if (receiver.arrivals.length < (written - 100) * subscriptions) continue
        await transaction(spool.db, async (db) => {
          for (let n = 0; n < 25; n++, written++)
            await appendEvent(db, {
              type: 'thread.status_changed',
              inbox: inbox.number,
              timestamp: Date.now(),
              quiet: false,
              data: { threadId: `thr_${written}`, actor: { type: 'system', id: null, name: system.name } },
            })
        })
      }
    })()
    for (let n = 0; n < kills; n++) {
      const before = receiver.arrivals.length
      await sleep(3000 + Math.random() * 1000)
      // On a machine that is busy with other things, later: what counts is the share.
      await waitFor(() => receiver.arrivals.length - before > 1200, 'enough between two kills', 60_000)
      await nodes[n % 3]!.kill()
      nodes[n % 3] = startDelivering(database)
    }
    writing = false
    await writer

    const places = Array.from({ length: subscriptions }, (_, n) => `/hook/${n}`)
    const seqsAt = (path: string): number[] =>
      receiver.arrivals.filter((arrival) => arrival.path === path).map(({ body }) => body.data.seq)
    await waitFor(() => places.every((path) => new Set(seqsAt(path)).size === written), 'the rest', 120_000)
    mustHold.deepEqual(receiver.refused, [])
    const wanted = Array.from({ length: written }, (_, n) => n + 1)
    for (const path of places) {
      const firsts = [...new Set(seqsAt(path))]
      mustHold.deepEqual(firsts, wanted, 'each in order, by the first time it came')
    }
    const twice = receiver.arrivals.length - subscriptions * written
    const share = twice / receiver.arrivals.length
    t.diagnostic(
      `${receiver.arrivals.length} deliveries of ${written} events, ${twice} of them twice (${(share * 100).toFixed(2)} %)`,
    )
    assert.ok(share < 0.01)
  },
)
