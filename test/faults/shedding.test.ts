import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Freshness, Versions } from '../../src/core/freshness.ts'
import { finish } from '../../src/http/exchange.ts'
import { Observer } from '../../src/http/observer.ts'
import { Cors } from '../../src/http/cors.ts'
import { inTurns } from '../../src/http/turn.ts'
import { until } from '../support/until.ts'

const observer = new Observer(pino({ level: 'silent' }))

async function serve(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ask: () => fetch(`http://127.0.0.1:${port}/`, { headers: { origin: 'https://app.example' } }),
    [Symbol.dispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

test('with 1,000 requests under way others are turned away at once; those that only wait do not count', async () => {
  const gate = Promise.withResolvers<void>()
  let [inside, waiting] = [0, 0]
  using server = await serve(
    inTurns(
      { freshness: {} as Freshness, observer },
      '/',
      async (request, response, exchange) => {
        inside++
        await gate.promise
        inside--
        finish(observer, request, response, exchange, 200, Buffer.of())
      },
      () => waiting,
      (request) => new Cors(['https://app.example']).headersFor(request),
    ),
  )
  const status = async (): Promise<number> => (await server.ask()).status
  const statuses = Array.from({ length: 1_000 }, status)
  await until('all of them are under way', async () => inside === 1_000)
  const refused = await server.ask()
  const { headers } = refused
  assert.deepEqual([refused.status, headers.get('retry-after')], [503, '2'])
  assert.equal(headers.get('access-control-allow-origin'), 'https://app.example', 'pages can read it too')
  const { code, message } = (await refused.json()) as { code: string; message: string }
  assert.deepEqual(
    [code, message],
    ['not_ready', 'This server has too much to do right now; try again in a moment.'],
  )
  waiting = 1
  statuses.push(status())
  await until('one more is under way', async () => inside === 1_001)
  gate.resolve()
  assert.deepEqual([...new Set(await Promise.all(statuses))], [200])
  waiting = 0
  assert.equal(await status(), 200, 'and then as before')
})

test('many requests that have waited long for the store are turned away; a few are answered', async () => {
  let inside = 0
  let gate = Promise.withResolvers<Versions>()
  const freshness = { current: () => gate.promise } as Freshness
  using server = await serve(
    inTurns(
      { freshness, observer },
      '/',
      async (request, response, exchange, versions) => {
        inside++
        await versions().finally(() => inside--)
        finish(observer, request, response, exchange, 200, Buffer.of())
      },
      () => 0,
    ),
  )
  const askAll = (count: number) => Array.from({ length: count }, async () => (await server.ask()).status)
  const afterLong = async (count: number): Promise<number[]> => {
    gate = Promise.withResolvers()
    const statuses = askAll(count)
    await until('all of them are under way', async () => inside === count)
    const since = performance.now()
    await until('they have waited', async () => performance.now() - since > 300)
    gate.resolve(new Map())
    return Promise.all(statuses)
  }
  assert.deepEqual(new Set(await afterLong(100)), new Set([200]))
  assert.deepEqual(new Set(await afterLong(300)), new Set([503]))
  assert.deepEqual(new Set(await Promise.all(askAll(300))), new Set([200]), 'and then as before')
})
