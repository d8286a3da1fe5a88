import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { replayEvents } from '../../src/core/webhooks/deliveries.ts'
import { changeUser, removeUser } from '../../src/core/people/people.ts'
import { resumeSession, signOutEverywhere } from '../../src/core/access/sessions.ts'
import { revokeToken } from '../../src/core/tokens/tokens.ts'
import { rotateSecret } from '../../src/core/webhooks/webhooks.ts'
import { system, type User } from '../../src/model/access.ts'
import { transaction } from '../../src/store/database.ts'
import type { Database } from '../../src/store/db.ts'
import { textQuery, type Query } from '../../src/store/statement.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { openSocket } from '../support/raw-http.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { askWeb, openWeb, password, signInAs, type WebClient } from '../support/web-client.ts'

/** The status of the answer to a request whose body ends only after something else has happened. */
async function askSlowly(
  spool: TestSpool,
  { cookie }: WebClient,
  [method, path, body]: readonly [string, string, string],
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const socket = await openSocket(spool.url)
  let answer = ''
  socket.on('data', (bytes: Buffer) => (answer += bytes.toString('latin1')))
  const closed = new Promise((resolve) => socket.once('end', resolve))
  const head = [
    `${method} /app/api${path} HTTP/1.1`,
    `Host: ${new URL(spool.url).host}`,
    `Origin: ${spool.url}`,
    `Cookie: ${cookie}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  // Time for the session to be looked at, which is done before the body is there.
  await sleep(200)
  await meanwhile()
  socket.write(body)
  await closed
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])
}

/** With events that concern nobody's webhook. */
async function fillLog(spool: TestSpool, count: number, timestamp: number): Promise<void> {
  await transaction(spool.spool.db, async (db) => {
    const numbers =
      db.dialect === 'sqlite'
        ? `WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${count})`
        : `WITH many AS (SELECT generate_series(1, ${count}) AS n)`
    await db.run(
      textQuery(
        `${numbers} INSERT INTO events (seq, id, type, inbox, timestamp, quiet, data)
         SELECT last_seq + n, 'evt_' || n, 'thread.created', 0, ?, 0, '{}' FROM many CROSS JOIN log`,
        [timestamp],
      ),
    )
    await db.run(textQuery('UPDATE log SET last_seq = last_seq + ?', [count]))
  })
}

let admins = 0

for (const database of databases) {
  const shared = shareSpool(database, { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' })
  const makeAdmin = (spool: TestSpool): Promise<User> =>
    spool.makeUser(`admin${++admins}@shop.example`, 'admin')

  test(`${database}: only an admin makes tokens that never expire`, async () => {
    const spool = await shared()
    const member = await signInAs(spool, (await openDesk(spool)).user)
    const viewer = await signInAs(spool, (await openDesk(spool, 'viewer')).user)
    const admin = await signInAs(spool, await makeAdmin(spool))
    const wanted = { name: 'For ever', scopes: ['threads:read'], expires: 'never' }
    for (const path of ['/tokens', '/agents']) {
      for (const page of [member, viewer]) {
        const refused = await page.ask('POST', path, wanted)
        assert.equal(refused.status, 403, path)
        assert.match(refused.text, /Only an admin can make tokens that never expire; choose up to 365 days/)
        await page.do('POST', path, { ...wanted, expires: '365d' })
      }
      assert.equal((await admin.do<{ expiresAt: null }>('POST', path, wanted)).expiresAt, null)
    }
  })

  test(`${database}: who is no admin any more when the body has come is refused, and who is gone too`, async () => {
    const spool = await shared()
    const owner = await signInAs(spool, (await openDesk(spool)).user)
    const webhook = await owner.do<{ id: string }>('POST', '/webhooks', { url: 'http://127.0.0.1:9/' })
    const token = await owner.do<{ id: string }>('POST', '/tokens', {
      name: 'Report',
      scopes: ['threads:read'],
      expires: '7d',
    })
    const server = { host: '127.0.0.1', port: 9, security: 'none', username: null }
    for (const asked of [
      ['POST', `/webhooks/${webhook.id}/rotate`, '{}'],
      ['DELETE', `/tokens/${token.id}`, '{}'],
      ['POST', '/settings/try', JSON.stringify({ kind: 'smtp', server })],
    ] as const) {
      const user = await makeAdmin(spool)
      const demote = (): Promise<unknown> => changeUser(spool.spool, user.email, { role: 'viewer' })
      const demoted = await askSlowly(spool, await signInAs(spool, user), asked, demote)
      assert.ok([403, 404].includes(demoted), `${asked[1]} of a viewer: ${demoted}`)
      const another = await makeAdmin(spool)
      const page = await signInAs(spool, another)
      const removed = await askSlowly(spool, page, asked, () => removeUser(spool.spool, another.email))
      assert.equal(removed, 401, asked[1])
    }
  })

  test(`${database}: people, and tokens and webhooks of others, are an admin's at the moment of the change`, async () => {
    const spool = await shared()
    const owner = await signInAs(spool, (await openDesk(spool)).user)
    const webhook = await owner.do<{ id: string }>('POST', '/webhooks', { url: 'http://127.0.0.1:9/' })
    const token = await owner.do<{ id: string }>('POST', '/tokens', {
      name: 'Report',
      scopes: ['threads:read'],
      expires: '7d',
    })
    const user = await makeAdmin(spool)
    const { cookie } = await signInAs(spool, user)
    const before = (await resumeSession(spool.spool, cookie.split('=')[1]!))!
    await changeUser(spool.spool, user.email, { role: 'member' })
    await assert.rejects(rotateSecret(spool.spool, before, webhook.id), { code: 'not_found' })
    await assert.rejects(revokeToken(spool.spool, token.id, before), { code: 'not_found' })
    const promote = { role: 'admin' } as const
    await assert.rejects(changeUser(spool.spool, user.email, promote, before), { code: 'forbidden' })
    await assert.rejects(removeUser(spool.spool, spool.ada.email, before), { code: 'forbidden' })
    await changeUser(spool.spool, user.email, { role: 'admin' })
    await rotateSecret(spool.spool, before, webhook.id)
    await signOutEverywhere(spool.spool, before)
    await assert.rejects(rotateSecret(spool.spool, before, webhook.id), { code: 'unauthorized' })
  })

  test(`${database}: a link for a new password ends when there is a new password`, async () => {
    const spool = await shared()
    const admin = await signInAs(spool, await makeAdmin(spool))
    const { user } = await openDesk(spool)
    const page = await signInAs(spool, user)
    const another = 'another fine password'
    for (const change of [
      () =>
        page.do('POST', '/password', { current: password, new: another, keep: { tokens: [], webhooks: [] } }),
      () => changeUser(spool.spool, user.email, { password: another }),
    ]) {
      const { url } = await admin.do<{ url: string }>('POST', `/settings/people/${user.id}/reset`, {})
      await change()
      const late = { token: url.split('#')[1], password: 'of somebody else entirely' }
      assert.equal((await askWeb(spool.url, 'POST', '/resets/accept', late)).status, 404)
      await openWeb(spool.url, user.email, another)
    }
  })

  test(`${database}: an invitation that was not needed lets nobody in after their removal`, async () => {
    const spool = await shared()
    const admin = await signInAs(spool, await makeAdmin(spool))
    const email = `Otherwise${admins}@shop.example`
    const { url } = await admin.do<{ url: string }>('POST', '/invitations', {
      email,
      name: 'O',
      role: 'admin',
    })
    const user = await spool.makeUser(email, 'member')
    await admin.do('DELETE', `/settings/people/${user.id}`)
    const late = { token: url.split('#')[1], password }
    assert.equal((await askWeb(spool.url, 'POST', '/invitations/accept', late)).status, 404)
  })

  test(`${database}: an inbox that is named twice is given once`, async () => {
    const spool = await shared()
    const admin = await signInAs(spool, await makeAdmin(spool))
    const { inbox, user } = await openDesk(spool)
    const inboxes = [inbox.id, inbox.address, inbox.id]
    const at = `/settings/people/${user.id}`
    assert.deepEqual((await admin.do<{ inboxes: string[] }>('PATCH', at, { inboxes })).inboxes, [inbox.id])
    const email = `twice${admins}@shop.example`
    const { url } = await admin.do<{ url: string }>('POST', '/invitations', { email, name: 'T', inboxes })
    const own = { token: url.split('#')[1], password }
    const joined = await askWeb(spool.url, 'POST', '/invitations/accept', own)
    assert.equal(joined.status, 200)
    assert.deepEqual(
      joined.json<{ inboxes: { id: string }[] }>().inboxes.map(({ id }) => id),
      [inbox.id],
    )
  })

  test(`${database}: others write while a replay looks back through a long log`, async () => {
    await using spool = await startSpool(database, { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' })
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const { id } = await page.do<{ id: string }>('POST', '/webhooks', {
      url: 'http://127.0.0.1:9/',
      kinds: ['message.failed'],
    })
    await page.do('POST', `/webhooks/${id}/disable`, {})
    const before = Date.now()
    await fillLog(spool, process.env['SPOOL_TEST_LONG'] === '1' ? 250_000 : 10_000, before)
    await until('the clock goes on', async () => Date.now() > before + 1)
    const after = Date.now()
    await desk.receive()
    await page.do('POST', `/webhooks/${id}/enable`, {})
    // Somebody writes at every page of the log that is read; a writer's lock held meanwhile would keep them out.
    let written = 0
    const db = new Proxy(spool.spool.db, {
      get(database, key: keyof Database) {
        const value = database[key]
        if (key !== 'all') return typeof value === 'function' ? value.bind(database) : value
        return async (query: Query<unknown>): Promise<unknown[]> => {
          await page.do('PATCH', '/profile', { name: `Name ${written}` })
          written++
          return database.all(query)
        }
      },
    })
    await replayEvents({ ...spool.spool, db }, system, id, { time: after }, null)
    assert.ok(written > 3, `${written} changes were made meanwhile`)
  })

  test(`${database}: a person waits for an agent's first call on ten pages, not on a hundred`, async () => {
    const spool = await shared()
    const { user } = await openDesk(spool)
    const page = await signInAs(spool, user)
    const wanted = { name: 'A', expires: '7d' }
    const { tokenId, token } = await page.do<{ tokenId: string; token: string }>('POST', '/agents', wanted)
    const ended: number[] = []
    const wait = async (): Promise<number> => {
      const { status } = await page.ask('GET', `/agents/${tokenId}/first-call?wait=25`)
      ended.push(status)
      return status
    }
    const waiting = Array.from({ length: 14 }, wait)
    await until('four are refused', async () => ended.length === 4)
    // With the call the others need not wait any longer.
    assert.equal((await spool.get('/api/v1/threads', { token })).status, 200)
    const statuses = await Promise.all(waiting)
    assert.deepEqual(statuses.sort(), [...Array(10).fill(200), ...Array(4).fill(429)])
    assert.equal(await wait(), 200, 'again once others have ended')
  })
}
