import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { sendTest } from '../../src/core/deliveries.ts'
import { addNote } from '../../src/core/notes.ts'
import { addWebhook } from '../../src/core/webhooks.ts'
import { system } from '../../src/model/access.ts'
import { databases } from '../support/databases.ts'
import { describeTimes, quantile } from '../support/latencies.ts'
import { Receiver, waitFor } from '../support/receiver.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

const long = process.env['SPOOL_TEST_LONG'] === '1'
const environment = { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' }

async function subscribe(spool: TestSpool, receiver: Receiver): Promise<string> {
  const wanted = { url: receiver.url, email: spool.ada.email, types: [], inboxes: [] }
  const { webhook, secret } = await addWebhook(spool.spool, wanted)
  receiver.secrets.push(secret)
  return webhook.id
}

for (const database of databases) {
  test(`${database}: one that never answers and one that takes 14 s delay nobody else`, async (t) => {
    await using spool = await startSpool(database, environment)
    await using fast = await Receiver.start()
    await using slow = await Receiver.start((_, response) => {
      setTimeout(() => response.writeHead(204).end(), 14_000).unref()
    })
    await using dead = await Receiver.start(() => undefined)
    for (const receiver of [fast, slow, dead]) await subscribe(spool, receiver)
    const { threadId } = await spool.receive({})
    await Promise.all([fast.until(2), slow.until(1), dead.until(1)])
    let p99 = Infinity
    // The best of a few: a busy machine may be late, a lane that waits for another is late each time.
    for (let round = 0; round < 5 && p99 >= 100; round++) {
      const times: number[] = []
      const begun = fast.arrivals.length
      for (let n = 0; n < (long ? 1000 : 100); n++) {
        await addNote(spool.spool, spool.actor, threadId, `Note ${n}`)
        const committed = performance.now()
        await fast.until(begun + n + 1)
        times.push(fast.arrivals[begun + n]!.at - committed)
      }
      t.diagnostic(describeTimes(times))
      p99 = quantile(times, 0.99)
    }
    assert.ok(p99 < 100, `p99 ${p99} ms`)
    assert.ok(slow.arrivals.length >= 1 && dead.arrivals.length >= 1)
    assert.ok(slow.arrivals.length < 20, 'the slow ones keep to one at a time')
    if (long) await waitFor(() => slow.arrivals.length >= 2, 'the slow one gets its next', 20_000)
  })

  for (const [where, limit] of [
    ['this process', 100],
    ['another process', 250],
  ] as const)
    test(`${database}: a commit by ${where} is delivered within ${limit} ms`, async (t) => {
      await using spool = await startSpool(database, environment)
      await using receiver = await Receiver.start()
      const id = await subscribe(spool, receiver)
      await using beside = await openSpool(readConfig(spool.database.env), 'inline')
      const store = where === 'this process' ? spool.spool : beside
      const times: number[] = []
      // The first finds the lane being opened.
      for (let n = 0; n < 6; n++) {
        await sleep(60 * Math.random())
        await sendTest(store, system, id)
        const committed = performance.now()
        await receiver.until(n + 1)
        times.push(receiver.arrivals[n]!.at - committed)
      }
      t.diagnostic(describeTimes(times.slice(1)))
      assert.ok(quantile(times.slice(1), 0.5) < limit)
    })
}
