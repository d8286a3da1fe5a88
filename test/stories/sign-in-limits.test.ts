import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateLimit } from '../../src/core/access/rate-limit.ts'
import { changeUser, removeUser } from '../../src/core/people/people.ts'
import { databases, freshRedis } from '../support/databases.ts'
import { startNode } from '../support/nodes.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { askWeb, password, type WebAnswer } from '../support/web-client.ts'

const behindProxy = { SPOOL_TRUST_PROXY: '1' }
/** Wrong passwords for one account from one address, or in one known browser; requests from one address, or one /48. */
const [mostOfPair, mostOfAddress, mostOfNetwork] = [20, 200, 600]

interface From {
  address: string
  /** What the browser kept. */
  cookie?: string
}

const headersOf = ({ address, cookie }: From): Record<string, string> => ({
  'x-forwarded-for': address,
  ...(cookie ? { cookie } : {}),
})

const signIn = (url: string, from: From, email: string, secret = password): Promise<WebAnswer> =>
  askWeb(url, 'POST', '/session', { email, password: secret }, headersOf(from))

/** Guesses until it is told to wait; answers how many were heard. */
async function guess(url: string, from: From, email: string, most = 30): Promise<number> {
  for (let heard = 0; heard < most; heard++) {
    const { status } = await signIn(url, from, email, `guess ${heard}`)
    if (status === 429) return heard
    assert.equal(status, 401)
  }
  return most
}

/** By links that are none: they cost no time to check. */
async function useUp(url: string, address: string): Promise<number> {
  for (let heard = 0; heard <= mostOfAddress; heard++) {
    const nothing = { token: 'nothing' }
    const { status } = await askWeb(url, 'POST', '/invitations/look', nothing, headersOf({ address }))
    if (status === 429) return heard
  }
  return Infinity
}

const cookiesOf = ({ headers }: WebAnswer): string[] => headers.getSetCookie()

/** The mark of a known browser, as the browser sends it. */
const markOf = (answer: WebAnswer): string =>
  cookiesOf(answer)
    .find((cookie) => /^spool_browser_\d+=/.test(cookie))!
    .split(';')[0]!

async function withPasswords(spool: TestSpool, ...names: string[]): Promise<string[]> {
  const users = []
  for (const name of names) {
    const user = await spool.makeUser(`${name}@shop.example`, 'member', [spool.inbox])
    await changeUser(spool.spool, user.email, { password })
    users.push(user.email)
  }
  return users
}

for (const database of databases) {
  test(`${database}: a stranger locks nobody out`, async () => {
    await using spool = await startSpool(database, behindProxy)
    const [max] = (await withPasswords(spool, 'max')) as [string]
    const { url } = spool
    assert.equal(await guess(url, { address: '198.51.100.1' }, max), mostOfPair)
    assert.equal(
      (await signIn(url, { address: '198.51.100.1' }, max)).status,
      429,
      'the guesser waits, even with the right password',
    )
    assert.equal((await signIn(url, { address: '203.0.113.9' }, max)).status, 200, 'nobody else does')
    const unknown = { address: '198.51.100.2' }
    assert.equal(await guess(url, unknown, 'nobody@shop.example'), mostOfPair, 'as for an account')
    assert.equal((await signIn(url, unknown, max)).status, 200, 'another account is another matter')
  })

  test(`${database}: however a name is written, its account is one, and a /64 of IPv6 is one address`, async () => {
    await using spool = await startSpool(database, behindProxy)
    const [max] = (await withPasswords(spool, 'max')) as [string]
    const names = [max, ` ${max}`, max.toUpperCase(), `${max}\t`, 'ｍax@shop.example']
    const statuses = []
    for (let n = 0; n <= mostOfPair; n++) {
      const address = `2001:db8::${(n + 1).toString(16)}`
      statuses.push((await signIn(spool.url, { address }, names[n % names.length]!, 'guess')).status)
    }
    assert.deepEqual(new Set(statuses.slice(0, mostOfPair)), new Set([401]))
    assert.equal(statuses.at(-1), 429)
    assert.equal((await signIn(spool.url, { address: '2001:db8:0:1::1' }, max)).status, 200)
  })

  test(`${database}: a /48 of IPv6 has a count of its own, whatever addresses it tries from`, async () => {
    await using spool = await startSpool(database, behindProxy)
    const look = async (address: string): Promise<number> => {
      const nothing = { token: 'nothing' }
      return (await askWeb(spool.url, 'POST', '/invitations/look', nothing, headersOf({ address }))).status
    }
    const statuses = []
    for (let n = 0; n <= mostOfNetwork; n++) statuses.push(await look(`2001:db8:1:${n.toString(16)}::1`))
    assert.deepEqual(new Set(statuses.slice(0, mostOfNetwork)), new Set([404]))
    assert.equal(statuses.at(-1), 429)
    assert.equal(await look('2001:db8:2:1::1'), 404, 'the next /48 is somebody else')
    assert.equal(await look('198.51.100.1'), 404)
  })

  test(`${database}: only what was refused counts`, async () => {
    await using spool = await startSpool(database, behindProxy)
    const [max] = (await withPasswords(spool, 'max')) as [string]
    const from = { address: '198.51.100.3' }
    for (let n = 0; n < 3; n++) assert.equal((await signIn(spool.url, from, max)).status, 200)
    assert.equal(await guess(spool.url, from, max), mostOfPair)
  })

  test(`${database}: a browser that has signed in before has a count of its own`, async () => {
    await using spool = await startSpool(database, behindProxy)
    const [max, tom] = (await withPasswords(spool, 'max', 'tom')) as [string, string]
    const { url } = spool
    const address = '198.51.100.4'
    const first = await signIn(url, { address }, max)
    const cookie = markOf(first)
    assert.match(
      cookiesOf(first).at(-1)!,
      /^spool_browser_\d+=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=31536000$/,
    )
    assert.equal(cookiesOf(first).length, 2)
    assert.equal(await guess(url, { address }, max), mostOfPair)
    assert.ok((await useUp(url, address)) < mostOfAddress)
    assert.equal((await signIn(url, { address }, max)).status, 429, 'who is new here waits')
    const again = await signIn(url, { address, cookie }, max)
    assert.equal(again.status, 200, 'who was here before does not')
    assert.notEqual(markOf(again), cookie, 'marked anew')
    assert.equal((await signIn(url, { address, cookie }, tom)).status, 429, 'for their own account only')

    const [head, mac] = [cookie.slice(0, -43), cookie.slice(-43)]
    const [name] = cookie.split('=')
    const forged = head.replace(/usr_\w+/, spool.ada.id) + mac
    for (const wrong of [`${head}${'A'.repeat(43)}`, forged, `${name}=x`, `${name}=...`])
      assert.equal((await signIn(url, { address, cookie: wrong }, max)).status, 429, wrong)

    // One was used up by the try at somebody else's account.
    assert.equal(await guess(url, { address, cookie }, max), mostOfPair - 1, 'its own count ends as well')
    assert.equal((await signIn(url, { address, cookie }, max)).status, 429)
    assert.equal(
      (await signIn(url, { address, cookie: markOf(again) }, max)).status,
      200,
      'another browser of the same person is another count',
    )
  })

  test(`${database}: with a new password, or without the person, no browser is known`, async () => {
    await using spool = await startSpool(database, behindProxy)
    const [max, tom] = (await withPasswords(spool, 'max', 'tom')) as [string, string]
    const { url } = spool
    const address = '198.51.100.5'
    const here = await signIn(url, { address }, max)
    const known = { address, cookie: markOf(here) }
    const toms = { address, cookie: markOf(await signIn(url, { address }, tom)) }
    await useUp(url, address)
    const statuses = async (...asked: Promise<WebAnswer>[]): Promise<number[]> =>
      (await Promise.all(asked)).map(({ status }) => status)
    assert.deepEqual(await statuses(signIn(url, known, max), signIn(url, toms, tom)), [200, 200])

    const wanted = { current: password, new: 'quite another one', keep: { tokens: [], webhooks: [] } }
    const session = cookiesOf(here)[0]!.split(';')[0]!
    const changed = await askWeb(url, 'POST', '/password', wanted, { cookie: session })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await signIn(url, known, max, wanted.new)).status, 429, 'a mark of before')
    const marked = { address, cookie: markOf(changed) }
    assert.equal((await signIn(url, marked, max, wanted.new)).status, 200, 'who changed it is known here')

    await removeUser(spool.spool, tom)
    assert.equal((await signIn(url, toms, tom)).status, 429)
  })

  test(`${database}: an address is counted before its body is read, and a body has at most 16 kB`, async () => {
    await using spool = await startSpool(database, behindProxy)
    const [max] = (await withPasswords(spool, 'max')) as [string]
    const { url } = spool
    const send = (path: string, body: string, address: string): Promise<Response> =>
      fetch(`${url}/app/api${path}`, {
        method: 'POST',
        headers: { origin: url, 'content-type': 'application/json', ...headersOf({ address }) },
        body,
      })
    const ways = ['/session', '/setup', '/invitations/look', '/invitations/accept']
    for (const way of [...ways, '/resets/look', '/resets/accept']) {
      const sizes = { 16_384: 400, 16_385: 413 }
      for (const [size, status] of Object.entries(sizes)) {
        const filler = JSON.stringify({ filler: '' }).length
        const body = JSON.stringify({ filler: 'x'.repeat(Number(size) - filler) })
        const answer = await send(way, body, '198.51.100.6')
        assert.equal(answer.status, status, `${way} ${size}`)
        assert.equal(((await answer.json()) as { statusCode: number }).statusCode, status)
      }
    }
    let heard = 0
    while (heard <= mostOfAddress && (await send('/session', 'no JSON', '198.51.100.7')).status !== 429)
      heard++
    assert.equal(heard, mostOfAddress)
    // Whom the address keeps out uses up nothing else: its window and the account's are apart.
    for (let n = 0; n < mostOfPair; n++)
      assert.equal((await signIn(url, { address: '198.51.100.7' }, max, 'guess')).status, 429)
    assert.equal((await signIn(url, { address: '203.0.113.9' }, max)).status, 200)
  })

  test(`${database}: the marks are Secure and of this host alone wherever others could listen`, async () => {
    await using spool = await startSpool(database, { SPOOL_URL: 'https://inbox.example.com' })
    const [max] = (await withPasswords(spool, 'max')) as [string]
    const body = { email: max, password }
    const answer = await askWeb(spool.url, 'POST', '/session', body, { origin: 'https://inbox.example.com' })
    assert.match(
      cookiesOf(answer).at(-1)!,
      /^__Host-spool_browser=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/,
    )
  })
}

test(
  'postgres: with Redis all nodes count together, known browsers too',
  { skip: skipWithout('postgres') ?? skipWithout('redis') ?? false },
  async () => {
    await using redis = await freshRedis()
    const environment = { ...behindProxy, SPOOL_REDIS_URL: redis.url }
    await using spool = await startSpool('postgres', environment)
    await using other = await startNode(spool.database, environment)
    const [max] = (await withPasswords(spool, 'max')) as [string]
    let rounds = 0
    // On a busy machine Redis may answer so late that a node counts by itself: such a round is tried again.
    const counts = async (): Promise<boolean> => {
      const from = { address: `198.51.100.${8 + rounds++}` }
      const known = { ...from, cookie: markOf(await signIn(spool.url, from, max)) }
      for (const who of [from, known]) {
        const here = await guess(spool.url, who, max, 12)
        // Nodes that have one SPOOL_URL have one name for the cookie; these two have their ports in it.
        const { port } = new URL(other.app.url)
        const there = who === known ? { ...from, cookie: known.cookie.replace(/_\d+=/, `_${port}=`) } : from
        const left = await guess(other.app.url, there, max)
        const { status } = await signIn(spool.url, who, max)
        if (here !== 12 || left !== mostOfPair - 12 || status !== 429) return false
      }
      return true
    }
    await until('both nodes count together', counts, 300_000)
    assert.equal((await signIn(other.app.url, { address: '203.0.113.9' }, max)).status, 200)
  },
)

test('made-up keys take a bounded memory: the oldest count goes first', async () => {
  const limit = new RateLimit({ requests: 10, seconds: 3600 }, null)
  const left = async (key: string): Promise<number> => (await limit.take(key)).remaining
  assert.deepEqual([await left('first'), await left('second'), await left('first')], [9, 9, 8])
  for (let n = 0; n < 100_000; n++) await left(`made up ${n}`)
  assert.equal(await left('first'), 9, 'forgotten')
  assert.equal(await left('made up 99999'), 8, 'the newest is not')
})
