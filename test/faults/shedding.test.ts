import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Freshness, Versions } from '../../src/core/freshness.ts'
import { Observer } from '../../src/http/observer.ts'
import { Cors } from '../../src/http/cors.ts'
import { inTurns } from '../../src/http/turn.ts'
import { tooMuchToDo } from '../../src/model/errors.ts'
import type { Db } from '../../src/store/db.ts'
import { inSearchTurn } from '../../src/store/threads/search-turns.ts'
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
      async (exchange) => {
        inside++
        await gate.promise
        inside--
        exchange.finish(200, Buffer.of())
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
      async (exchange, versions) => {
        inside++
        await versions().finally(() => inside--)
        exchange.finish(200, Buffer.of())
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

test('searches take turns; of many that wait, those that have waited long are turned away', async () => {
  const store = { slowReader: { dialect: 'sqlite' } as Db }
  let gate = Promise.withResolvers<void>()
  const begun: number[] = []
  const refused: number[] = []
  const search = (n: number): Promise<void> =>
    inSearchTurn(store, async () => {
      begun.push(n)
      await gate.promise
    }).catch((error: unknown) => {
      assert.equal(error, tooMuchToDo)
      refused.push(n)
    })
  const began = performance.now()
  const searches = Array.from({ length: 60 }, (_, n) => search(n))
  assert.deepEqual(begun, [0, 1], 'two at a time')
  await until('they have waited long', async () => performance.now() - began > 1_500)
  gate.resolve()
  gate = Promise.withResolvers()
  await until('the next have begun', async () => begun.length === 4)
  assert.deepEqual(refused, [2, 3, 4, 5, 6, 7, 8, 9])
  assert.deepEqual(begun, [0, 1, 10, 11], 'in order of arrival')
  gate.resolve()
  await Promise.all(searches)
  assert.equal(begun.length + refused.length, 60, 'the last 50 are answered, however long they wait')
  await search(60)
  assert.equal(begun.at(-1), 60, 'and then as before')
})
