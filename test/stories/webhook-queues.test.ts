import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { replayEvents, sendTest } from '../../src/core/webhooks/deliveries.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { addWebhook, disableWebhook, enableWebhook } from '../../src/core/webhooks/webhooks.ts'
import { system } from '../../src/model/access.ts'
import { findWebhook } from '../../src/store/webhooks/webhooks.ts'
import { databases } from '../support/databases.ts'
import { Receiver } from '../support/receiver.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

const long = process.env['SPOOL_TEST_LONG'] === '1'
const environment = { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' }

async function subscribe(spool: TestSpool, receiver: Receiver): Promise<string> {
  const wanted = { url: receiver.url, email: spool.ada.email, types: [], inboxes: [] }
  const { webhook, secret } = await addWebhook(spool.spool, wanted)
  receiver.secrets.push(secret)
  return webhook.id
}

for (const database of databases) {
  test(`${database}: one that never answers and one that is slow delay nobody else`, async () => {
    await using spool = await startSpool(database, environment)
    await using fast = await Receiver.start()
    const held: ServerResponse[] = []
    await using slow = await Receiver.start((_, response) => void held.push(response))
    await using dead = await Receiver.start(() => undefined)
    for (const receiver of [fast, slow, dead]) await subscribe(spool, receiver)
    const { threadId } = await spool.receive({})
    const began = performance.now()
    await Promise.all([fast.until(2), slow.until(1), dead.until(1)])
    const count = long ? 1000 : 100
    for (let n = 0; n < count; n++) {
      await addNote(spool.spool, spool.actor, threadId, `Note ${n}`)
      await fast.until(2 + n + 1)
    }
    // On a busy machine the time limit of a delivery (15 s) passes meanwhile, and the next event is tried.
    const most = 1 + Math.floor((performance.now() - began) / 15_000)
    for (const { arrivals } of [slow, dead])
      assert.ok(
        new Set(arrivals.map(({ body }) => body.data.seq)).size <= most,
        'the slow ones have one at a time',
      )
    const first = slow.arrivals[0]!.body.data.seq
    await until('a slow answer lets the next one come', async () => {
      for (const response of held.splice(0)) response.writeHead(204).end()
      return slow.arrivals.some((arrival) => arrival.body.data.seq !== first)
    })
  })

  test(`${database}: a late answer to a cancelled replay does not move the next one`, async () => {
    await using spool = await startSpool(database, environment)
    await using receiver = await Receiver.start()
    const id = await subscribe(spool, receiver)
    const { threadId } = await spool.receive({})
    for (let n = 0; n < 4; n++) await addNote(spool.spool, spool.actor, threadId, `Note ${n}`)
    await receiver.until(6)
    const all = receiver.arrivals.splice(0).map(({ body }) => body.data.seq)
    const stored = async () => (await findWebhook(spool.spool.db, id))!
    await until('they are recorded', async () => (await stored()).position >= all[5]!)
    const held: ServerResponse[] = []
    receiver.answer = (_, response) => void held.push(response)
    await replayEvents(spool.spool, system, id, { seq: all[3]! }, null)
    await receiver.until(1)
    await disableWebhook(spool.spool, system, id)
    await enableWebhook(spool.spool, system, id)
    await replayEvents(spool.spool, system, id, { seq: all[0]! - 1 }, { seq: all[5]! })
    receiver.arrivals.length = 0
    receiver.answer = (_, response) => void response.writeHead(204).end()
    held[0]!.writeHead(204).end()
    await until('the replay has ended', async () => !(await stored()).replay)
    const again = receiver.arrivals.filter(({ body }) => body.type !== 'webhook.disabled')
    assert.deepEqual(
      again.map(({ body }) => body.data.seq),
      all,
    )
  })

  for (const where of ['this process', 'another process'] as const)
    test(`${database}: a commit by ${where} is delivered`, async () => {
      await using spool = await startSpool(database, environment)
      await using receiver = await Receiver.start()
      const id = await subscribe(spool, receiver)
      await using beside = await openSpool(readConfig(spool.database.env), 'inline')
      const store = where === 'this process' ? spool.spool : beside
      for (let n = 0; n < 6; n++) {
        await sendTest(store, system, id)
        await receiver.until(n + 1)
      }
    })
}
