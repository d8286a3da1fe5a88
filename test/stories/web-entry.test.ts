import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offerSetup } from '../../src/core/people/invitations.ts'
import { changeUser, removeUser } from '../../src/core/people/people.ts'
import type { SessionView } from '../../src/model/session.ts'
import type { OpenInvitation } from '../../src/model/settings.ts'
import { databases, freshDatabase, type DatabaseKind } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { Serving } from '../support/serving.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { askWeb, password, signInAs, type WebAnswer } from '../support/web-client.ts'

const tokenOf = (url: string): string => url.split('#')[1]!

/** The name under which the browser keeps the session, where one was begun. */
const cookieOf = ({ headers }: WebAnswer): string | null => headers.get('set-cookie')?.split(';')[0] ?? null

interface Me {
  user: { email: string; name: string; role: string }
  inboxes: { address: string }[]
}

const me = async (spool: TestSpool, cookie: string): Promise<Me> =>
  (await askWeb(spool.url, 'GET', '/session', undefined, { cookie })).json<Me>()

async function withoutAdmin(database: DatabaseKind): Promise<TestSpool> {
  const spool = await startSpool(database)
  // The last one cannot be removed by any command.
  await spool.spool.db.transaction(async (db) => {
    await db.run(db.build.updateTable('users').set({ role: 'member' }).where('id', '=', spool.ada.id))
  })
  return spool
}

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: the first admin is made by a link, once and within the hour`, async () => {
    await using spool = await withoutAdmin(database)
    const person = { email: 'First@shop.example', name: 'First', password }
    const first = (await offerSetup(spool.spool))!
    const second = (await offerSetup(spool.spool))!
    assert.match(first.url, new RegExp(`^${spool.url}/setup#[\\w-]{43}$`))
    const stored = await spool.spool.db.all(spool.spool.db.build.selectFrom('links').selectAll())
    assert.ok(!JSON.stringify(stored).includes(tokenOf(first.url)), 'the store has only its hash')
    const setUp = (url: string, change: object = {}): Promise<WebAnswer> =>
      askWeb(spool.url, 'POST', '/setup', { token: tokenOf(url), ...person, ...change })

    for (const [change, status] of [
      [{ token: 'x'.repeat(43) }, 404],
      [{ password: 'short' }, 400],
      [{ email: 'nonsense' }, 400],
      [{ name: ' ' }, 400],
      [{ role: 'admin' }, 400],
    ] as const)
      assert.equal((await setUp(first.url, change)).status, status, JSON.stringify(change))
    const now = Date.now()
    spool.spool.now = () => now + 3_600_001
    assert.equal((await setUp(first.url)).status, 404, 'after an hour')
    spool.spool.now = Date.now

    const done = await setUp(first.url)
    assert.equal(done.status, 200, done.text)
    const { user, inboxes } = await me(spool, cookieOf(done)!)
    assert.deepEqual([user.email, user.role, inboxes.length], ['first@shop.example', 'admin', 1])
    for (const { url } of [first, second]) {
      const late = await setUp(url, { email: 'second@shop.example' })
      assert.equal(late.status, 404, 'no link is left')
      assert.match(late.text, /is already set up\. Sign in, or ask an admin/)
    }
    assert.equal(await offerSetup(spool.spool), null, 'there is an admin')
  })

  test(`${database}: of two who use the link at once, one becomes the admin`, async () => {
    await using spool = await withoutAdmin(database)
    const token = tokenOf((await offerSetup(spool.spool))!.url)
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        askWeb(spool.url, 'POST', '/setup', { token, email: `${name}@shop.example`, name, password }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404])
  })

  test(`${database}: the server prints the link while there is no admin`, async () => {
    await using fresh = await freshDatabase(database)
    await using server = await Serving.start(fresh.env)
    const [url] = await server.says(/http:\S+\/setup#[\w-]{43}/)
    const answer = await askWeb(server.url, 'POST', '/setup', {
      token: tokenOf(url),
      email: 'ada@shop.example',
      name: 'Ada',
      password,
    })
    assert.equal(answer.status, 200, answer.text)
  })

  test(`${database}: an admin invites, and who has the link joins with a password of their own`, async () => {
    const spool = await shared()
    const admin = await signInAs(spool, spool.ada)
    const wanted = { email: 'Nora@shop.example', name: 'Nora', role: 'member', inboxes: [spool.inbox.id] }
    const replaced = await admin.do<{ url: string }>('POST', '/invitations', wanted)
    const { url } = await admin.do<{ url: string }>('POST', '/invitations', wanted)
    assert.match(url, new RegExp(`^${spool.url}/invitations#[\\w-]{43}$`))
    const look = (link: string) => askWeb(spool.url, 'POST', '/invitations/look', { token: tokenOf(link) })
    const accept = (own: object) =>
      askWeb(spool.url, 'POST', '/invitations/accept', { token: tokenOf(url), ...own })
    assert.equal((await look(replaced.url)).status, 404, 'the newer one counts')
    const shown = await look(url)
    assert.deepEqual(shown.json(), { email: 'nora@shop.example', name: 'Nora', role: 'member' })
    assert.equal((await accept({ password: 'short' })).status, 400)
    const joined = await accept({ name: 'Nora Berg', password })
    assert.equal(joined.status, 200, joined.text)
    const { user, inboxes } = await me(spool, cookieOf(joined)!)
    assert.deepEqual(
      [user.name, user.role, inboxes.map(({ address }) => address)],
      ['Nora Berg', 'member', [spool.inbox.address]],
    )
    assert.equal((await accept({ password })).status, 404, 'once')
    assert.equal((await admin.ask('POST', '/invitations', wanted)).status, 409, 'is here already')
    await removeUser(spool.spool, 'nora@shop.example')
    for (const bad of [{ email: 'x' }, { name: '' }, { role: 'owner' }, { inboxes: ['inb_nothing'] }])
      assert.ok(
        (await admin.ask('POST', '/invitations', { ...wanted, ...bad })).status >= 400,
        JSON.stringify(bad),
      )
  })

  test(`${database}: an invitation is good for a week, and only admins make one`, async () => {
    const spool = await shared()
    const admin = await signInAs(spool, spool.ada)
    const wanted = { email: 'late@shop.example', name: 'Late' }
    const { url } = await admin.do<{ url: string }>('POST', '/invitations', wanted)
    const now = Date.now()
    spool.spool.now = () => now + 7 * 86_400_000 + 1
    assert.equal((await askWeb(spool.url, 'POST', '/invitations/look', { token: tokenOf(url) })).status, 404)
    spool.spool.now = Date.now
    const boss = await spool.makeUser('boss@shop.example', 'admin')
    const his = await (
      await signInAs(spool, boss)
    ).do<{ url: string }>('POST', '/invitations', {
      email: 'later@shop.example',
      name: 'Later',
    })
    await changeUser(spool.spool, boss.email, { role: 'member' })
    const token = tokenOf(his.url)
    const asked = await askWeb(spool.url, 'POST', '/invitations/look', { token })
    assert.equal(asked.status, 404, 'who made it is no admin any more')
    assert.equal((await askWeb(spool.url, 'POST', '/invitations/accept', { token, password })).status, 404)
    const { invitations } = await admin.do<{ invitations: OpenInvitation[] }>('GET', '/settings/people')
    assert.ok(invitations.some(({ email }) => email === wanted.email))
    assert.ok(!invitations.some(({ email }) => email === 'later@shop.example'), 'it is not shown as open')
    for (const role of ['member', 'viewer'] as const) {
      const page = await signInAs(spool, (await openDesk(spool, role)).user)
      assert.equal((await page.ask('POST', '/invitations', wanted)).status, 403, role)
    }
  })

  test(`${database}: a person sees their sessions, ends one, and all of them`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const other = await signInAs(spool, (await openDesk(spool)).user)
    const page = await signInAs(spool, desk.user)
    const signIn = async (device: string): Promise<string> =>
      cookieOf(
        await askWeb(
          spool.url,
          'POST',
          '/session',
          { email: desk.user.email, password },
          { 'user-agent': device },
        ),
      )!
    const phone = await signIn('A phone\u00e9')
    const tablet = await signIn('A tablet')
    const list = (): Promise<{ data: SessionView[] }> => page.do('GET', '/sessions')
    const { data } = await list()
    assert.equal(data.length, 3)
    assert.deepEqual(
      data.filter(({ current }) => current).map(({ device }) => device),
      ['node'],
    )
    const onPhone = data.find(({ device }) => device === 'A phone')!
    assert.equal((await other.ask('DELETE', `/sessions/${onPhone.id}`)).status, 404, 'nobody else ends it')
    await page.do('DELETE', `/sessions/${onPhone.id}`)
    const alive = async (cookie: string): Promise<number> =>
      (await askWeb(spool.url, 'GET', '/session', undefined, { cookie })).status
    assert.deepEqual([await alive(phone), await alive(tablet), (await list()).data.length], [401, 200, 2])
    const out = await page.ask('POST', '/sign-out-everywhere', {})
    assert.match(out.headers.get('set-cookie')!, /Max-Age=0/)
    assert.deepEqual([await alive(page.cookie), await alive(tablet)], [401, 401])
    assert.equal((await other.ask('GET', '/session')).status, 200)
  })

  test(`${database}: a new password ends every other session; guessing the old one is slowed down`, async () => {
    await using spool = await startSpool(database)
    const max = await spool.makeUser('max@shop.example', 'viewer', [spool.inbox])
    const page = await signInAs(spool, max)
    const elsewhere = cookieOf(await askWeb(spool.url, 'POST', '/session', { email: max.email, password }))!
    const change = (current: string, wanted: string): Promise<WebAnswer> =>
      page.ask('POST', '/password', { current, new: wanted, keep: { tokens: [], webhooks: [] } })
    assert.equal((await change('not my password', 'quite another one')).status, 403)
    assert.equal((await change(password, 'short')).status, 400)
    assert.equal((await change(password, 'quite another one')).status, 200)
    assert.equal((await page.ask('GET', '/session')).status, 200, 'here one stays')
    assert.equal((await askWeb(spool.url, 'GET', '/session', undefined, { cookie: elsewhere })).status, 401)
    const fresh = { email: max.email, password: 'quite another one' }
    assert.equal((await askWeb(spool.url, 'POST', '/session', fresh)).status, 200)
    let status = 0
    for (let guess = 0; guess < 21 && status !== 429; guess++)
      ({ status } = await change(`guess number ${guess}`, 'yet another one'))
    assert.equal(status, 429)
  })
}
