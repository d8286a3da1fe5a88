import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import type { Redis } from 'ioredis'
import { awaitRedis, connectRedis, RedisPresence } from '../../src/app/redis.ts'
import { changeUser } from '../../src/core/people/people.ts'
import type { Onlooker } from '../../src/model/live.ts'
import { sendStream } from '../../src/http/stream.ts'
import type { Event } from '../../src/model/events.ts'
import { transaction } from '../../src/store/database.ts'
import { pruneEvents } from '../../src/store/log/events.ts'
import { databases, freshRedis } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { openLive } from '../support/live-page.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { signInAs } from '../support/web-client.ts'

interface Seen {
  threadId: string
  people: Onlooker[]
}

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: what happens is told to the page as it happens, in its view`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const elsewhere = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    await using live = await openLive(spool, page.cookie)
    assert.match(live.headers.get('content-type')!, /^text\/event-stream/)
    assert.equal(live.headers.get('cache-control'), 'no-store')
    await live.next('ready')
    await elsewhere.receive({})
    const { threadId } = await desk.receive({})
    await page.do('POST', `/threads/${threadId}/status`, { status: 'closed' })
    const types: string[] = []
    for (let n = 0; n < 3; n++) {
      const told = (await live.next())!
      const event = told.data as Event
      assert.equal(event.data.threadId, threadId)
      assert.equal(told.id, String(event.data.seq))
      types.push(event.type)
    }
    assert.deepEqual(types.sort(), ['message.received', 'thread.created', 'thread.status_changed'])
    const [rest] = (await desk.events('thread.status_changed')).slice(-1)
    assert.deepEqual(rest!.data.changes, { status: { from: 'open', to: 'closed' } })
  })

  test(`${database}: who was away catches up from where they were, without a hole or a repetition`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const seen: number[] = []
    let lastEventId: string
    {
      await using live = await openLive(spool, page.cookie)
      lastEventId = (await live.next('ready'))!.id!
    }
    for (let round = 0; round < 4; round++) {
      await desk.receiveAll(Array.from({ length: 30 }, (_, n) => ({ subject: `${round} ${n}` })))
      await using live = await openLive(spool, page.cookie, { lastEventId, query: '?after=0' })
      await desk.receive({ subject: `${round} while it listens` })
      for (let n = 0; n < 62; n++) {
        const told = (await live.next())!
        seen.push(Number(told.id))
        lastEventId = told.id!
      }
    }
    const all = await spool.spool.db.all(
      spool.spool.db.build
        .selectFrom('events')
        .select('seq')
        .where('inbox', '=', desk.inbox.number)
        .orderBy('seq'),
    )
    assert.deepEqual(
      seen,
      all.map(({ seq }) => seq),
    )
  })

  test(`${database}: who was away too long is told to read anew`, async () => {
    await using spool = await startSpool(database)
    const page = await signInAs(spool, spool.ada)
    await spool.receive({})
    await transaction(spool.spool.db, (db) => pruneEvents(db, Date.now() + 1000, 1000))
    await spool.receive({ subject: 'after' })
    for (const query of ['?after=0', '?after=999999']) {
      await using live = await openLive(spool, page.cookie, { query })
      const { seq } = (await live.next('resync'))!.data as { seq: number }
      await spool.receive({ subject: query })
      assert.equal((await live.next())!.id, String(seq + 1), 'and goes on from the end')
    }
    for (const bad of ['?after=-1', '?after=x', '?surprise=1'])
      assert.equal((await page.ask('GET', `/live${bad}`)).status, 400, bad)
  })

  test(`${database}: it ends with the session, and follows what one may see`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const other = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    await using live = await openLive(spool, page.cookie)
    await live.next('ready')
    await changeUser(spool.spool, desk.user.email, { inboxes: [other.inbox.id] })
    await desk.receive({ subject: 'no longer theirs' })
    const { threadId } = await other.receive({ subject: 'theirs now' })
    assert.equal(((await live.next())!.data as Event).data.threadId, threadId)
    await page.do('DELETE', '/session')
    await live.ended
    assert.equal((await page.ask('GET', '/live')).status, 401)
  })

  test(`${database}: who looks and who writes is shown to who sees the thread, and to nobody else`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const colleague = await spool.makeUser(`pres-${desk.user.id}@shop.example`, 'viewer', [desk.inbox])
    const page = await signInAs(spool, desk.user)
    const otherPage = await signInAs(spool, colleague)
    const strange = await signInAs(spool, (await openDesk(spool)).user)
    const { threadId } = await desk.receive({})
    await using live = await openLive(spool, page.cookie)
    await using strangeLive = await openLive(spool, strange.cookie)
    await strangeLive.next('ready')
    const here = (doing: string) =>
      otherPage.do<{ people: Onlooker[] }>('POST', '/presence', { threadId, doing })
    const next = async (): Promise<Seen> => (await live.next('presence'))!.data as Seen
    const { people } = await here('reading')
    assert.deepEqual(people, [{ id: colleague.id, name: colleague.name, doing: 'reading' }])
    assert.deepEqual(await next(), { threadId, people })
    await here('reading')
    await here('writing')
    assert.equal((await next()).people[0]!.doing, 'writing', 'saying the same again is no news')
    const reply = { kind: 'reply', threadId, text: 'Hello' }
    const draft = await page.do<{ id: string }>('POST', '/drafts', reply)
    const writing = { threadId, doing: 'writing', draftId: draft.id }
    await otherPage.do('POST', '/presence', writing)
    assert.equal((await next()).people[0]!.draftId, draft.id, 'and what is written')
    const opened = await page.do<{ people: Onlooker[] }>('GET', `/threads/${threadId}`)
    assert.equal(opened.people[0]!.doing, 'writing')
    {
      await using later = await openLive(spool, page.cookie)
      assert.equal(((await later.next('presence'))!.data as Seen).people.length, 1, 'a page that comes later')
    }
    await otherPage.do('POST', '/presence', { threadId: null })
    assert.deepEqual((await next()).people, [])
    await here('reading')
    await next()
    await otherPage.do('DELETE', '/session')
    assert.deepEqual((await next()).people, [], 'signing out is leaving')
    assert.equal((await strange.ask('POST', '/presence', { threadId })).status, 404)
    const elsewhere = { threadId: null, draftId: draft.id }
    assert.equal((await strange.ask('POST', '/presence', elsewhere)).status, 404)
    // How many notices one has not read is told to everybody, at once.
    const heard = strangeLive.heard.filter(({ event }) => event !== 'notices')
    assert.deepEqual(heard, [])
  })

  test(`${database}: one tab too many is told when to try again`, async () => {
    const spool = await shared()
    const page = await signInAs(spool, (await openDesk(spool)).user)
    await using tabs = new AsyncDisposableStack()
    for (let n = 0; n < 20; n++) assert.equal(tabs.use(await openLive(spool, page.cookie)).status, 200)
    const { status, headers } = tabs.use(await openLive(spool, page.cookie))
    assert.deepEqual([status, headers.get('retry-after')], [429, '1'])
  })

  test(`${database}: one reader of the log serves every page`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const { stats } = spool.spool.db
    const { observe } = stats
    let reads = 0
    const readsWhile = async (): Promise<number> => {
      reads = 0
      stats.observe = (kind) => void (reads += kind === 'read' ? 1 : 0)
      await sleep(2_200)
      stats.observe = observe
      return reads
    }
    await using pages = new AsyncDisposableStack()
    const open = async (): Promise<void> => {
      const live = pages.use(await openLive(spool, page.cookie))
      await live.next('ready')
    }
    await open()
    // Other workers read now and then, too.
    const one = Math.max(await readsWhile(), await readsWhile())
    for (let n = 0; n < 11; n++) await open()
    const twelve = Math.min(await readsWhile(), await readsWhile())
    assert.ok(twelve <= one + 6, `${one} reads for one page, ${twelve} for twelve`)
  })
}

test('a client that does not read is dropped, and little was written for it until then', async () => {
  const app = Fastify()
  let made = 0
  const ended = Promise.withResolvers<void>()
  app.get('/', async (request, reply) => {
    const headers = { 'Content-Type': 'text/plain' }
    async function* stream(): AsyncGenerator<string> {
      try {
        for (; ; made++) yield 'x'.repeat(10_000)
      } finally {
        ended.resolve()
      }
    }
    return sendStream(request, reply, { stream, headers }, 300)
  })
  const { port } = new URL(await app.listen({ port: 0 }))
  const deaf = connect(Number(port), '127.0.0.1')
  deaf.pause()
  deaf.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await ended.promise
  assert.ok(made < 2_000, `${made} pieces`)
  deaf.destroy()
  await app.close()
})

test(
  'two nodes see each other’s people by Redis',
  { skip: skipWithout('redis') || skipWithout('postgres') },
  async () => {
    await using redis = await freshRedis()
    await using one = await startSpool('postgres', { SPOOL_REDIS_URL: redis.url })
    const { startApp } = await import('../../src/app.ts')
    const { readConfig } = await import('../../src/config.ts')
    await using two = await startApp(
      readConfig({
        ...one.database.env,
        SPOOL_PORT: '0',
        SPOOL_REDIS_URL: redis.url,
        SPOOL_LOG_LEVEL: 'silent',
      }),
    )
    const page = await signInAs(one, one.ada)
    const max = await one.makeUser('max@shop.example', 'member', [one.inbox])
    const maxPage = await signInAs(one, max)
    const { threadId } = await one.receive({})
    // Nodes with one SPOOL_URL share the cookie's name; these two have their ports in it.
    const { port } = new URL(two.url)
    await using live = await openLive(two, page.cookie.replace(/_\d+=/, `_${port}=`))
    await live.next('ready')
    // Whoever does not listen to Redis yet hears of the next change.
    let changes = 0
    await until('the other node hears', async () => {
      await maxPage.do('POST', '/presence', { threadId, doing: changes++ % 2 ? 'reading' : 'writing' })
      return live.heard.some(({ event }) => event === 'presence')
    })
    const seen = (await live.next('presence'))!.data as Seen
    const { doing } = seen.people[0]!
    assert.ok(['reading', 'writing'].includes(doing))
    assert.deepEqual(seen, { threadId, people: [{ id: max.id, name: 'max', doing }] })
    await one.receive({ subject: 'at the other node' })
    assert.equal(((await live.next())!.data as Event).type, 'thread.created')
  },
)

test(
  'a subscription that Redis refuses ends no node, and people are heard again after it',
  { skip: skipWithout('redis') },
  async () => {
    await using redis = await freshRedis()
    const connections = Array.from({ length: 3 }, () => connectRedis(redis.url, () => undefined))
    const [admin, publisher, subscriber] = connections as [Redis, Redis, Redis]
    try {
      const presence = new RedisPresence(publisher, subscriber)
      await awaitRedis(admin)
      const heard = new Set<string>()
      presence.onMessage((text) => heard.add(text))
      const isHeard = (text: string): Promise<true> =>
        until(`${text} is heard`, async () => {
          presence.publish(text)
          return heard.has(text)
        })
      await isHeard('at first')
      // A Redis that hangs lets a subscription time out; one that refuses it fails it at once.
      await admin.acl('SETUSER', 'default', '-subscribe')
      await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
      await until('it is refused', async () => /errorstat_NOPERM/.test(await admin.info('errorstats')))
      await admin.acl('SETUSER', 'default', '+subscribe')
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal')
      await isHeard('after it')
    } finally {
      for (const connection of connections) connection.disconnect()
    }
  },
)
