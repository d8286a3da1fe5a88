import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { forgetOldDeliveries, listDeliveries, sendTest } from '../../src/core/webhooks/deliveries.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { forgetOldEvents } from '../../src/core/log/events.ts'
import { addUser } from '../../src/core/people/people.ts'
import type { Spool } from '../../src/core/spool.ts'
import { loadQueue, openWebhook } from '../../src/core/webhooks/queues.ts'
import { addWebhook, enableWebhook, listWebhooks, rotateSecret } from '../../src/core/webhooks/webhooks.ts'
import { system } from '../../src/model/access.ts'
import type { Delivery } from '../../src/model/webhooks.ts'
import { transaction } from '../../src/store/database.ts'
import { findDelivery, saveDeliveries } from '../../src/store/webhooks/deliveries.ts'
import { readViews } from '../../src/store/webhooks/views.ts'
import { Courier } from '../../src/webhook/deliver.ts'
import { Guard } from '../../src/webhook/guard.ts'
import { startDeliveries } from '../../src/workers/deliver-webhooks.ts'
import { databases, freshDatabase, type DatabaseKind } from '../support/databases.ts'
import { Receiver, waitFor, type Answering } from '../support/receiver.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const slack = 2 * second
/** As docs/webhooks.md promises them. */
const retryDelays = [
  5 * second,
  5 * minute,
  30 * minute,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
]
const mostJitter = 0.1

/** Spool's store and its deliveries on a clock that stands still until it is moved. */
interface Stand extends AsyncDisposable {
  spool: Spool
  receiver: Receiver
  id: string
  disabled: [string, string][]
  move(milliseconds: number): void
  set(time: number): void
  /** Sends a test event and waits for its first attempt. */
  event(): Promise<Delivery>
  attempted(seq: number, attempts: number): Promise<Delivery>
  state(): Promise<[string, string | null]>
}

async function startStand(kind: DatabaseKind, answer: Answering): Promise<Stand> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await freshDatabase(kind))
  const receiver = stack.use(await Receiver.start(answer))
  receiver.ownClock = false
  const allow = ['127.0.0.0/8']
  const config = readConfig({ ...database.env, SPOOL_WEBHOOK_ALLOW: allow.join() })
  const spool = stack.use(await openSpool(config, 'thread'))
  let now = Date.parse('2026-11-14T09:30:00.000Z')
  spool.now = () => now
  const courier = stack.use(new Courier(new Guard({ allow })))
  const disabled: [string, string][] = []
  stack.use(
    startDeliveries(spool, {
      courier,
      onAttempt: () => undefined,
      onFailure: (error) => assert.fail(error as Error),
      onDisabled: (id, reason) => void disabled.push([id, reason]),
      poll: 20,
    }),
  )
  const ada = { email: 'ada@shop.example', name: 'Ada', role: 'admin', inboxes: [], password: null } as const
  await addUser(spool, ada)
  const wanted = { url: receiver.url, email: ada.email, types: [], inboxes: [] }
  const { webhook, secret } = await addWebhook(spool, wanted)
  receiver.secrets.push(secret)
  const attempted = async (seq: number, attempts: number): Promise<Delivery> => {
    let found: Delivery | undefined
    await waitFor(async () => {
      found = await findDelivery(spool.db, webhook.id, seq)
      return (found?.attempts ?? 0) >= attempts
    }, `attempt ${attempts}`)
    return found!
  }
  const owned = stack.move()
  return {
    spool,
    receiver,
    id: webhook.id,
    disabled,
    move: (milliseconds) => void (now += milliseconds),
    set: (time) => void (now = time),
    event: async () => attempted(await sendTest(spool, system, webhook.id), 1),
    attempted,
    async state() {
      const [{ state, disabledReason } = { state: 'none', disabledReason: null }] = await listWebhooks(
        spool,
        null,
      )
      return [state, disabledReason]
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function answerWith(status: number, headers: Record<string, string> = {}): Answering {
  return (_, response) => void response.writeHead(status, headers).end()
}

for (const database of databases) {
  test(`${database}: a delivery that was given up before its first attempt keeps no later one from being forgotten`, async () => {
    await using stand = await startStand(database, answerWith(204))
    const { spool, id } = stand
    const done = await stand.event()
    const given = { state: 'failed', attempts: 0, attemptedAt: null, nextAttemptAt: null } as const
    await transaction(spool.db, (db) => saveDeliveries(db, [{ ...done, seq: 0, ...given }]))
    stand.move(29 * day)
    await stand.event()
    stand.move(2 * day)
    await forgetOldDeliveries(spool)
    const left = await spool.db.all(spool.db.build.selectFrom('deliveries').select('attempts'))
    assert.deepEqual(left, [{ attempts: 1 }], 'the younger of the two that were attempted')
    assert.equal(await findDelivery(spool.db, id, done.seq), undefined)
  })

  test(`${database}: what it could see before the oldest event in the log is forgotten, and nothing later`, async () => {
    await using stand = await startStand(database, answerWith(204))
    const { spool, id } = stand
    const seen = async (): Promise<number[][]> =>
      (await readViews(spool.db, id)).map(({ inboxes }) => [...inboxes]).toReversed()
    const add = async (name: string): Promise<number> =>
      (await addInbox(spool, `${name}@shop.example`, null)).number
    await stand.event()
    const one = await add('one')
    await stand.event()
    const two = await add('two')
    await stand.event()
    stand.move(31 * day)
    await stand.event()
    const three = await add('three')
    await stand.event()
    assert.deepEqual(await seen(), [[], [one], [one, two], [one, two, three]])
    await forgetOldDeliveries(spool)
    assert.equal((await seen()).length, 4, 'the log still holds their events')
    await forgetOldEvents(spool, 30)
    await forgetOldDeliveries(spool)
    assert.deepEqual(await seen(), [
      [one, two],
      [one, two, three],
    ])
  })

  test(`${database}: ten attempts over about three days, each at its time with a little jitter`, async (t) => {
    await using stand = await startStand(database, answerWith(500))
    let delivery = await stand.event()
    const { seq } = delivery
    const waits: number[] = []
    for (const [index, delay] of retryDelays.entries()) {
      assert.deepEqual([delivery.state, delivery.attempts], ['waiting', index + 1])
      const wait = delivery.nextAttemptAt! - delivery.attemptedAt! - delivery.milliseconds!
      assert.ok(wait >= delay && wait <= delay * (1 + mostJitter), `${wait} ms after attempt ${index + 1}`)
      waits.push(wait)
      stand.set(delivery.nextAttemptAt! - 1)
      await sleep(60)
      assert.equal(stand.receiver.arrivals.length, index + 1, 'not before its time')
      stand.move(1)
      delivery = await stand.attempted(seq, index + 2)
    }
    assert.deepEqual([delivery.state, delivery.attempts, delivery.nextAttemptAt], ['failed', 10, null])
    stand.move(30 * day)
    await sleep(100)
    assert.equal(stand.receiver.arrivals.length, 10, 'and no eleventh')
    assert.equal(new Set(stand.receiver.arrivals.map(({ text }) => text)).size, 1, 'always the same body')
    const total = waits.reduce((sum, wait) => sum + wait, 0)
    t.diagnostic(`all ten within ${(total / day).toFixed(2)} days`)
    assert.ok(total > 3 * day && total < 3.6 * day)
    assert.ok(
      waits.some((wait, index) => wait !== retryDelays[index]),
      'there is jitter',
    )
    const times = stand.receiver.arrivals.map(({ headers }) => Number(headers['webhook-timestamp']))
    assert.ok(
      times.every((time, index) => index === 0 || time > times[index - 1]!),
      'each signed at its time',
    )
  })

  test(`${database}: Retry-After is honoured, as seconds and as a date, up to a day`, async () => {
    await using stand = await startStand(database, answerWith(429, { 'retry-after': '120' }))
    const next = async (header: string): Promise<number> => {
      stand.receiver.answer = answerWith(503, { 'retry-after': header })
      const { attemptedAt, nextAttemptAt, milliseconds } = await stand.event()
      return nextAttemptAt! - attemptedAt! - milliseconds!
    }
    const about = (found: number, wanted: number) =>
      assert.ok(found >= wanted && found <= wanted * (1 + mostJitter) + slack, `${found}, not ${wanted}`)
    about(await next('120'), 120 * second)
    about(await next(new Date(stand.spool.now() + 10 * 60 * second).toUTCString()), 9 * 60 * second + 59_000)
    about(await next('1'), 5 * second)
    about(await next('99999999'), day)
    about(await next('soon'), 5 * second)
  })

  test(`${database}: 410 disables at once, and the log and the list say so`, async () => {
    await using stand = await startStand(database, answerWith(500))
    const waiting = await stand.event()
    stand.receiver.answer = answerWith(410)
    const { state, attempts } = await stand.event()
    assert.deepEqual([state, attempts], ['failed', 1])
    assert.deepEqual(await stand.state(), ['disabled', 'gone'])
    await waitFor(() => stand.disabled.length > 0, 'the word')
    assert.deepEqual(stand.disabled, [[stand.id, 'gone']])
    stand.move(hour)
    await sleep(80)
    assert.equal(stand.receiver.arrivals.length, 2, 'what waited is not tried any more')
    assert.equal((await findDelivery(stand.spool.db, stand.id, waiting.seq))!.state, 'failed')
    await assert.rejects(sendTest(stand.spool, system, stand.id), /is disabled/)
    await enableWebhook(stand.spool, system, stand.id)
    stand.receiver.answer = answerWith(204)
    assert.equal((await stand.event()).state, 'delivered')
  })

  test(`${database}: five days of nothing but failures disable; one success begins the count anew`, async () => {
    await using stand = await startStand(database, answerWith(500))
    await stand.event()
    stand.move(5 * day - hour)
    await stand.event()
    assert.deepEqual(await stand.state(), ['enabled', null])
    stand.receiver.answer = answerWith(200)
    await stand.event()
    stand.receiver.answer = answerWith(500)
    stand.move(2 * hour)
    await stand.event()
    assert.deepEqual(await stand.state(), ['enabled', null], 'not since the success')
    stand.move(5 * day)
    await waitFor(async () => (await stand.state())[0] === 'disabled', 'the end')
    assert.deepEqual(await stand.state(), ['disabled', 'failing'])
    // It is told after the commit that others may see already.
    await waitFor(() => stand.disabled.length > 0, 'the word of it')
    assert.deepEqual(stand.disabled, [[stand.id, 'failing']])
    const states = new Set(
      (await listDeliveries(stand.spool, system, stand.id, { state: null, before: null, limit: 100 })).map(
        ({ state }) => state,
      ),
    )
    assert.equal(states.has('waiting'), false)
  })

  test(`${database}: a new secret signs every event after it, although the queue has yet to hear of it`, async () => {
    await using stand = await startStand(database, answerWith(204))
    const { seq } = await stand.event()
    const known = (await openWebhook(stand.spool, stand.id))!
    const { secret } = await rotateSecret(stand.spool, system, stand.id)
    stand.receiver.secrets = [secret]
    await stand.event()
    const load = await loadQueue(stand.spool, known, { position: seq, previousSeq: seq })
    assert.equal(load!.parcels.length, 1)
    assert.ok(load!.destination.secrets.includes(secret))
  })

  test(`${database}: after a rotation both secrets sign for 24 hours, then the new one alone`, async () => {
    await using stand = await startStand(database, answerWith(204))
    const [old] = stand.receiver.secrets
    const signatures = (): number =>
      stand.receiver.arrivals.at(-1)!.headers['webhook-signature']!.toString().split(' ').length
    await stand.event()
    assert.equal(signatures(), 1)
    const { secret } = await rotateSecret(stand.spool, system, stand.id)
    assert.notEqual(secret, old)
    for (const secrets of [[old!], [secret]]) {
      stand.receiver.secrets = secrets
      assert.equal((await stand.event()).state, 'delivered')
      assert.equal(signatures(), 2)
    }
    stand.move(day - second)
    await stand.event()
    assert.equal(signatures(), 2)
    stand.move(second)
    assert.equal((await stand.event()).state, 'delivered')
    assert.equal(signatures(), 1)
    stand.receiver.secrets = [old!]
    assert.equal((await stand.event()).status, 401)
    // A secret that nobody kept is rotated again, while the receiver still has the one before.
    const [lost, kept] = [
      await rotateSecret(stand.spool, system, stand.id),
      await rotateSecret(stand.spool, system, stand.id),
    ]
    for (const each of [secret, lost.secret, kept.secret]) {
      stand.receiver.secrets = [each]
      assert.equal((await stand.event()).state, 'delivered')
    }
    stand.move(day)
    assert.equal((await stand.event()).state, 'delivered')
    assert.equal(signatures(), 1)
    const stored = JSON.stringify(
      await stand.spool.db.all(stand.spool.db.build.selectFrom('webhooks').selectAll()),
    )
    assert.equal(stored.includes(secret.slice(6)), false, 'encrypted at rest')
  })
}
