import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Freshness } from '../../src/core/freshness.ts'
import { finish } from '../../src/http/exchange.ts'
import { Observer } from '../../src/http/observer.ts'
import { inTurns } from '../../src/http/turn.ts'
import { until } from '../support/until.ts'

test('with 1,000 requests under way others are turned away at once; those that only wait do not count', async () => {
  const observer = new Observer(pino({ level: 'silent' }))
  const gate = Promise.withResolvers<void>()
  let [inside, waiting] = [0, 0]
  const answer = inTurns(
    { freshness: {} as Freshness, observer },
    '/',
    async (request, response, exchange) => {
      inside++
      await gate.promise
      inside--
      finish(observer, request, response, exchange, 200, Buffer.of())
    },
    () => waiting,
  )
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const ask = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const status = async (): Promise<number> => (await ask()).status
  try {
    const statuses = Array.from({ length: 1_000 }, status)
    await until('all of them are under way', async () => inside === 1_000)
    const refused = await ask()
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2'])
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
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
