import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Parcel } from '../../src/core/notices/delivery.ts'
import type { PushResult, PushService } from '../../src/model/notices/push.ts'
import { browsersOf } from '../../src/store/notices/browsers.ts'
import { PushTurns, pushParcel } from '../../src/workers/push-notices.ts'
import { databases } from '../support/databases.ts'
import { startSpool } from '../support/spool.ts'
import { openSession } from '../support/web-client.ts'

const mostBrowsers = 20

for (const database of databases)
  test(`${database}: a person has 20 browsers for pushes; with another one the oldest goes`, async () => {
    await using spool = await startSpool(database, { SPOOL_FETCH_ALLOW: '127.0.0.0/8' })
    const page = await openSession(spool.spool, spool.url, spool.ada)
    const subscribe = (n: number): Promise<{ browsers: unknown[] }> => {
      const keys = {
        p256dh: randomBytes(65).toString('base64url'),
        auth: randomBytes(16).toString('base64url'),
      }
      return page.do('POST', '/notices/browsers', { endpoint: `http://127.0.0.1:9/push/${n}`, keys })
    }
    const kept = async (): Promise<number[]> => {
      const browsers = await browsersOf(spool.spool.db, spool.ada.id, spool.spool.now())
      return browsers.map(({ endpoint }) => Number(endpoint.split('/').at(-1))).sort((a, b) => a - b)
    }
    let now = Date.now()
    spool.spool.now = () => now
    for (let n = 1; n <= mostBrowsers + 2; n++) {
      now++
      assert.equal((await subscribe(n)).browsers.length, Math.min(n, mostBrowsers))
    }
    const expected = Array.from({ length: mostBrowsers }, (_, n) => n + 3)
    assert.deepEqual(await kept(), expected)
    await subscribe(3)
    assert.deepEqual(await kept(), expected, 'one that subscribes again pushes none out')
    const db = spool.spool.db
    assert.equal((await db.all(db.build.selectFrom('push_browsers').select('id'))).length, mostBrowsers)
  })

/** More notices than are listed in a push, so that each browser gets one. */
const parcelOf = (userId: string, browsers: number): Parcel =>
  ({
    way: 'push',
    listener: { id: userId },
    notices: Array.from({ length: 10 }),
    browsers: Array.from({ length: browsers }, (_, n) => ({ id: `${userId} ${n}` })),
  }) as unknown as Parcel

test('four pushes at a time; somebody with many slow browsers holds nobody else up for longer than one of them', async () => {
  const [turns, stop] = [new PushTurns(), new AbortController()]
  const sending: { id: string; answer: (result: PushResult) => void }[] = []
  const service: PushService = {
    check: async () => undefined,
    send(target) {
      const { promise, resolve: answer } = Promise.withResolvers<PushResult>()
      sending.push({ id: (target as unknown as { id: string }).id, answer })
      return promise
    },
  }
  const slow = pushParcel(parcelOf('mia', mostBrowsers), service, turns, stop.signal)
  await turn()
  assert.deepEqual(
    sending.map(({ id }) => id),
    ['mia 0', 'mia 1', 'mia 2', 'mia 3'],
  )
  const other = pushParcel(parcelOf('tom', 2), service, turns, stop.signal)
  sending[0]!.answer({ result: 'failed', problem: 'slow' })
  await turn()
  assert.equal(sending.at(-1)!.id, 'tom 0', 'before the other 16')
  sending.at(-1)!.answer({ result: 'taken' })
  await turn()
  assert.equal(sending.at(-1)!.id, 'tom 1')
  sending.at(-1)!.answer({ result: 'taken' })
  assert.equal((await other).problem, null)

  stop.abort()
  for (const { answer } of sending) answer({ result: 'failed', problem: 'slow' })
  await turn()
  const late = sending.slice(-1)[0]!
  late.answer({ result: 'failed', problem: 'slow' })
  const { problem, browsers } = await slow
  assert.equal(browsers.length, mostBrowsers)
  assert.notEqual(problem, null)
  assert.ok(sending.length < mostBrowsers, 'what has not begun when Spool stops is left for another node')
})
