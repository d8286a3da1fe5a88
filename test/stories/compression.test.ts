import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { MessageEntry } from '../../src/model/history.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'

interface Raw {
  status: number
  headers: Record<string, string | undefined>
  body: Buffer
}

/** As it comes over the wire, with nothing undone. */
function ask(
  url: string,
  headers: Record<string, string>,
  { method = 'GET', body = '' }: { method?: string; body?: string } = {},
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers as Raw['headers'],
          body: Buffer.concat(chunks),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }
type Coding = keyof typeof decoders

function decode({ headers, body }: Raw): string {
  const coding = headers['content-encoding'] as Coding | undefined
  return (coding ? decoders[coding](body) : body).toString()
}

for (const database of databases) {
  const shared = shareSpool(database)

  async function fill(): Promise<{ url: string; desk: Desk; threadId: string; messageId: string }> {
    const spool = await shared()
    const desk = await openDesk(spool)
    const letters = Array.from({ length: 12 }, (_, index) => ({ subject: `Order ${index}` }))
    await desk.receiveAll(letters)
    const { threadId, messageId } = await desk.receive({
      text: 'Where is my order?\n'.repeat(100),
      attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'a'.repeat(5000) }],
    })
    return { url: spool.url, desk, threadId, messageId }
  }

  test(`${database}: answers of 1 kB or more come in the coding that the client prefers, hot and cold alike`, async () => {
    const { url, desk, threadId } = await fill()
    const authorization = `Bearer ${desk.token}`
    for (const path of ['/threads', `/threads/${threadId}`, '/events']) {
      const plain = await ask(`${url}/api/v1${path}`, { authorization })
      assert.equal(plain.headers['content-encoding'], undefined)
      assert.ok(plain.body.length >= 1000)
      for (const [accepted, coding] of [
        ['gzip', 'gzip'],
        ['br', 'br'],
        ['zstd', 'zstd'],
        ['gzip, deflate, br, zstd', 'zstd'],
        ['gzip, br', 'br'],
        ['zstd;q=0.1, gzip;q=0.9', 'gzip'],
        ['*', 'zstd'],
        ['*;q=0.5, zstd;q=0', 'br'],
        ['GZIP', 'gzip'],
        ['deflate, compress', undefined],
        ['identity', undefined],
        ['gzip;q=0', undefined],
        ['gzip;q=0.2, identity;q=0.8', undefined],
      ] as const) {
        const headers = { authorization, 'accept-encoding': accepted }
        // The third comes from the cache.
        for (let time = 0; time < 3; time++) {
          const answer = await ask(`${url}/api/v1${path}`, headers)
          assert.equal(answer.status, 200)
          assert.equal(answer.headers['content-encoding'], coding, accepted)
          assert.equal(answer.headers['content-length'], String(answer.body.length))
          assert.match(answer.headers['vary']!, /\bAccept-Encoding\b/)
          assert.equal(answer.headers['etag'], plain.headers['etag'], 'one for all codings')
          assert.equal(decode(answer), plain.body.toString())
        }
        const head = await ask(`${url}/api/v1${path}`, headers, { method: 'HEAD' })
        assert.deepEqual([head.status, head.headers['content-encoding']], [200, coding])
        assert.equal(head.body.length, 0)
        const etag = plain.headers['etag']
        if (etag === undefined) continue
        const known = await ask(`${url}/api/v1${path}`, { ...headers, 'if-none-match': etag })
        assert.deepEqual(
          [known.status, known.headers['content-encoding'], known.body.length],
          [304, undefined, 0],
        )
      }
    }
  })

  test(`${database}: a compressed answer from the cache is never older than the store`, async () => {
    const { url, desk } = await fill()
    const headers = { authorization: `Bearer ${desk.token}`, 'accept-encoding': 'br' }
    const list = async () => decode(await ask(`${url}/api/v1/threads`, headers))
    for (let time = 0; time < 3; time++) await list()
    await desk.receive({ subject: 'The newest' })
    assert.match(await list(), /The newest/)
  })

  test(`${database}: what is short, an attachment or a source comes plain`, async () => {
    const { url, desk, threadId, messageId } = await fill()
    const file = ((await desk.thread(threadId)).history[0] as MessageEntry).attachments[0]!
    const headers = { authorization: `Bearer ${desk.token}`, 'accept-encoding': 'zstd, br, gzip' }
    for (const path of ['/api/v1/me', file.url, `/api/v1/messages/${messageId}/source`, '/api/v1/nothing']) {
      const answer = await ask(url + path, headers)
      assert.equal(answer.headers['content-encoding'], undefined, path)
    }
    const part = await ask(url + file.url, { ...headers, range: 'bytes=1-2' })
    assert.deepEqual([part.status, part.body.toString()], [206, 'aa'])
  })

  test(`${database}: tools of agents, the document and the reference are compressed too`, async () => {
    const { url, desk } = await fill()
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_threads', arguments: {} },
    }
    for (const coding of ['zstd', 'br', 'gzip'] as const) {
      const asked = { method: 'POST', body: JSON.stringify(call) }
      const headers = {
        authorization: `Bearer ${desk.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'accept-encoding': coding,
      }
      const answer = await ask(`${url}/mcp`, headers, asked)
      assert.equal(answer.headers['content-encoding'], coding)
      assert.match(answer.headers['vary']!, /\bAccept-Encoding\b/)
      assert.match(decode(answer), /Order 1/)
      // Through the SDK, which may answer with a stream.
      const listed = await ask(`${url}/mcp`, headers, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }),
      })
      assert.match(decode(listed), /list_threads/)
      for (const path of ['/openapi.json', '/docs']) {
        const plain = await ask(url + path, {})
        const coded = await ask(url + path, { 'accept-encoding': coding })
        assert.equal(coded.headers['content-encoding'], coding)
        assert.equal(coded.headers['vary'], 'Accept-Encoding')
        assert.equal(coded.headers['etag'], plain.headers['etag'])
        assert.equal(decode(coded), plain.body.toString())
        assert.ok(coded.body.length < plain.body.length / 3)
      }
    }
  })
}
