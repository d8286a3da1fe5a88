import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { PictureFetcher } from '../../src/fetch/pictures.ts'
import { Guard } from '../../src/webhook/guard.ts'

test('pictures that nobody waits for any more are not fetched before those of others', async () => {
  const asked: string[] = []
  const server = createServer(({ url }, response) => {
    asked.push(url!)
    if (url === '/quick') response.end(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await using fetcher = new PictureFetcher(new Guard({ for: 'fetch', allow: ['127.0.0.1'] }), 4_000)
  const gone = new AbortController()
  const slow = Array.from({ length: 80 }, async (_, n) => fetcher.fetch(`${base}/slow-${n}`, gone.signal))
  gone.abort()
  await Promise.allSettled(slow)
  assert.equal((await fetcher.fetch(`${base}/quick`, new AbortController().signal)).type, 'image/png')
  assert.ok(asked.length < 20, `${asked.length} were fetched`)
  server.closeAllConnections()
  server.close()
})
