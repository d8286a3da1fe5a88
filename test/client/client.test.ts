import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEntry, Spool, SpoolError, type Event } from '../../clients/typescript/src/client.ts'
import type { operations } from '../../clients/typescript/src/schema.ts'
import { forgetOldEvents } from '../../src/core/log/events.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, walkPages } from '../support/desk.ts'
import { startProxy } from '../support/proxy.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

type Operation = Exclude<keyof operations, `on${string}`>

/** Where the client has each operation of the API: a new one does not compile until it is here. */
const methods = {
  listThreads: 'threads',
  getThread: 'thread',
  exportThreads: 'export',
  getMessage: 'message',
  getMessageSource: 'source',
  getAttachment: 'attachment',
  listNotes: 'notes',
  getNote: 'note',
  listEvents: 'events',
  listInboxes: 'inboxes',
  getInbox: 'inbox',
  listUsers: 'users',
  getUser: 'user',
  getMe: 'me',
} as const satisfies Record<Operation, keyof Spool>

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = []
  for await (const item of items) read.push(item)
  return read
}

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: the client reads every route, pages as iterators, and an error says what to do`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const messageId = '<first@long.example>'
    const [long] = await desk.receiveAll(
      Array.from({ length: 205 }, (_, index) =>
        index === 0 ? { messageId } : { inReplyTo: messageId, text: `Answer ${index}` },
      ),
    )
    await desk.receiveAll(Array.from({ length: 24 }, (_, index) => ({ subject: `Order ${index}` })))
    const { threadId, messageId: id } = await desk.receive({
      attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'Paid.' }],
    })
    for (let note = 0; note < 60; note++) await addNote(spool.spool, desk.actor, threadId, `Note ${note}`)
    const client = new Spool({ url: `${spool.url}/`, token: desk.token })
    for (const method of Object.values(methods)) assert.equal(typeof client[method], 'function', method)

    assert.deepEqual(
      await all(client.threads({ limit: 10, status: ['open', 'waiting'], unread: true })),
      await walkPages(desk.get, '/api/v1/threads'),
    )
    const history = await all(client.history(long!.threadId))
    assert.equal(history.filter((entry) => isEntry(entry, 'message')).length, 205)
    assert.equal((await all(client.notes(threadId))).length, 60)
    const thread = await client.thread(threadId, { historyLimit: 1 })
    const entry = thread.history[0]!
    assert.ok(isEntry(entry, 'message'))
    const message = await client.message(id)
    assert.deepEqual({ ...message, threadId: undefined }, { ...entry, threadId: undefined })
    assert.equal(await (await client.attachment(entry.attachments[0]!.id)).text(), 'Paid.')
    assert.match(await (await client.source(id)).text(), /^From: Carla/)
    const [note] = await all(client.notes(threadId))
    assert.deepEqual(await client.note(note!.id), note)
    assert.deepEqual(await all(client.inboxes()), [await client.inbox(desk.inbox.id)])
    assert.deepEqual(
      (await all(client.users())).find((user) => user.id === desk.user.id),
      await client.user(desk.user.id),
    )
    assert.equal((await client.me()).canSend, false)
    assert.deepEqual(
      await all(client.events({ type: ['note.created'] })),
      await all(client.events()).then((events) => events.filter(({ type }) => type === 'note.created')),
    )

    const missing = await client.thread('thr_nothing').catch((error: unknown) => error)
    assert.ok(missing instanceof SpoolError)
    assert.deepEqual([missing.status, missing.code], [404, 'not_found'])
    assert.match(missing.requestId!, /^req_/)
    await assert.rejects(client.attachment('att_nothing'), SpoolError)
    await assert.rejects(new Spool({ url: spool.url, token: 'x' }).me(), { status: 401 })
  })

  test(`${database}: over the limit the client waits as long as it is told, and a broken connection is tried again`, async () => {
    await using spool = await startSpool(database, { SPOOL_RATE_LIMIT: '4/3' })
    const waits: string[] = []
    let breaks = 2
    const client = new Spool({
      url: spool.url,
      token: spool.token,
      async fetch(request) {
        if (breaks-- > 0) throw new TypeError('fetch failed')
        const response = await fetch(request)
        if (response.status === 429) waits.push(response.headers.get('retry-after')!)
        return response
      },
    })
    // At once, so that a slow machine reaches the limit too.
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.me()))
    for (const { canSend } of answers) assert.equal(canSend, false)
    assert.ok(waits.length > 0, 'the limit was reached')
    const impatient = new Spool({
      url: spool.url,
      token: spool.token,
      retries: 0,
      fetch: () => Promise.reject(new TypeError('fetch failed')),
    })
    await assert.rejects(impatient.me(), /fetch failed/)
  })

  test(`${database}: follow() tells every event once and in order, over connections that are cut`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    await using proxy = await startProxy(Number(new URL(spool.url).port))
    const client = new Spool({ url: `http://127.0.0.1:${proxy.port}`, token: desk.token })
    const stop = new AbortController()
    const seen: Event[] = []
    const following = (async () => {
      for await (const event of client.follow({ type: ['message.received'], signal: stop.signal }))
        seen.push(event)
    })()
    for (let count = 0; count < 20; count++) {
      await desk.receive({ subject: `News ${count}` })
      if (count % 7 !== 6) continue
      await until('what came so far', async () => seen.length > count)
      proxy.cut()
    }
    await until('all of them', async () => seen.length >= 20)
    stop.abort()
    await following
    assert.deepEqual(seen, await desk.events('message.received'))
    assert.ok(proxy.connections() >= 3, 'it was cut')

    // From a position, and what a webhook missed.
    const events = await desk.events('message.received')
    assert.deepEqual(
      await all(client.events({ after: events[9]!.data.seq, type: ['message.received'] })),
      events.slice(10),
    )
    const delivery = { data: { previousSeq: events[8]!.data.seq } }
    const types = { type: ['message.received' as const] }
    assert.deepEqual(await all(client.missed(delivery, events[5]!.data.seq, types)), events.slice(6, 9))
    assert.deepEqual(await all(client.missed(delivery, events[8]!.data.seq, types)), [])
  })

  test(`${database}: follow() misses no event when a connection breaks in the middle of one`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    for (let count = 0; count < 4; count++) await desk.receive({ subject: `News ${count}` })
    /** Where a connection ends: after an id, within the data, and before the empty line that completes an event. */
    const ends = [/^id: \d+\n/, /^id: \d+\ndata: .{20}/, /^id: \d+\ndata: .*\n/]
    let cuts = 0
    const client = new Spool({
      url: spool.url,
      token: desk.token,
      async fetch(request) {
        const response = await fetch(request)
        const end = ends[cuts]
        if (!end) return response
        const reader = response.body!.getReader()
        let text = ''
        while (!end.test(text)) text += Buffer.from((await reader.read()).value!).toString()
        await reader.cancel()
        cuts++
        return new Response(end.exec(text)![0], response)
      },
    })
    const expected = await desk.events('message.received')
    const seen: Event[] = []
    for await (const event of client.follow({ type: ['message.received'] }))
      if (seen.push(event) === expected.length) break
    assert.deepEqual(seen, expected)
    assert.equal(cuts, ends.length)
  })

  test(`${database}: when its position is no longer kept follow() asks to read anew, and goes on`, async () => {
    await using spool = await startSpool(database)
    const now = Date.now()
    await spool.receive({})
    const [first] = (await spool.get('/api/v1/events')).json<{ data: Event[] }>().data
    spool.spool.now = () => now + 35 * 86_400_000
    await forgetOldEvents(spool.spool, 30)
    await spool.receive({ subject: 'Kept' })
    const client = new Spool({ url: spool.url, token: spool.token })
    const after = first!.data.seq - 1
    await assert.rejects(all(client.follow({ after })), { status: 410, code: 'resync' })
    const nowhere = new Spool({ url: 'http://127.0.0.1:1', token: 'x', retries: 0 })
    await assert.rejects(all(nowhere.follow()), TypeError)
    const stop = new AbortController()
    let resyncs = 0
    for await (const event of client.follow({ after, signal: stop.signal, onResync: () => void resyncs++ })) {
      assert.ok(event.data.seq > first!.data.seq)
      stop.abort()
    }
    assert.equal(resyncs, 1)
  })

  test(`${database}: an export that is cut goes on, thread by thread, and its cursor brings what changed`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const made = await desk.receiveAll(
      Array.from({ length: 90 }, (_, index) => ({
        subject: `Order ${index}`,
        text: `word ${index} `.repeat(400),
      })),
    )
    await addNote(spool.spool, desk.actor, made[3]!.threadId, 'Wait for the carrier')
    await using proxy = await startProxy(Number(new URL(spool.url).port))
    const client = new Spool({ url: `http://127.0.0.1:${proxy.port}`, token: desk.token })
    proxy.cutAfter(8_000)
    const dump = client.export()
    const reading = all(dump)
    await until('it is cut', async () => proxy.connections() > 1)
    proxy.cutAfter(null)
    const threads = await reading
    assert.equal(new Set(threads.map(({ thread }) => thread.id)).size, 90)
    assert.equal(threads.length, 90)
    for (const { thread, history, notes } of threads.filter((_, index) => index % 10 === 3)) {
      const single = await desk.thread(thread.id)
      const { history: entries, historyNextCursor: _, ...summary } = single
      assert.deepEqual(thread, summary)
      assert.deepEqual(
        history,
        entries.map((entry) => (entry.type === 'message' ? { ...entry, html: null } : entry)),
      )
      assert.deepEqual(notes, await desk.notes(thread.id))
    }
    const { threadId } = await desk.receive({ subject: 'Later' })
    const since = await all(client.export({ cursor: dump.cursor! }))
    assert.ok(since.some(({ thread }) => thread.id === threadId))
    await assert.rejects(all(client.export({ cursor: 'x' })), { status: 400, code: 'bad_cursor' })
  })
}
