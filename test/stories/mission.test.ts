import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addNote } from '../../src/core/threads/notes.ts'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { listTokens, revokeToken } from '../../src/core/tokens/tokens.ts'
import { statuses, type ThreadSummary } from '../../src/model/thread.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { document } from '../support/openapi.ts'
import { startSpool, type Answer } from '../support/spool.ts'

/** The rules of the mission, marked [S] in the contract: each test bears its rule's words. */

const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const apart = new Set(['x-request-id', 'date', 'ratelimit'])

/** Everything of an answer that may not tell two requests apart. */
function bare({ status, headers, text }: Answer): object {
  const { requestId: _, ...body } = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  return { status, body, headers: [...headers].filter(([name]) => !apart.has(name)) }
}

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: [S] base address ends in /api/v1`, async () => {
    const spool = await shared()
    for (const path of Object.keys(document.paths)) {
      const found = path.replace('{id}', 'thr_0')
      assert.notEqual((await spool.get(`/api/v1${found}`, { token: null })).status, 404, found)
      const elsewhere = await spool.get(found)
      // A thread's own address is the web inbox's page, the same for everybody.
      const isPage = elsewhere.headers.get('content-type')?.startsWith('text/html') === true
      assert.ok(elsewhere.status === 404 || isPage, `${found} answers outside /api/v1`)
      assert.equal(elsewhere.text.includes('"data"'), false, `${found} holds data outside /api/v1`)
      if (isPage) assert.equal(elsewhere.text, (await spool.get(found, { token: null })).text)
      assert.equal((await spool.get(`/api/v2${found}`)).status, 404)
    }
  })

  test(`${database}: [S] GET /threads answers a list of threads`, async () => {
    const desk = await openDesk(await shared())
    const { threadId } = await desk.receive()
    const answer = await desk.get('/api/v1/threads')
    assert.equal(answer.status, 200)
    const { data, nextCursor } = answer.json<{ data: ThreadSummary[]; nextCursor: null }>()
    assert.deepEqual([data.map(({ id }) => id), nextCursor], [[threadId], null])
  })

  test(`${database}: [S] GET /threads/{id} answers one thread with its history, the messages included`, async () => {
    const desk = await openDesk(await shared())
    const { threadId, messageId } = await desk.receive({ text: 'Where is it?' })
    const thread = await desk.thread(threadId)
    assert.equal(thread.id, threadId)
    const [entry] = thread.history
    assert.ok(entry?.type === 'message')
    assert.deepEqual([entry.id, entry.text.trim(), entry.direction], [messageId, 'Where is it?', 'inbound'])
    assert.equal(Object.hasOwn((await desk.threads())[0]!, 'history'), false, 'only in the single answer')
  })

  test(`${database}: [S] GET /threads/{id}/notes answers the thread's chat messages`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    assert.deepEqual(await desk.notes(threadId), [])
    await addNote(spool.spool, desk.actor, threadId, 'Looks like the carrier.')
    const [note] = await desk.notes(threadId)
    assert.equal(note!.text, 'Looks like the carrier.')
    assert.deepEqual(note!.author, { type: 'person', id: desk.user.id, name: desk.user.name })
  })

  test(`${database}: [S] a thread has subject, sender, timestamp, status and assignment, in the list and in the single answer`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const date = Math.floor(Date.now() / 1000) * 1000 - 5_000
    const { threadId } = await desk.receive({
      subject: 'Order 1',
      from: 'Ole <ole@example.com>',
      date,
    })
    const before = await desk.thread(threadId)
    assert.equal(before.assignment, null)
    await assignThread(spool.spool, desk.actor, threadId, desk.user)
    const [listed] = await desk.threads()
    const { history: _, historyNextCursor: __, ...single } = await desk.thread(threadId)
    assert.deepEqual(listed, single)
    assert.equal(single.subject, 'Order 1')
    assert.deepEqual(single.sender, { name: 'Ole', address: 'ole@example.com' })
    assert.equal(single.timestamp, new Date(date).toISOString())
    assert.equal(single.status, 'open')
    const { assignedAt, ...assignee } = single.assignment!
    assert.deepEqual(assignee, { id: desk.user.id, name: desk.user.name, email: desk.user.email })
    assert.ok(Math.abs(Date.parse(assignedAt) - Date.now()) < 60_000)
  })

  test(`${database}: [S] every path under /api/v1 needs Authorization: Bearer <token>, unknown ones too`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    const known = Object.keys(document.paths).map((path) => path.replace('{id}', threadId))
    for (const path of [...known, '', '/', '/nothing', '/threads/', '/threads/x/y', '/%00']) {
      for (const method of ['GET', 'HEAD', ...methods]) {
        const refused = await spool.get(`/api/v1${path}`, { token: null, method })
        assert.equal(refused.status, 401, `${method} ${path}`)
        assert.match(refused.headers.get('www-authenticate')!, /^Bearer/)
      }
      const open = await desk.get(`/api/v1${path}`)
      assert.notEqual(open.status, 401, `${path} with a token`)
    }
    for (const header of [desk.token, `Basic ${desk.token}`, `Token ${desk.token}`, 'Bearer', 'Bearer x']) {
      const refused = await spool.get('/api/v1/threads', { token: null, headers: { authorization: header } })
      assert.equal(refused.status, 401, header)
    }
    for (const name of ['access_token', 'token', 'authorization']) {
      assert.equal(
        (await spool.get(`/api/v1/threads?${name}=${desk.token}`, { token: null })).status,
        401,
        'a token in the address is none',
      )
    }
  })

  test(`${database}: [S] programs read, nothing else: no other method exists on any path`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    const before = await desk.thread(threadId)
    for (const path of Object.keys(document.paths)) {
      for (const method of methods) {
        const answer = await desk.get(`/api/v1${path.replace('{id}', threadId)}`, { method })
        assert.equal(answer.status, 405, `${method} ${path}`)
        assert.equal(answer.headers.get('allow'), 'GET, HEAD')
      }
    }
    assert.deepEqual(await desk.thread(threadId), before)
    assert.equal((await desk.get('/api/v1/me')).json()['canSend'], false)
  })

  test(`${database}: [S] unread=1 restricts to unread threads`, async () => {
    const desk = await openDesk(await shared())
    const fresh = await desk.receive()
    const seen = await desk.receive({}, { seen: true })
    assert.deepEqual(
      (await desk.threads('?unread=1')).map(({ id, unread }) => [id, unread]),
      [[fresh.threadId, true]],
    )
    for (const none of ['', '?unread=0', '?unread=false'])
      assert.deepEqual(
        new Set((await desk.threads(none)).map(({ id }) => id)),
        new Set([fresh.threadId, seen.threadId]),
      )
  })

  test(`${database}: [S] with no filter the list is everything in the caller's view, whatever its status`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    for (const [index, status] of statuses.entries()) {
      const { threadId } = await desk.receive({}, { seen: index % 2 === 0 })
      await changeStatus(
        spool.spool,
        desk.actor,
        threadId,
        status,
        status === 'snoozed' ? Date.now() + 1e7 : null,
      )
    }
    const found = (await desk.threads()).map(({ status }) => status)
    assert.deepEqual(found.sort(), [...statuses].sort())
  })

  test(`${database}: [S] reading changes nothing: no GET marks anything as read, and no read is written to the event log`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive({
      attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'a' }],
    })
    const before = await desk.thread(threadId)
    const log = await desk.get('/api/v1/events')
    const [entry] = before.history
    assert.ok(entry?.type === 'message')
    const file = entry.attachments[0]!.id
    for (const path of [
      '/threads',
      '/threads?unread=1',
      '/threads?q=order',
      `/threads/${threadId}`,
      `/threads/${threadId}?historyOrder=desc`,
      `/threads/${threadId}/notes`,
      `/attachments/${file}`,
      '/events',
      '/me',
    ]) {
      assert.equal((await desk.get(`/api/v1${path}`)).status, 200, path)
      assert.equal((await desk.get(`/api/v1${path}`, { method: 'HEAD' })).status, 200, path)
    }
    assert.deepEqual(await desk.thread(threadId), before)
    assert.equal(before.unread, true)
    assert.deepEqual(
      (await desk.threads('?unread=1')).map(({ id }) => id),
      [threadId],
    )
    assert.equal((await desk.get('/api/v1/events')).text, log.text)
  })

  test(`${database}: [S] what is outside the view is 404, exactly as if it did not exist`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    await desk.receive()
    const hidden = await other.receive({
      attachments: [{ filename: 'secret.txt', type: 'text/plain', content: 'secret' }],
    })
    const joined = await other.receive()
    await joinThreads(spool.spool, other.actor, hidden.threadId, joined.threadId)
    const [entry] = (await other.thread(hidden.threadId)).history
    assert.ok(entry?.type === 'message')
    const file = entry.attachments[0]!.id
    const narrowed = await spool.makeToken(spool.ada, { inboxes: [desk.inbox] })
    const pairs = [
      [`/threads/${hidden.threadId}`, '/threads/thr_00000000000000000000'],
      [`/threads/${joined.threadId}`, '/threads/nothing-like-an-id'],
      [`/threads/${hidden.threadId}?historyCursor=abc`, '/threads/thr_0?historyCursor=abc'],
      [`/threads/${hidden.threadId}/notes`, '/threads/thr_00000000000000000000/notes'],
      [`/attachments/${file}`, '/attachments/att_00000000000000000000'],
      [`/threads?inbox=${other.inbox.id}`, '/threads?inbox=inb_00000000000000000000'],
      [`/threads?inbox=${other.inbox.address}`, '/threads?inbox=nobody@nowhere.example'],
      [`/threads?assignee=${other.user.id}`, '/threads?assignee=usr_00000000000000000000'],
    ] as const
    for (const token of [desk.token, narrowed]) {
      for (const [outside, nowhere] of pairs) {
        for (const method of ['GET', 'HEAD']) {
          const one = await spool.get(`/api/v1${outside}`, { token, method })
          const two = await spool.get(`/api/v1${nowhere}`, { token, method })
          assert.equal(one.status, outside.startsWith('/threads?') ? 200 : 404, outside)
          assert.deepEqual(bare(one), bare(two), `${method} ${outside}`)
        }
      }
    }
    for (const [path] of pairs)
      if (!path.includes('?')) assert.equal((await other.get(`/api/v1${path}`)).status, 200, path)
  })

  test(`${database}: [S] errors are always JSON {statusCode, message}`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const faults: [number, Promise<Answer>][] = [
      [400, desk.get('/api/v1/threads?colour=red')],
      [400, desk.get('/api/v1/threads?cursor=abc')],
      [401, spool.get('/api/v1/threads', { token: null })],
      [404, desk.get('/api/v1/threads/thr_0')],
      [404, desk.get('/api/v1/nothing')],
      [404, desk.get('/nothing')],
      [405, desk.get('/api/v1/threads', { method: 'DELETE' })],
    ]
    for (const [status, asked] of faults) {
      const answer = await asked
      const { statusCode, message } = answer.json<{ statusCode: number; message: string }>()
      assert.deepEqual([answer.status, statusCode], [status, status])
      assert.match(answer.headers.get('content-type')!, /^application\/json/)
      assert.match(message, /^[A-Za-z"].{10,}\.$/s, 'a sentence')
    }
  })

  test(`${database}: [S] 401 when the token is missing, malformed, unknown, expired or revoked`, async () => {
    await using spool = await startSpool(database)
    const user = await spool.makeUser('bo@shop.example')
    const expired = await spool.makeToken(user, { lifetime: 60_000 })
    const revoked = await spool.makeToken(user, { name: 'Revoked' })
    const unknown = await (async () => {
      await using elsewhere = await startSpool('sqlite')
      return elsewhere.token
    })()
    for (const token of [expired, revoked])
      assert.equal((await spool.get('/api/v1/me', { token })).status, 200)
    const { id } = (await listTokens(spool.spool, user.email)).find(({ name }) => name === 'Revoked')!
    await revokeToken(spool.spool, id)
    spool.spool.now = () => Date.now() + 60_000
    for (const token of [null, 'spool_pat_', 'x', unknown, expired, revoked, `${spool.token}x`]) {
      const answer = await spool.get('/api/v1/me', { token })
      assert.equal(answer.status, 401, String(token))
      assert.match(answer.headers.get('www-authenticate')!, /^Bearer/)
    }
    for (const name of ['token', 'access_token'])
      assert.equal((await spool.get(`/api/v1/me?${name}=${spool.token}`, { token: null })).status, 401, name)
    assert.equal((await spool.get('/api/v1/me')).status, 200)
  })

  test(`${database}: [S] 403 when the token's scope is insufficient`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    const needs = {
      '/threads': 'threads:read',
      [`/threads/${threadId}`]: 'threads:read',
      [`/threads/${threadId}/notes`]: 'notes:read',
      '/attachments/att_0': 'threads:read',
      '/events': 'events:read',
    } as const
    const every = ['threads:read', 'notes:read', 'events:read', 'drafts:propose'] as const
    for (const [path, scope] of Object.entries(needs)) {
      const token = await spool.makeToken(desk.user, { scopes: every.filter((other) => other !== scope) })
      const answer = await spool.get(`/api/v1${path}`, { token })
      assert.equal(answer.status, 403, path)
      const challenge = answer.headers.get('www-authenticate')!
      assert.match(challenge, /^Bearer .*error="insufficient_scope"/)
      const { message } = answer.json<{ message: string }>()
      assert.match(
        message,
        new RegExp(`lacks the scope ${scope}; .*: spool token create … --scope ${scope}\\.$`),
      )
      assert.ok(challenge.includes(`scope="${scope}"`), challenge)
      assert.equal((await spool.get('/api/v1/me', { token })).status, 200, 'any token knows who it is')
    }
  })

  test(`${database}: [S] 404 when it is not in the caller's view, or there is no such route`, async () => {
    const desk = await openDesk(await shared())
    for (const path of [
      '/threads/x',
      '/threads/x/notes',
      '/attachments/x',
      '/thread',
      '/threads/',
      '/people',
    ])
      assert.equal((await desk.get(`/api/v1${path}`)).status, 404, path)
  })

  test(`${database}: [S] 429 when the rate limit is exceeded, with Retry-After in seconds`, async () => {
    await using spool = await startSpool(database, { SPOOL_RATE_LIMIT: '3/60' })
    for (let count = 0; count < 3; count++) assert.equal((await spool.get('/api/v1/me')).status, 200)
    const answer = await spool.get('/api/v1/me')
    assert.equal(answer.status, 429)
    const seconds = Number(answer.headers.get('retry-after'))
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, String(seconds))
  })
}
