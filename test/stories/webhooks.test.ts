import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebhookPayload } from '@spool-inbox/client/webhooks'
import { Webhook } from 'standardwebhooks'
import { addNote } from '../../src/core/threads/notes.ts'
import { changeUser, removeUser } from '../../src/core/people/people.ts'
import { removeInbox } from '../../src/core/inboxes/inboxes.ts'
import { listDeliveries, replayEvents, retryDelivery, sendTest } from '../../src/core/webhooks/deliveries.ts'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import {
  addWebhook,
  disableWebhook,
  enableWebhook,
  listWebhooks,
  removeWebhook,
} from '../../src/core/webhooks/webhooks.ts'
import { system } from '../../src/model/access.ts'
import type { EventType } from '../../src/model/events.ts'
import { signDelivery } from '../../src/webhook/sign.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { Receiver, waitFor } from '../support/receiver.ts'
import type { TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

const environment = { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' }
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

async function subscribe(
  spool: TestSpool,
  desk: Desk,
  receiver: Receiver,
  { types = [], inboxes = [] }: { types?: EventType[]; inboxes?: string[] } = {},
): Promise<string> {
  const { webhook, secret } = await addWebhook(spool.spool, {
    url: receiver.url,
    email: desk.user.email,
    types,
    inboxes,
  })
  receiver.secrets.push(secret)
  return webhook.id
}

const payloads = JSON.parse(readFileSync('test/golden/webhook-payloads.json', 'utf8')) as WebhookPayload[]
const page = { state: null, before: null, limit: 100 }

test('the published vector of Standard Webhooks comes out equal', () => {
  // From the specification's reference implementations.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
  const body = '{"test": 2432232314}'
  const headers = signDelivery([secret], { id, at: 1_614_265_330_000, body })
  assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  assert.equal(new Webhook(secret).sign(id, new Date(1_614_265_330_000), body), headers['webhook-signature'])
})

for (const database of databases) {
  const shared = shareSpool(database, environment)

  test(`${database}: what happens is told in order, thin, signed, each with the one before it`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    await desk.receive()
    await using receiver = await Receiver.start()
    await subscribe(spool, desk, receiver)
    const { threadId, messageId } = await desk.receive({ subject: 'Confidential' })
    const noteId = await addNote(spool.spool, desk.actor, threadId, 'Confidential')
    await assignThread(spool.spool, desk.actor, threadId, desk.user)
    await changeStatus(spool.spool, desk.actor, threadId, 'closed')
    const arrivals = await receiver.until(5)
    assert.deepEqual(receiver.types(), [
      'thread.created',
      'message.received',
      'note.created',
      'thread.assigned',
      'thread.status_changed',
    ])
    const told = (await desk.events()).slice(2)
    assert.deepEqual(
      arrivals.map(({ body: { type, timestamp, data } }) => {
        const { previousSeq: _, ...rest } = data
        return { type, timestamp, data: rest }
      }),
      told,
      'the same as GET /events, but for previousSeq',
    )
    assert.deepEqual(
      arrivals.map(({ body }) => body.data.previousSeq),
      [null, ...receiver.seqs().slice(0, -1)],
    )
    assert.deepEqual(
      arrivals.slice(1, 3).map(({ body: { data } }) => [data.threadId, data.messageId, data.noteId]),
      [
        [threadId, messageId, undefined],
        [threadId, undefined, noteId],
      ],
    )
    assert.equal(
      arrivals.some(({ text }) => text.includes('Confidential')),
      false,
    )
    for (const { headers, body } of arrivals) {
      assert.equal(headers['webhook-id'], body.data.eventId)
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(headers['user-agent'], `Spool/${version}`)
      assert.equal(headers['cookie'], undefined)
    }
    for (const { body } of arrivals) {
      const known = payloads.find(({ type }) => type === body.type)!
      assert.deepEqual(Object.keys(body), Object.keys(known))
      assert.deepEqual(
        new Set(Object.keys(body.data)),
        new Set(Object.keys(known.data)),
        'as in the golden file',
      )
    }
    const metrics = (await spool.get('/metrics')).text
    assert.match(metrics, /^spool_webhook_lanes [1-9]/m)
    assert.match(metrics, /^spool_webhook_behind \d/m)
    assert.match(metrics, /^spool_webhook_waiting \d/m)
    assert.match(metrics, /^spool_webhook_attempt_seconds_count\{outcome="delivered"\} [1-9]/m)
  })

  test(`${database}: quiet history is told to nobody, not even to who asked for everything`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    await using receiver = await Receiver.start()
    await subscribe(spool, desk, receiver)
    const quiet = await desk.receive({}, { quiet: true, seen: true })
    const { threadId, messageId } = await desk.receive()
    // Told in order: what comes with the last event has left the quiet ones behind.
    await until('the loud mail is told', async () =>
      receiver.arrivals.some(({ body }) => body.data.messageId === messageId),
    )
    assert.notEqual(quiet.threadId, threadId)
    assert.deepEqual(new Set(receiver.arrivals.map(({ body }) => body.data.threadId)), new Set([threadId]))
  })

  test(`${database}: kinds and inboxes narrow it`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    await changeUser(spool.spool, desk.user.email, { inboxes: [desk.inbox.id, other.inbox.id] })
    await using notes = await Receiver.start()
    await using one = await Receiver.start()
    const ofNotes = await subscribe(spool, desk, notes, { types: ['note.created'] })
    await subscribe(spool, desk, one, { types: ['message.received'], inboxes: [other.inbox.address] })
    const { threadId } = await desk.receive()
    const theirs = await other.receive()
    await addNote(spool.spool, desk.actor, threadId, 'One')
    await addNote(spool.spool, other.actor, theirs.threadId, 'Two')
    await notes.until(2)
    await one.until(1)
    await sleep(50)
    assert.deepEqual(notes.types(), ['note.created', 'note.created'])
    assert.deepEqual(
      one.arrivals.map(({ body }) => body.data.messageId),
      [theirs.messageId],
    )
    await sendTest(spool.spool, system, ofNotes)
    const next = await other.receive()
    await notes.until(3)
    await one.until(2)
    assert.equal(notes.types().at(-1), 'webhook.test', 'whatever kinds it asked for')
    assert.equal(one.arrivals[1]!.body.data.messageId, next.messageId, "another's test is not told")
  })

  test(`${database}: it sees what its owner could see when the event happened, however late it is told`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    await using receiver = await Receiver.start()
    // While it is held up, a backlog builds.
    let hold: (() => void) | null = null
    const held = new Promise<void>((resolve) => (hold = resolve))
    receiver.answer = (_, response) => void held.then(() => response.writeHead(204).end())
    await subscribe(spool, desk, receiver, { types: ['message.received'] })
    const expected: string[] = []
    const give = async (...inboxes: string[]) => changeUser(spool.spool, desk.user.email, { inboxes })
    const seen = async (from: Desk, isSeen: boolean): Promise<void> => {
      const { messageId } = await from.receive()
      if (isSeen) expected.push(messageId)
    }
    await seen(desk, true)
    await receiver.until(1)
    await seen(other, false)
    await give(desk.inbox.id, other.inbox.id)
    await seen(other, true)
    await seen(desk, true)
    await give(other.inbox.id)
    await seen(desk, false)
    await seen(other, true)
    await give()
    await seen(other, false)
    await seen(desk, false)
    await changeUser(spool.spool, desk.user.email, { role: 'admin' })
    await seen(other, true)
    await changeUser(spool.spool, desk.user.email, { role: 'member' })
    await seen(other, false)
    await give(desk.inbox.id, other.inbox.id)
    await removeInbox(spool.spool, other.inbox.id)
    await seen(desk, true)
    hold!()
    await receiver.until(expected.length)
    await sleep(100)
    assert.deepEqual(
      receiver.arrivals.map(({ body }) => body.data.messageId),
      expected,
    )
  })

  test(`${database}: who is removed, or becomes a viewer, is told nothing more`, async () => {
    const spool = await shared()
    const [gone, viewer] = [await openDesk(spool), await openDesk(spool)]
    await using receiver = await Receiver.start()
    const ids = [await subscribe(spool, gone, receiver), await subscribe(spool, viewer, receiver)]
    await removeUser(spool.spool, gone.user.email)
    await changeUser(spool.spool, viewer.user.email, { role: 'viewer' })
    await spool.receive({}, { inbox: gone.inbox })
    await viewer.receive()
    await sleep(150)
    assert.deepEqual(receiver.arrivals, [])
    const listed = (await listWebhooks(spool.spool, null)).filter(({ id }) => ids.includes(id))
    assert.deepEqual(
      listed.map(({ state, disabledReason }) => [state, disabledReason]),
      [
        ['disabled', 'owner_removed'],
        ['disabled', 'owner_viewer'],
      ],
    )
    const asked = { url: receiver.url, types: [], inboxes: [] }
    await assert.rejects(addWebhook(spool.spool, { ...asked, email: viewer.user.email }), /is a viewer/)
    await assert.rejects(addWebhook(spool.spool, { ...asked, email: gone.user.email }), /no user/)
    await assert.rejects(enableWebhook(spool.spool, system, ids[0]!), /owner .* was removed/)
  })

  test(`${database}: the log of deliveries tells status, latency and 1 kB of the answer; one can be retried`, async (t) => {
    const spool = await shared()
    const desk = await openDesk(spool)
    let status = 500
    await using receiver = await Receiver.start((_, response) => {
      response.writeHead(status, { 'content-type': 'text/plain', 'set-cookie': 'a=b', location: '/other' })
      response.end(`Not now \u001b[31m${'x'.repeat(5000)}`)
    })
    const id = await subscribe(spool, desk, receiver, { types: ['message.received'] })
    // Nothing is tried again by itself, however long this takes.
    const { now } = spool.spool
    const time = now()
    spool.spool.now = () => time
    t.after(() => (spool.spool.now = now))
    for (status of [500, 302, 200]) {
      await desk.receive()
      await waitFor(
        async () => (await listDeliveries(spool.spool, system, id, page))[0]?.status === status,
        `the ${status}`,
      )
    }
    assert.equal(receiver.arrivals.length, 3, 'no redirect was followed')
    const [third, second, first] = await listDeliveries(spool.spool, system, id, page)
    assert.deepEqual(
      [first, second, third].map((each) => [each!.state, each!.status, each!.attempts]),
      [
        ['waiting', 500, 1],
        ['waiting', 302, 1],
        ['delivered', 200, 1],
      ],
    )
    assert.equal(third!.answer!.length, 1024)
    assert.match(third!.answer!, /^Not now \ufffd\[31mxxx/)
    assert.ok(third!.milliseconds! >= 0 && third!.milliseconds! < 60_000)
    assert.equal(await retryDelivery(spool.spool, system, id, first!.eventId), first!.seq)
    await receiver.until(4)
    await waitFor(
      async () => (await listDeliveries(spool.spool, system, id, page))[2]!.state === 'delivered',
      'the retry',
    )
    assert.equal(receiver.arrivals[3]!.text, receiver.arrivals[0]!.text, 'the same body, previousSeq too')
    assert.equal(receiver.arrivals[3]!.headers['cookie'], undefined)
    await assert.rejects(retryDelivery(spool.spool, system, id, 'evt_none'), /no event evt_none/)
  })

  test(`${database}: one that was disabled begins anew from now, shows the hole, and replays what it missed`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    await using receiver = await Receiver.start()
    const id = await subscribe(spool, desk, receiver, { types: ['message.received'] })
    await desk.receive()
    await receiver.until(1)
    await disableWebhook(spool.spool, desk.actor, id)
    for (let count = 0; count < 3; count++) await desk.receive()
    await assert.rejects(replayEvents(spool.spool, system, id, { seq: 0 }, null), /is disabled/)
    await enableWebhook(spool.spool, desk.actor, id)
    await desk.receive()
    await receiver.until(2)
    const all = (await desk.events('message.received')).map(({ data }) => data.seq)
    assert.deepEqual(receiver.seqs(), [all[0], all[4]])
    assert.equal(receiver.arrivals[1]!.body.data.previousSeq, all[3], 'it missed something')
    await replayEvents(spool.spool, desk.actor, id, { seq: all[0]! }, { seq: all[3]! })
    await receiver.until(5)
    assert.deepEqual(receiver.seqs().slice(2), all.slice(1, 4))
    assert.deepEqual(
      receiver.arrivals.slice(2).map(({ body }) => body.data.previousSeq),
      all.slice(0, 3),
    )
    await waitFor(async () => !(await listWebhooks(spool.spool, desk.user.email))[0]!.replaying, 'its end')
    await replayEvents(spool.spool, desk.actor, id, { time: 0 }, null)
    await receiver.until(10)
    assert.deepEqual(receiver.seqs().slice(5), all)
    const told = await desk.events('webhook.disabled')
    assert.deepEqual(told[0]!.data.changes, {
      state: { from: 'enabled', to: 'disabled' },
      disabledReason: { from: null, to: 'by_person' },
    })
    assert.equal(told[0]!.data.webhookId, id)
    assert.deepEqual(
      (await spool.get('/api/v1/events?type=webhook.disabled')).json<{ data: unknown[] }>().data,
      [],
      "nobody else's",
    )
  })

  test(`${database}: a removed webhook is gone with its deliveries, and others' are nobody's business`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    await using receiver = await Receiver.start()
    const id = await subscribe(spool, desk, receiver)
    await desk.receive()
    await receiver.until(2)
    await assert.rejects(removeWebhook(spool.spool, other.actor, id), /no webhook/)
    await removeWebhook(spool.spool, desk.actor, id)
    await desk.receive()
    await sleep(100)
    assert.equal(receiver.arrivals.length, 2)
    await assert.rejects(listDeliveries(spool.spool, system, id, page), /no webhook/)
    assert.deepEqual(await listWebhooks(spool.spool, desk.user.email), [])
  })
}
