import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { abortWhenGone } from '../../src/http/exchange.ts'

/** A request that is under way, and how to end it. */
async function begin(): Promise<{ response: ServerResponse; leave(): void } & Disposable> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = request({ port: (server.address() as AddressInfo).port }).on('error', () => undefined)
  client.end()
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  const end = (): void => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  }
  return { response, leave: () => client.destroy(), [Symbol.dispose]: end }
}

test('work for a client that goes away is aborted', async () => {
  using asked = await begin()
  const gone = abortWhenGone(asked.response)
  assert.equal(gone.aborted, false)
  asked.leave()
  if (!gone.aborted) await once(gone, 'abort')
})

test('work for a client that is gone already is aborted at once', async () => {
  using asked = await begin()
  asked.leave()
  await once(asked.response, 'close')
  assert.equal(abortWhenGone(asked.response).aborted, true)
})

test('a client that has its answer aborts nothing', async () => {
  using asked = await begin()
  const gone = abortWhenGone(asked.response)
  asked.response.end('all of it')
  await once(asked.response, 'close')
  assert.equal(gone.aborted, false)
})
