import { mustHold as assert } from '../support/must-hold.ts'
import { randomBytes } from 'node:crypto'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { removeUser } from '../../src/core/people/people.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { createToken, listTokens, revokeToken } from '../../src/core/tokens/tokens.ts'
import type { Route } from '../../src/http/route.ts'
import { base, routes } from '../../src/http/routes/v1/table.ts'
import { scopes as allScopes } from '../../src/model/access.ts'
import { databases, type DatabaseKind } from '../support/databases.ts'
import { checkAnswer } from '../support/openapi.ts'
import { Client, type RawAnswer } from '../support/raw-http.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

interface World extends AsyncDisposable {
  spool: TestSpool
  thread: string
  message: string
  note: string
  attachment: string
  colleague: string
  tokens: Record<'malformed' | 'expired' | 'revoked' | 'unknown' | 'foreign' | 'orphaned' | 'narrow', string>
}

interface Example {
  /** Below /api/v1; for the token of Ada there is something to see. */
  path(world: World): string
  /** The same form with an id that names nothing; null where the path has no id. */
  missing: string | null
  /** What someone sees whose view does not hold it. */
  otherView: 404 | 'nothing' | 'only-own'
}

/** One for each route, or the test fails. */
const examples: Record<string, Example> = {
  listThreads: { path: () => '/threads', missing: null, otherView: 'nothing' },
  getThread: {
    path: ({ thread }) => `/threads/${thread}`,
    missing: '/threads/thr_00000000000000000000',
    otherView: 404,
  },
  listNotes: {
    path: ({ thread }) => `/threads/${thread}/notes`,
    missing: '/threads/thr_00000000000000000000/notes',
    otherView: 404,
  },
  getAttachment: {
    path: ({ attachment }) => `/attachments/${attachment}`,
    missing: '/attachments/att_00000000000000000000',
    otherView: 404,
  },
  getMessage: {
    path: ({ message }) => `/messages/${message}`,
    missing: '/messages/msg_00000000000000000000',
    otherView: 404,
  },
  getMessageSource: {
    path: ({ message }) => `/messages/${message}/source`,
    missing: '/messages/msg_00000000000000000000/source',
    otherView: 404,
  },
  getNote: {
    path: ({ note }) => `/notes/${note}`,
    missing: '/notes/note_00000000000000000000',
    otherView: 404,
  },
  listInboxes: { path: () => '/inboxes', missing: null, otherView: 'only-own' },
  getInbox: {
    path: ({ spool }) => `/inboxes/${spool.inbox.id}`,
    missing: '/inboxes/inb_00000000000000000000',
    otherView: 404,
  },
  listUsers: { path: () => '/users', missing: null, otherView: 'only-own' },
  getUser: {
    path: ({ colleague }) => `/users/${colleague}`,
    missing: '/users/usr_00000000000000000000',
    otherView: 404,
  },
  listEvents: { path: () => '/events', missing: null, otherView: 'nothing' },
  exportThreads: { path: () => '/export', missing: null, otherView: 'only-own' },
  getMe: { path: () => '/me', missing: null, otherView: 'only-own' },
}

test('every route has an example in the access matrix, and every example a route', () => {
  assert.deepEqual(Object.keys(examples).sort(), routes.map(({ operationId }) => operationId).sort())
})

async function buildWorld(database: DatabaseKind): Promise<World> {
  const spool = await startSpool(database)
  const { threadId, messageId } = await spool.receive({
    attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'hello' }],
  })
  const [message] = (await spool.thread(threadId)).history
  assert.ok(message?.type === 'message')
  const elsewhere = await spool.makeInbox('elsewhere@shop.example')
  const narrow = await spool.makeToken(await spool.makeUser('nina@shop.example', 'member', [elsewhere]))
  const leaver = await spool.makeUser('leo@shop.example', 'member', [spool.inbox])
  const orphaned = await spool.makeToken(leaver)
  await removeUser(spool.spool, leaver.email)
  const revoked = await spool.makeToken(spool.ada, { name: 'to revoke' })
  const record = (await listTokens(spool.spool, null)).find(({ name }) => name === 'to revoke')!
  await revokeToken(spool.spool, record.id)
  const expired = await createToken(
    { ...spool.spool, now: () => Date.now() - 10_000 },
    { email: spool.ada.email, name: 'old', scopes: allScopes, inboxes: [], lifetime: 1000 },
  )
  await using other = await startSpool('sqlite')
  return {
    spool,
    thread: threadId,
    message: messageId,
    note: await addNote(spool.spool, spool.actor, threadId, 'A note'),
    colleague: (await spool.makeUser('colleague@shop.example', 'member', [spool.inbox])).id,
    attachment: message.attachments[0]!.id,
    tokens: {
      malformed: `${spool.token.slice(0, -1)}${spool.token.endsWith('0') ? '1' : '0'}`,
      expired: expired.token,
      revoked,
      unknown: inventToken(),
      foreign: other.token,
      orphaned,
      narrow,
    },
    [Symbol.asyncDispose]: () => spool[Symbol.asyncDispose](),
  }
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base62 = (value: bigint, length: number): string =>
  Array.from(
    { length },
    (_, index) => digits[Number((value / 62n ** BigInt(length - 1 - index)) % 62n)],
  ).join('')

/** Well-formed by the contract's words alone: prefix, 32 bytes in base62, CRC32. */
function inventToken(): string {
  const body = `spool_pat_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)}`
  return body + base62(BigInt(crc32(body)), 6)
}

const withoutScope = (spool: TestSpool, { scope }: Route): Promise<string> =>
  spool.makeToken(spool.ada, { scopes: allScopes.filter((each) => each !== scope) })

/** What may differ between two answers that must be alike. */
const passing = new Set([
  'date',
  'x-request-id',
  'ratelimit',
  'keep-alive',
  'connection',
  'transfer-encoding',
])
const lasting = (headers: RawAnswer['headers']): object =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.has(name)))
const withoutId = ({ body }: RawAnswer): string => body.replace(/"requestId":"[^"]*"/, '')

for (const database of databases) {
  test(`${database}: who may ask what`, async (t) => {
    await using world = await buildWorld(database)
    const { spool, tokens } = world
    using client = new Client(spool.url)

    /** Asks, and holds the answer against the document. */
    const ask = async (method: string, path: string, token: string | null): Promise<RawAnswer> => {
      const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
      const answer = await client.ask(method, base + path, headers)
      checkAnswer(base + path, method, answer.status, answer.headers['content-type'] ?? null, answer.body)
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      assert.match(answer.headers['x-request-id'] ?? '', /^req_/)
      assert.match(answer.headers['ratelimit-policy'] ?? '', /^"default";q=\d+;w=\d+$/)
      if (answer.status === 401) assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer/)
      return answer
    }
    const refusals: Record<string, string | null> = {
      'no token': null,
      'a token that is no token': 'hello',
      'a malformed token': tokens.malformed,
      'an expired token': tokens.expired,
      'a revoked token': tokens.revoked,
      'an unknown, well-formed token': tokens.unknown,
      'a token of another instance': tokens.foreign,
      'a token of someone who was removed': tokens.orphaned,
    }

    for (const route of routes) {
      const example = examples[route.operationId]!
      const path = example.path(world)
      const scopeless = route.scope === null ? null : await withoutScope(spool, route)

      await t.test(`GET ${route.path}`, async () => {
        for (const [who, token] of Object.entries(refusals)) {
          for (const method of ['GET', 'HEAD', 'POST']) {
            for (const target of [path, `${path}?wrong=1`, `${path}/nowhere`])
              assert.equal((await ask(method, target, token)).status, 401, `${who}: ${method} ${target}`)
          }
        }
        const right = await ask('GET', path, spool.token)
        assert.equal(right.status, 200)
        const head = await ask('HEAD', path, spool.token)
        assert.equal(head.status, 200)
        assert.deepEqual(lasting(head.headers), lasting(right.headers))

        for (const method of METHODS.filter((name) => !['GET', 'HEAD', 'CONNECT'].includes(name))) {
          const answer = await ask(method, path, spool.token)
          assert.equal(answer.status, 405, method)
          assert.equal(answer.headers['allow'], 'GET, HEAD', method)
          if (scopeless) assert.equal((await ask(method, path, scopeless)).status, 405, 'method before scope')
        }
        assert.equal((await ask('GET', `${path}?wrong=1`, spool.token)).status, 400)
        if (scopeless) {
          for (const target of [path, `${path}?wrong=1`, example.missing ?? path]) {
            const answer = await ask('GET', target, scopeless)
            assert.equal(answer.status, 403, target)
            assert.equal(
              answer.headers['www-authenticate'],
              `Bearer realm="spool", error="insufficient_scope", scope="${route.scope}"`,
            )
          }
        }
        if (example.missing !== null) {
          assert.equal((await ask('GET', example.missing, spool.token)).status, 404)
          assert.equal((await ask('GET', `${example.missing}?wrong=1`, spool.token)).status, 400)
        }
      })

      await t.test(`GET ${route.path} from another view`, async () => {
        const seen = await ask('GET', path, tokens.narrow)
        if (example.otherView === 404) {
          assert.equal(seen.status, 404)
          const nowhere = await ask('GET', example.missing!, tokens.narrow)
          assert.equal(withoutId(seen), withoutId(nowhere))
          assert.deepEqual(lasting(seen.headers), lasting(nowhere.headers))
          return
        }
        assert.equal(seen.status, 200)
        assert.ok(!seen.body.includes(spool.inbox.id), 'an inbox outside the view is not named')
        assert.ok(!seen.body.includes('thr_'))
        if (example.otherView === 'nothing')
          assert.deepEqual((JSON.parse(seen.body) as { data: unknown[] }).data, [])
      })
    }

    await t.test('paths that are no route', async () => {
      for (const path of [
        '',
        '/',
        '/nothing',
        '/threads/',
        '/threads/x/y',
        '/me/',
        '/THREADS',
        '//threads',
      ]) {
        assert.equal((await ask('GET', path, null)).status, 401, path)
        assert.equal((await ask('GET', path, spool.token)).status, 404, path)
        assert.equal((await ask('DELETE', path, spool.token)).status, 404, path)
      }
    })
  })

  test(`${database}: the limit comes after the token and before everything else`, async () => {
    await using spool = await startSpool(database, {
      SPOOL_RATE_LIMIT: '2/60',
      SPOOL_RATE_LIMIT_ANONYMOUS: '3/60',
    })
    const statuses = async (count: number, path: string, options: Parameters<TestSpool['get']>[1]) => {
      const found: number[] = []
      for (let n = 0; n < count; n++) found.push((await spool.get(base + path, options)).status)
      return found
    }
    // A refused request counts too: two that are no route use up the token's limit.
    assert.deepEqual(await statuses(3, '/nothing', {}), [404, 404, 429])
    const noScope = await spool.makeToken(spool.ada, { scopes: ['notes:read'] })
    assert.deepEqual(await statuses(3, '/threads', { token: noScope }), [403, 403, 429])
    const bad = await spool.makeToken(spool.ada, { name: 'Bad parameters' })
    assert.deepEqual(await statuses(3, '/threads?wrong=1', { token: bad }), [400, 400, 429])
    const post = await spool.makeToken(spool.ada, { name: 'Wrong method' })
    assert.deepEqual(await statuses(3, '/threads', { token: post, method: 'POST' }), [405, 405, 429])
    // An address that is over its limit without a token is told so in place of 401; a valid token is not held up by it.
    assert.deepEqual(await statuses(4, '/threads', { token: null }), [401, 401, 401, 429])
    const fresh = await spool.makeToken(spool.ada, { name: 'Fresh' })
    const refused = await spool.get(`${base}/me`, { token: 'nonsense' })
    assert.equal(refused.status, 429)
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal((await spool.get(`${base}/me`, { token: fresh })).status, 200)
  })

  test(`${database}: a token works until the millisecond before its expiry`, async () => {
    await using spool = await startSpool(database)
    const now = Date.now()
    spool.spool.now = () => now
    const token = await spool.makeToken(spool.ada, { lifetime: 5000 })
    const statusAt = async (time: number): Promise<number> => {
      spool.spool.now = () => time
      return (await spool.get(`${base}/me`, { token })).status
    }
    assert.equal(await statusAt(now + 4999), 200)
    assert.equal(await statusAt(now + 5000), 401)
    assert.equal(await statusAt(now + 5001), 401)
    assert.equal(await statusAt(now), 200)
  })
}
