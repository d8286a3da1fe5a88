import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import type { User } from '../../src/model/access.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { startSpool, type Answer } from '../support/spool.ts'
import { openSession, type WebClient } from '../support/web-client.ts'

interface Seen {
  status: number
  remaining: number
  reset: number
}

/** Every answer says how much is left. */
function read(answer: Answer, limit: number): Seen {
  assert.equal(answer.headers.get('ratelimit-policy'), `"default";q=${limit};w=60`)
  const match = /^"default";r=(\d+);t=(\d+)$/.exec(answer.headers.get('ratelimit') ?? '')
  assert.ok(match, String(answer.headers.get('ratelimit')))
  const retry = answer.headers.get('retry-after')
  assert.equal(retry !== null, answer.status === 429, `Retry-After with ${answer.status}`)
  if (retry !== null) assert.ok(Number(retry) >= 1 && Number(retry) <= 60, retry)
  return { status: answer.status, remaining: Number(match[1]), reset: Number(match[2]) }
}

for (const database of databases) {
  const shared = shareSpool(database, {
    SPOOL_RATE_LIMIT: '9/60',
    SPOOL_RATE_LIMIT_ANONYMOUS: '4/60',
    SPOOL_RATE_LIMIT_PERSON: '6/60',
    SPOOL_TRUST_PROXY: '127.0.0.0/8, ::1, 10.0.0.0/8',
  })

  test(`${database}: a person's requests from the page are counted together, over all sessions`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    const open = (user: User): Promise<WebClient> => openSession(spool.spool, spool.url, user)
    const [tab, phone, others] = [await open(desk.user), await open(desk.user), await open(other.user)]
    for (let n = 0; n < 3; n++)
      for (const page of [tab, phone]) assert.equal((await page.ask('GET', '/threads')).status, 200)
    for (const page of [tab, phone]) {
      const refused = await page.ask('GET', '/threads')
      assert.equal(refused.status, 429)
      const { code, message } = refused.json<{ code: string; message: string }>()
      const seconds = refused.headers.get('retry-after')
      assert.equal(code, 'rate_limited')
      assert.equal(message, `Too many requests from your browser. Try again in ${seconds} seconds.`)
    }
    assert.equal((await others.ask('GET', '/threads')).status, 200)
    assert.equal((await desk.get('/api/v1/threads')).status, 200, 'programs have their own limits')
    assert.equal((await tab.ask('DELETE', '/session')).status, 200, 'one can always sign out')
  })

  test(`${database}: every request with a valid token counts, refused ones too, and every answer says what is left`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const token = await spool.makeToken(desk.user, { scopes: ['threads:read'] })
    const ask = async (path: string, options: object = {}) =>
      read(await spool.get(`/api/v1${path}`, { token, ...options }), 9)
    const etag = (await spool.get('/api/v1/threads', { token })).headers.get('etag')!
    const seen = [
      await ask('/threads', { headers: { 'if-none-match': etag } }),
      await ask('/threads/thr_0'),
      await ask('/nothing'),
      await ask('/events'),
      await ask('/threads?colour=red'),
      await ask('/threads', { method: 'DELETE' }),
      await ask('/threads', { method: 'HEAD' }),
      await ask('/threads'),
      await ask('/threads'),
      await ask('/nothing'),
    ]
    assert.deepEqual(
      seen.map(({ status, remaining }) => [status, remaining]),
      [
        [304, 7],
        [404, 6],
        [404, 5],
        [403, 4],
        [400, 3],
        [405, 2],
        [200, 1],
        [200, 0],
        [429, 0],
        [429, 0],
      ],
    )
    assert.ok(seen.every(({ reset }) => reset >= 1 && reset <= 60))
    const refused = (await spool.get('/api/v1/threads', { token })).json<{
      statusCode: number
      code: string
    }>()
    assert.deepEqual([refused.statusCode, refused.code], [429, 'rate_limited'])
  })

  test(`${database}: the limit is each token's own`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const [one, two] = [await spool.makeToken(desk.user), await spool.makeToken(desk.user)]
    for (let count = 0; count < 10; count++) await spool.get('/api/v1/me', { token: one })
    assert.equal((await spool.get('/api/v1/me', { token: one })).status, 429)
    assert.equal(read(await spool.get('/api/v1/me', { token: two }), 9).remaining, 8)
  })

  test(`${database}: requests without a valid token count per address, and do not touch those with one`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const ask = async (token: string | null, address: string) =>
      read(await spool.get('/api/v1/threads', { token, headers: from(address) }), 4)
    const seen = [
      await ask(null, '198.51.100.7'),
      await ask('spool_pat_typo', '198.51.100.7'),
      await ask(`${desk.token.slice(0, -1)}_`, '198.51.100.7'),
      await ask(null, '198.51.100.7'),
      await ask(null, '198.51.100.7'),
    ]
    assert.deepEqual(
      seen.map(({ status, remaining }) => [status, remaining]),
      [
        [401, 3],
        [401, 2],
        [401, 1],
        [401, 0],
        [429, 0],
      ],
    )
    assert.equal((await ask(null, '198.51.100.8')).status, 401, 'another address')
    const valid = await spool.get('/api/v1/threads', { token: desk.token, headers: from('198.51.100.7') })
    assert.deepEqual(read(valid, 9), { status: 200, remaining: 8, reset: 60 })
    for (let count = 0; count < 6; count++) await desk.get('/api/v1/me', { headers: from('198.51.100.9') })
    assert.equal((await ask(null, '198.51.100.9')).remaining, 3, 'a valid token uses nothing of its address')
    for (const path of ['/healthz', '/openapi.json', '/nothing']) {
      const answer = await spool.get(path, { token: null, headers: from('198.51.100.7') })
      assert.notEqual(answer.status, 429, path)
    }
  })

  test(`${database}: X-Forwarded-For is believed as far as the proxies are trusted`, async () => {
    const spool = await shared()
    const left = async (forwarded: string) =>
      read(await spool.get('/api/v1/me', { token: null, headers: { 'x-forwarded-for': forwarded } }), 4)
        .remaining
    assert.equal(await left('203.0.113.1'), 3)
    assert.equal(await left('192.0.2.99, 203.0.113.1'), 2, 'what an untrusted hop claims is not believed')
    assert.equal(await left('203.0.113.1, 10.1.2.3'), 1, 'a trusted hop is passed over')
    assert.equal(await left('::ffff:203.0.113.1'), 0, 'the same address in the form of IPv6')
    assert.equal(await left('203.0.113.2'), 3)
    assert.equal(await left('2001:db8::1'), 3)
    assert.equal(await left('2001:DB8:0:0:ffff::2'), 2, 'one /64 of IPv6 is one address')
    assert.equal(await left('2001:db8:0:1::1'), 3)
  })

  test(`${database}: without SPOOL_TRUST_PROXY the address is the connection's; a window ends and begins anew`, async () => {
    await using spool = await startSpool(database, {
      SPOOL_RATE_LIMIT: '2/2',
      SPOOL_RATE_LIMIT_ANONYMOUS: '2/60',
    })
    const claim = async (address: string) =>
      (await spool.get('/api/v1/me', { token: null, headers: { 'x-forwarded-for': address } })).status
    assert.deepEqual(
      [await claim('192.0.2.1'), await claim('192.0.2.2'), await claim('192.0.2.3')],
      [401, 401, 429],
    )
    const ask = async () => spool.get('/api/v1/me')
    let answer = await ask()
    assert.equal(answer.status, 200)
    while (answer.status === 200) answer = await ask()
    assert.equal(answer.status, 429)
    await sleep(Number(answer.headers.get('retry-after')) * 1000)
    assert.equal((await ask()).status, 200, 'Retry-After says when')
  })
}
