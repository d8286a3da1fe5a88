import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createGunzip } from 'node:zlib'
import { addNote } from '../../src/core/threads/notes.ts'
import { listTokens, revokeToken } from '../../src/core/tokens/tokens.ts'
import type { Event } from '../../src/model/events.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

interface Stream extends Disposable {
  status: number
  headers: IncomingMessage['headers']
  /** As it came. */
  readonly text: string
  readonly events: { id: string; event: Event }[]
  readonly closed: boolean
}

async function openStream(
  spool: TestSpool,
  token: string,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Stream> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(
      `${spool.url}/api/v1/events${query}`,
      { headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers } },
      resolve,
    ).on('error', reject),
  )
  const stream = { text: '', closed: false }
  const body = response.headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response
  body.on('data', (chunk: Buffer) => void (stream.text += chunk.toString()))
  response.on('close', () => (stream.closed = true))
  response.on('error', () => (stream.closed = true))
  return {
    status: response.statusCode!,
    headers: response.headers,
    get text() {
      return stream.text
    },
    get events() {
      return [...stream.text.matchAll(/id: (\d+)\ndata: (.*)\n\n/g)].map(([, id, data]) => ({
        id: id!,
        event: JSON.parse(data!) as Event,
      }))
    },
    get closed() {
      return stream.closed
    },
    [Symbol.dispose]: () => response.destroy(),
  }
}

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: events come as a stream: what was, then what happens, in the view and by the filters`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    const { threadId } = await desk.receive()
    using all = await openStream(spool, desk.token)
    assert.equal(all.status, 200)
    assert.equal(all.headers['content-type'], 'text/event-stream; charset=utf-8')
    using notes = await openStream(spool, desk.token, { query: '?type=note.created,note.updated' })
    using zipped = await openStream(spool, desk.token, { headers: { 'accept-encoding': 'gzip' } })
    await until('both that were', async () => all.events.length === 2)
    await other.receive()
    await addNote(spool.spool, desk.actor, threadId, 'Hello')
    await until('the note', async () => all.events.length === 3 && notes.events.length === 1)
    const { data } = (await desk.get('/api/v1/events')).json<{ data: Event[] }>()
    assert.deepEqual(
      all.events.map(({ event }) => event),
      data,
    )
    for (const { id, event } of all.events) assert.equal(id, String(event.data.seq))
    assert.equal(zipped.headers['content-encoding'], 'gzip')
    await until('the same, compressed and flushed', async () => zipped.events.length === 3)

    // The header says what was seen since the URL was made, and goes before `after`.
    using resumed = await openStream(spool, desk.token, {
      query: '?after=0',
      headers: { 'last-event-id': all.events[1]!.id },
    })
    await until('the rest', async () => resumed.events.length > 0)
    assert.deepEqual(resumed.events, all.events.slice(2))
    for (const accept of [
      'application/json, */*',
      'text/event-stream ;q=0, */*',
      'text/event-streams',
      'application/json, text/event-stream;q=0.9',
      'text/event-stream; q=0.5, application/json; q=0.8',
      'text/event-stream;q=0.1, */*;q=1',
      'text/event-stream;q=0.5, application/*;q=0.8, */*;q=0.1',
    ]) {
      using asList = await openStream(spool, desk.token, { headers: { accept } })
      assert.match(asList.headers['content-type']!, /^application\/json/, accept)
    }
    for (const accept of [
      'text/event-stream, */*',
      'text/event-stream;q=0.5, application/json;q=0.1, */*;q=0.8',
    ]) {
      using asStream = await openStream(spool, desk.token, { headers: { accept } })
      assert.match(asStream.headers['content-type']!, /^text\/event-stream/, accept)
    }
  })

  test(`${database}: what is wrong is answered before the stream begins; it counts among the ten that may wait`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const accept = 'text/event-stream'
    const status = async (query: string, headers: Record<string, string> = {}) =>
      (await desk.get(`/api/v1/events${query}`, { headers: { accept, ...headers } })).status
    assert.equal(await status('?after=999999999'), 400)
    assert.equal(await status('', { 'last-event-id': 'x' }), 400)
    assert.equal(await status('?colour=red'), 400)
    using streams = new DisposableStack()
    for (let count = 0; count < 10; count++)
      assert.equal(streams.use(await openStream(spool, desk.token)).status, 200)
    assert.equal(await status(''), 429)
    const { nextCursor } = (await desk.get('/api/v1/events')).json<{ nextCursor: string }>()
    assert.equal((await desk.get(`/api/v1/events?wait=5&after=${nextCursor}`)).status, 429)
    streams.dispose()
    await until('their places are free', async () => {
      using again = await openStream(spool, desk.token)
      return again.status === 200
    })
  })

  test(`${database}: a stream is closed within a second of the token's end, and when the server stops`, async () => {
    await using spool = await startSpool(database)
    const desk = await openDesk(spool)
    const token = await spool.makeToken(desk.user, { name: 'To end' })
    const { id } = (await listTokens(spool.spool, desk.user.email)).find(({ name }) => name === 'To end')!
    using stream = await openStream(spool, token)
    using staying = await openStream(spool, desk.token)
    await until('it is open', async () => stream.text !== '' && staying.text !== '')
    await revokeToken(spool.spool, id)
    await until('it is closed', async () => stream.closed)
    assert.equal(staying.closed, false)
    await desk.receive()
    await until('the other goes on', async () => staying.events.length === 2)
    assert.equal(stream.events.length, 0, 'nothing after the end')
    const stopping = spool.app[Symbol.asyncDispose]()
    await until('it is closed too', async () => staying.closed)
    await stopping
  })

  test(`${database}: every 15 seconds there is a sign of life that moves the position on`, async (t) => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    const real = performance.now.bind(performance)
    let ahead = 0
    t.mock.method(performance, 'now', () => real() + ahead)
    using stream = await openStream(spool, desk.token)
    await until('the first', async () => /^: .*\nid: \d+\n\n$/.test(stream.text))
    await other.receive()
    ahead = 15_000
    await until('the next', async () => stream.text.split(': nothing new').length > 2)
    const seqs = [...stream.text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    assert.ok(seqs[1]! > seqs[0]!)
    assert.deepEqual(stream.events, [])
  })
}
