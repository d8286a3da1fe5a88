import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeUser, removeUser } from '../../src/core/people/people.ts'
import { runCommand } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { sendRaw } from '../support/raw-http.ts'
import { startSpool } from '../support/spool.ts'
import { askWeb, password, signInAs } from '../support/web-client.ts'

for (const database of databases) {
  test(`${database}: a person signs in with the password given on the command line, and out again`, async () => {
    await using spool = await startSpool(database)
    const { env } = spool.database
    const added = await runCommand(
      env,
      [
        'user',
        'add',
        'pia@shop.example',
        '--name',
        'Pia',
        '--inbox',
        'support@shop.example',
        '--password-stdin',
      ],
      `${password}\n`,
    )
    assert.equal(added.code, 0, added.stderr)
    const signIn = (email: string, secret: string) =>
      askWeb(spool.url, 'POST', '/session', { email, password: secret })
    for (const [email, secret] of [
      ['pia@shop.example', 'wrong password'],
      ['nobody@shop.example', password],
      ['ada@shop.example', password],
    ] as const) {
      const refused = await signIn(email, secret)
      assert.equal(refused.status, 401)
      assert.match(refused.text, /e-mail address or password is wrong/)
      assert.equal(refused.headers.get('set-cookie'), null)
    }
    const answer = await signIn(' PIA@shop.example', password)
    assert.equal(answer.status, 200)
    const [set] = answer.headers.getSetCookie() as [string]
    assert.match(set, /^spool_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    const cookie = set.split(';')[0]!
    const session = await askWeb(spool.url, 'GET', '/session', undefined, { cookie })
    const { user, inboxes, canSend } = session.json<{
      user: { email: string; role: string }
      inboxes: { address: string }[]
      canSend: boolean
    }>()
    assert.deepEqual([user.email, user.role, canSend], ['pia@shop.example', 'member', true])
    assert.deepEqual(
      inboxes.map(({ address }) => address),
      ['support@shop.example'],
    )
    assert.equal(session.headers.get('cache-control'), 'no-store')

    const out = await askWeb(spool.url, 'DELETE', '/session', undefined, { cookie })
    assert.equal(out.status, 200)
    assert.match(out.headers.get('set-cookie')!, /Max-Age=0/)
    assert.equal((await askWeb(spool.url, 'GET', '/session', undefined, { cookie })).status, 401)

    const changed = await runCommand(
      env,
      ['user', 'set', 'pia@shop.example', '--password-stdin'],
      'another one 123\n',
    )
    assert.equal(changed.code, 0, changed.stderr)
    assert.equal((await signIn('pia@shop.example', password)).status, 401)
    assert.equal((await signIn('pia@shop.example', 'another one 123')).status, 200)
  })

  test(`${database}: sessions end with the password, the person and the time`, async () => {
    await using spool = await startSpool(database)
    const max = await spool.makeUser('max@shop.example', 'member', [spool.inbox])
    const first = await signInAs(spool, max)
    assert.equal((await first.ask('GET', '/session')).status, 200)
    await changeUser(spool.spool, max.email, { password: 'yet another one' })
    assert.equal((await first.ask('GET', '/session')).status, 401)
    const second = await signInAs(spool, max)
    const now = Date.now()
    spool.spool.now = () => now + 13 * 86_400_000
    assert.equal((await second.ask('GET', '/session')).status, 200, 'being used keeps it')
    spool.spool.now = () => now + 26 * 86_400_000
    assert.equal((await second.ask('GET', '/session')).status, 200)
    spool.spool.now = () => now + 41 * 86_400_000
    assert.equal((await second.ask('GET', '/session')).status, 401, 'two weeks without')
    spool.spool.now = Date.now
    const third = await signInAs(spool, max)
    await removeUser(spool.spool, max.email)
    assert.equal((await third.ask('GET', '/session')).status, 401)
  })

  test(`${database}: no token opens the private routes, no cookie the API, no other page either`, async () => {
    await using spool = await startSpool(database)
    const page = await signInAs(spool, spool.ada)
    const { cookie } = page
    const bearer = { authorization: `Bearer ${spool.token}` }
    assert.equal((await askWeb(spool.url, 'GET', '/session', undefined, bearer)).status, 401)
    const asked = await spool.get('/api/v1/threads', { token: null, headers: { cookie } })
    assert.equal(asked.status, 401)
    const body = { kind: 'new', inboxId: spool.inbox.id }
    for (const origin of ['https://evil.example', 'null', `${spool.url}.evil.example`, 'http://127.0.0.1:1'])
      assert.equal((await askWeb(spool.url, 'POST', '/drafts', body, { cookie, origin })).status, 403, origin)
    const without = await fetch(`${spool.url}/app/api/drafts`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(without.status, 403, 'a request without Origin')
    const { port } = new URL(spool.url)
    const local = { cookie, origin: `http://localhost:${port}` }
    assert.equal((await askWeb(spool.url, 'POST', '/drafts', body, local)).status, 200)
    for (const answer of [
      await page.ask('POST', '/drafts', { ...body, surprise: 1 }),
      await page.ask('GET', '/drafts?surprise=1'),
    ])
      assert.equal(answer.status, 400, answer.text)
  })

  test(`${database}: the cookie is Secure wherever others could listen, and without https there is none`, async () => {
    const body = { email: 'ada@shop.example', password }
    for (const [url, status] of [
      ['https://inbox.example.com', 200],
      ['http://inbox.example.com', 403],
    ] as const) {
      await using spool = await startSpool(database, { SPOOL_URL: url })
      await changeUser(spool.spool, spool.ada.email, { password })
      const answer = await askWeb(spool.url, 'POST', '/session', body, { origin: url })
      assert.equal(answer.status, status)
      const cookie = answer.headers.get('set-cookie')
      if (status === 200) assert.match(cookie!, /^__Host-spool_session=[\w-]{43}; Path=\/; .*; Secure$/)
      else {
        assert.equal(cookie, null)
        assert.match(answer.json<{ message: string }>().message, /plain http .* put an https proxy in front/)
      }
    }
    // A server that was told of no address, asked from another machine by the one it has there.
    await using spool = await startSpool(database)
    await changeUser(spool.spool, spool.ada.email, { password })
    const { port } = new URL(spool.url)
    const [host, origin] = [`192.0.2.1:${port}`, `http://192.0.2.1:${port}`]
    const text = JSON.stringify(body)
    const head = `POST /app/api/session HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\n`
    const exchange = await sendRaw(spool.url, `${head}Content-Length: ${text.length}\r\n\r\n${text}`, {
      answers: 1,
    })
    const [answer] = exchange.answers
    assert.equal(answer!.status, 403)
    assert.match(answer!.body, /plain http/)
    // Behind a proxy, by another name than it was told: both are named.
    const other = head.replaceAll(host, 'other.example').replace('http://', 'https://')
    const second = await sendRaw(spool.url, `${other}Content-Length: ${text.length}\r\n\r\n${text}`, {
      answers: 1,
    })
    assert.match(
      second.answers[0]!.body,
      /opened at https:\/\/other\.example, but SPOOL_URL is http:\/\/127\.0\.0\.1:\d+\. /,
    )
  })
}
