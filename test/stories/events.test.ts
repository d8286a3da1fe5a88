import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { forgetOldEvents } from '../../src/core/log/events.ts'
import { News } from '../../src/core/log/news.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { listTokens, revokeToken } from '../../src/core/tokens/tokens.ts'
import type { Event } from '../../src/model/events.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

/** Told of every request that has found nothing and begins to wait. */
function watchWaits(): Disposable & { untilWaiting(count: number): Promise<unknown> } {
  const begun = mock.method(News.prototype, 'beginWait')
  return {
    untilWaiting: (count) =>
      until(`${count} requests wait`, async () => begun.mock.callCount() >= count, 120_000),
    [Symbol.dispose]: () => begun.mock.restore(),
  }
}

interface EventPage {
  data: Event[]
  nextCursor: string
}

async function read(desk: Desk, query: string): Promise<EventPage> {
  const answer = await desk.get(`/api/v1/events?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<EventPage>()
}

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: what happened comes oldest first, in ids and without content`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId, messageId } = await desk.receive({ subject: 'Confidential' })
    const noteId = await addNote(spool.spool, desk.actor, threadId, 'Confidential')
    await assignThread(spool.spool, desk.actor, threadId, desk.user)
    await changeStatus(spool.spool, desk.actor, threadId, 'closed')
    await assignThread(spool.spool, desk.actor, threadId, null)
    const events = await desk.events()
    const system = { type: 'system', id: null, name: 'Spool' }
    const actor = { type: 'person', id: desk.user.id, name: desk.user.name }
    assert.deepEqual(
      events.map(({ type, data: { eventId, seq, inboxId, ...data } }) => {
        assert.ok(eventId.startsWith('evt_') && Number.isInteger(seq))
        assert.equal(inboxId, desk.inbox.id)
        return { type, ...data }
      }),
      [
        { type: 'thread.created', threadId, actor: system },
        { type: 'message.received', threadId, messageId, actor: system },
        { type: 'note.created', threadId, noteId, actor },
        { type: 'thread.assigned', threadId, actor, changes: { assignee: { from: null, to: desk.user.id } } },
        {
          type: 'thread.status_changed',
          threadId,
          actor,
          changes: { status: { from: 'open', to: 'closed' } },
        },
        {
          type: 'thread.unassigned',
          threadId,
          actor,
          changes: { assignee: { from: desk.user.id, to: null } },
        },
      ],
    )
    const seqs = events.map(({ data }) => data.seq)
    assert.deepEqual(
      seqs,
      seqs.toSorted((a, b) => a - b),
    )
    assert.equal(new Set(events.map(({ data }) => data.eventId)).size, events.length)
    assert.equal(JSON.stringify(events).includes('Confidential'), false)
    assert.equal(JSON.stringify(events).includes('previousSeq'), false)
  })

  test(`${database}: after, limit and type; nextCursor can always be handed back, at the end of the log too`, async () => {
    const desk = await openDesk(await shared())
    for (let count = 0; count < 5; count++) await desk.receive()
    const all = await desk.events()
    assert.equal(all.length, 10)
    const walked: Event[] = []
    let after = '0'
    for (;;) {
      const page = await read(desk, `limit=3&after=${after}`)
      assert.ok(page.data.length <= 3)
      walked.push(...page.data)
      after = page.nextCursor
      if (page.data.length === 0) break
    }
    assert.deepEqual(walked, all)
    const end = await read(desk, `after=${after}`)
    assert.deepEqual(end, { data: [], nextCursor: end.nextCursor })
    assert.ok(Number(end.nextCursor) >= Number(after))
    await desk.receive()
    assert.equal((await read(desk, `after=${end.nextCursor}`)).data.length, 2)

    const received: Event[] = []
    for (let cursor = '0', more = true; more;) {
      const page = await read(desk, `type=message.received&limit=2&after=${cursor}`)
      received.push(...page.data)
      cursor = page.nextCursor
      more = page.data.length > 0
    }
    assert.deepEqual(
      received.map(({ data }) => data.seq),
      (await desk.events('message.received')).map(({ data }) => data.seq),
    )
    assert.equal(received.length, 6)
    assert.deepEqual((await read(desk, 'type=draft.sent')).data, [])
  })

  test(`${database}: events of inboxes outside the view do not exist`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    const mine = await desk.receive()
    await other.receive()
    assert.deepEqual(
      new Set((await desk.events()).map(({ data }) => data.threadId)),
      new Set([mine.threadId]),
    )
    const both = await spool.makeToken(spool.ada, { inboxes: [desk.inbox, other.inbox] })
    const { data } = (await spool.get('/api/v1/events', { token: both })).json<EventPage>()
    assert.deepEqual(
      data.map(({ type }) => type),
      ['thread.created', 'message.received', 'thread.created', 'message.received'],
    )
    const nobody = await spool.makeToken(await spool.makeUser('no-inbox@shop.example'))
    const none = await spool.get('/api/v1/events', { token: nobody })
    assert.deepEqual(none.json<EventPage>().data, [])
  })

  test(`${database}: quiet history is in the log`, async () => {
    const desk = await openDesk(await shared())
    const { threadId } = await desk.receive({}, { quiet: true, seen: true })
    assert.deepEqual(
      (await desk.events()).map(({ type, data }) => [type, data.threadId]),
      [
        ['thread.created', threadId],
        ['message.received', threadId],
      ],
    )
  })

  test(`${database}: with wait an empty answer waits for news of the view, and only so long`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    await desk.receive()
    const { nextCursor } = await read(desk, '')
    const waiting = read(desk, `wait=20&after=${nextCursor}`)
    await sleep(50)
    await other.receive()
    const patient = await Promise.race([waiting, sleep(150).then(() => 'still waiting')])
    assert.equal(patient, 'still waiting', "another inbox's mail is no news")
    const { threadId } = await desk.receive()
    const { data } = await waiting
    assert.deepEqual(new Set(data.map(({ data }) => data.threadId)), new Set([threadId]))

    const now = (await read(desk, '')).nextCursor
    const start = performance.now()
    assert.deepEqual((await read(desk, `wait=1&after=${now}`)).data, [])
    const waited = performance.now() - start
    assert.ok(waited >= 950 && waited < 20_000, `${waited} ms`)
    assert.equal((await read(desk, 'wait=20&after=0')).data.length > 0, true, 'news there already')
  })

  for (const where of ['this process', 'another process'])
    test(`${database}: a commit by ${where} wakes whoever waits within 300 ms`, async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const { threadId } = await desk.receive()
      await using beside = await openSpool(readConfig(spool.database.env), 'inline')
      const store = where === 'this process' ? spool.spool : beside
      const delays: number[] = []
      // The fastest of many: a busy machine may be late, a Spool that does not hear is late each time.
      for (let count = 0; count < 40 && !delays.some((delay) => delay < 300); count++) {
        const { nextCursor } = await read(desk, '')
        const waiting = read(desk, `wait=30&after=${nextCursor}`)
        await sleep(150)
        const noteId = await addNote(store, desk.actor, threadId, 'Hi')
        const committed = performance.now()
        const { data } = await waiting
        delays.push(performance.now() - committed)
        assert.equal(data[0]!.data.noteId, noteId)
      }
      assert.ok(
        delays.some((delay) => delay < 300),
        String(delays),
      )
    })

  test(`${database}: the log is kept for 30 days; an older cursor is a 410 that says resync`, async () => {
    await using spool = await startSpool(database)
    const day = 86_400_000
    const now = Date.now()
    const clock = (days: number) => (spool.spool.now = () => now + days * day)
    await spool.receive({})
    clock(10)
    await spool.receive({})
    clock(29)
    await spool.receive({})
    const get = async (query: string) => spool.get(`/api/v1/events?${query}`)
    const seqs = (await get('')).json<EventPage>().data.map(({ data }) => data.seq)
    assert.equal(seqs.length, 6)
    assert.equal(await forgetOldEvents(spool.spool, 30), 0)
    clock(35)
    assert.equal(await forgetOldEvents(spool.spool, 30), 2)
    const kept = (await get('')).json<EventPage>().data.map(({ data }) => data.seq)
    assert.deepEqual(kept, seqs.slice(2), 'without after the oldest kept comes first')
    assert.equal((await get(`after=${seqs[1]}`)).status, 200, 'nothing after it is lost')
    for (const after of [0, seqs[0]]) {
      const answer = await get(`after=${after}`)
      assert.equal(answer.status, 410)
      const { code, message } = answer.json<{ code: string; message: string }>()
      assert.equal(code, 'resync')
      assert.match(message, /start again without "after"/)
    }
    clock(-1_000)
    await spool.receive({})
    clock(36)
    assert.equal(await forgetOldEvents(spool.spool, 30), 0, 'one from a wrong clock takes none along')
    clock(100)
    assert.equal(await forgetOldEvents(spool.spool, 30), 6)
    const end = (await get('')).json<EventPage>()
    assert.deepEqual([end.data, end.nextCursor], [[], String(seqs.at(-1)! + 2)])
    await spool.receive({})
    assert.equal((await get(`after=${end.nextCursor}`)).json<EventPage>().data.length, 2)
  })
}

for (const database of databases) {
  test(`${database}: a wait ends with 401 when its token is revoked meanwhile, and tells nothing more`, async () => {
    await using spool = await startSpool(database)
    const user = await spool.makeUser('eve@shop.example', 'member', [spool.inbox])
    const token = await spool.makeToken(user, { scopes: ['events:read'] })
    const { nextCursor } = (await spool.get('/api/v1/events', { token })).json<{ nextCursor: string }>()
    using waits = watchWaits()
    const waiting = spool.get(`/api/v1/events?after=${nextCursor}&wait=30`, { token })
    await waits.untilWaiting(1)
    const [made] = await listTokens(spool.spool, user.email)
    await revokeToken(spool.spool, made!.id)
    const answer = await waiting
    assert.equal(answer.status, 401)
    assert.match(answer.headers.get('www-authenticate')!, /invalid_token/)
  })
}

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: "after" beyond the end of the log is a 400 that says where it comes from`, async () => {
    const desk = await openDesk(await shared())
    await desk.receive()
    const { nextCursor } = await read(desk, '')
    for (const query of ['', '&wait=5', '&type=draft.sent']) {
      const answer = await desk.get(`/api/v1/events?after=${Number(nextCursor) + 1}${query}`)
      assert.equal(answer.status, 400)
      const { code, message } = answer.json<{ code: string; message: string }>()
      assert.equal(code, 'bad_cursor')
      assert.match(message, /beyond the end of this log.*Start again without it/)
    }
  })

  test(`${database}: a token waits with ten requests at most; the next is a 429 that says what to do`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { nextCursor } = await read(desk, '')
    using waits = watchWaits()
    const waiting = Array.from({ length: 10 }, () => desk.get(`/api/v1/events?wait=30&after=${nextCursor}`))
    await waits.untilWaiting(10)
    const eleventh = await desk.get(`/api/v1/events?wait=20&after=${nextCursor}`)
    assert.equal(eleventh.status, 429)
    assert.equal(eleventh.headers.get('retry-after'), '1')
    assert.match(eleventh.json<{ message: string }>().message, /10 requests waiting .* without "wait"/)
    assert.equal((await desk.get(`/api/v1/events?after=${nextCursor}`)).status, 200, 'asking is no waiting')
    const other = await openDesk(spool)
    const theirs = other.get(`/api/v1/events?wait=1&after=${nextCursor}`)
    assert.equal((await theirs).status, 200, 'each token for itself')
    await desk.receive()
    for (const answer of await Promise.all(waiting)) {
      assert.equal(answer.status, 200)
      assert.equal(answer.json<EventPage>().data.length, 2)
    }
    assert.equal((await desk.get(`/api/v1/events?wait=1&after=${nextCursor}`)).status, 200, 'and then again')
  })
}

for (const database of databases)
  test(`${database}: a commit wakes those whose inboxes it touched, and nobody else`, async () => {
    await using spool = await startSpool(database)
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    using news = new News(spool.spool.db)
    const never = new AbortController().signal
    const listen = async (scope: Desk): Promise<number> => {
      const started = performance.now()
      await news.listen([`inbox:${scope.inbox.number}`]).orAfter(1500, never)
      return performance.now() - started
    }
    // A commit that it has nothing to compare with wakes everyone: the first, and one after nobody waited for a while.
    let [mine, theirs] = [Infinity, 0]
    // A busy machine is late with either now and then.
    for (let tries = 0; tries < 40 && !(mine < 1000 && theirs > 1400); tries++) {
      const heard = [listen(desk), listen(other)]
      await desk.receive()
      ;[mine, theirs] = (await Promise.all(heard)) as [number, number]
    }
    assert.ok(mine < 1000)
    assert.ok(theirs > 1400)
    assert.equal(getEventListeners(never, 'abort').length, 0, 'a stream waits on one signal for days')
  })
