import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Guide, InboxSettings, OpenInvitation, Teammate, TokenView } from '../../src/model/settings.ts'
import { addUser } from '../../src/core/people/people.ts'
import { listAllUsers, listUsers } from '../../src/store/people/users.ts'
import { databases, freshDatabase, runOn } from '../support/databases.ts'
import { openStore } from '../support/desk-opener.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { askWeb, openWeb, password, signInAs, type WebClient } from '../support/web-client.ts'

interface Team {
  data: Teammate[]
  invitations: OpenInvitation[]
}
type Made = TokenView & { token: string }

const day = 86_400_000

async function tokensOf(page: WebClient, query = ''): Promise<TokenView[]> {
  return (await page.do<{ data: TokenView[] }>('GET', `/tokens${query}`)).data
}

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: people are in the order of their addresses, whatever the language of the database`, async () => {
    await using fresh = await freshDatabase(database, { migrated: true })
    const url = fresh.env['SPOOL_DATABASE_URL']
    if (url) await runOn(url, 'ALTER TABLE users ALTER COLUMN email TYPE TEXT COLLATE "en-x-icu"')
    await using store = await openStore(fresh)
    for (const email of ['bob_a@shop.example', 'bob.z@shop.example'])
      await addUser(store.spool, { email, name: email, role: 'admin', inboxes: [], password: null })
    const inOrder = ['ada@shop.example', 'bob.z@shop.example', 'bob_a@shop.example']
    for (const list of [listUsers, listAllUsers])
      assert.deepEqual(
        (await list(store.spool.db)).map(({ email }) => email),
        inOrder,
      )
  })

  test(`${database}: the people of an inbox are in the order they joined, whoever changed last`, async () => {
    await using spool = await startSpool(database)
    const page = await signInAs(spool, spool.ada)
    const tom = await spool.makeUser('tom@shop.example', 'member', [spool.inbox])
    const ben = await spool.makeUser('ben@shop.example', 'member', [spool.inbox])
    await page.do('PATCH', '/profile', { name: 'Ada L.' })
    const { data } = await page.do<{ data: InboxSettings[] }>('GET', '/settings/inboxes')
    assert.deepEqual(data[0]!.people, [spool.ada.id, tom.id, ben.id])
  })

  test(`${database}: a token is shown once, warns before it ends, and ends at once when it is revoked`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const wanted = { name: 'Report', scopes: ['threads:read'], inboxes: [desk.inbox.id], expires: '30d' }
    const made = await page.do<Made>('POST', '/tokens', wanted)
    assert.match(made.token, /^spool_pat_/)
    assert.deepEqual(made.inboxes, [desk.inbox.id])
    const read = (): Promise<number> =>
      spool.get('/api/v1/threads', { token: made.token }).then(({ status }) => status)
    assert.equal(await read(), 200)

    const listed = (await tokensOf(page)).find(({ id }) => id === made.id)!
    assert.ok(!JSON.stringify(await tokensOf(page)).includes(made.token), 'shown that once')
    assert.deepEqual(
      [listed.name, listed.scopes, listed.inboxes],
      ['Report', ['threads:read'], [desk.inbox.id]],
    )
    assert.deepEqual(listed.user, { id: desk.user.id, name: desk.user.name })
    const ends = Date.parse(listed.expiresAt!) - Date.parse(listed.createdAt)
    assert.equal(ends, 30 * day)
    assert.deepEqual([listed.expiresSoon, listed.expired], [false, false])
    const used = await until('its use is written down', async () =>
      (await tokensOf(page)).find(({ id, lastUsedAt }) => id === made.id && lastUsedAt !== null),
    )
    assert.ok(Date.parse(used.lastUsedAt!) > Date.now() - 60_000)
    const week = await page.do<Made>('POST', '/tokens', { ...wanted, inboxes: null, expires: '7d' })
    assert.equal((await tokensOf(page)).find(({ id }) => id === week.id)!.expiresSoon, true)
    const admin = await signInAs(spool, spool.ada)
    const lasting = await admin.do<Made>('POST', '/tokens', { ...wanted, inboxes: null, expires: 'never' })
    assert.deepEqual([lasting.expiresAt, lasting.inboxes], [null, null])

    await page.do('DELETE', `/tokens/${made.id}`)
    assert.equal(await read(), 401, 'the very next call is refused')
    assert.ok(!(await tokensOf(page)).some(({ id }) => id === made.id))
    assert.equal((await page.ask('DELETE', `/tokens/${made.id}`)).status, 404)
  })

  test(`${database}: everybody has their own tokens; an admin sees and revokes all`, async () => {
    const spool = await shared()
    const [one, other] = [await openDesk(spool), await openDesk(spool)]
    const [mine, theirs] = [await signInAs(spool, one.user), await signInAs(spool, other.user)]
    const wanted = { name: 'x', scopes: ['threads:read'], expires: '7d' }
    const made = await mine.do<Made>('POST', '/tokens', wanted)
    for (const query of ['', '?all=1'])
      assert.ok(!(await tokensOf(theirs, query)).some(({ id }) => id === made.id), 'all is for admins')
    assert.equal((await theirs.ask('DELETE', `/tokens/${made.id}`)).status, 404)
    const foreign = await theirs.ask('POST', '/tokens', { ...wanted, inboxes: [one.inbox.id] })
    assert.equal(foreign.status, 404, 'no token sees more than its owner')
    const viewer = await signInAs(spool, await spool.makeUser(`v-${one.user.email}`, 'viewer'))
    const proposing = await viewer.ask('POST', '/tokens', { ...wanted, scopes: ['drafts:propose'] })
    assert.equal(proposing.status, 403)

    const admin = await signInAs(spool, spool.ada)
    assert.ok(!(await tokensOf(admin)).some(({ id }) => id === made.id))
    assert.ok((await tokensOf(admin, '?all=1')).some(({ id }) => id === made.id))
    await admin.do('DELETE', `/tokens/${made.id}`)
    assert.equal((await spool.get('/api/v1/me', { token: made.token })).status, 401)
  })

  test(`${database}: an admin changes what people are and see, and the last admin stays one`, async () => {
    await using spool = await startSpool(database)
    const admin = await signInAs(spool, spool.ada)
    const other = await spool.makeInbox('other@shop.example')
    const user = await spool.makeUser('bo@shop.example', 'member', [spool.inbox])
    const bo = await signInAs(spool, user)
    const team = (): Promise<Team> => admin.do<Team>('GET', '/settings/people')
    const listed = async (id: string): Promise<Teammate> =>
      (await team()).data.find((each) => each.id === id)!

    const before = await listed(user.id)
    assert.deepEqual(before.inboxes, [spool.inbox.id])
    assert.equal((await listed(spool.ada.id)).inboxes, null, 'an admin sees all')
    assert.ok(Date.parse(before.lastSeenAt!) > Date.now() - 60_000)
    const changed = await admin.do<Teammate>('PATCH', `/settings/people/${user.id}`, {
      name: 'Bo Nilsson',
      inboxes: [other.id],
    })
    assert.deepEqual([changed.name, changed.inboxes], ['Bo Nilsson', [other.id]])
    const session = await bo.do<{ inboxes: { id: string }[] }>('GET', '/session')
    assert.deepEqual(
      session.inboxes.map(({ id }) => id),
      [other.id],
      'at once',
    )

    for (const [method, body] of [
      ['PATCH', { role: 'member' }],
      ['DELETE', undefined],
    ] as const) {
      const refused = await admin.ask(method, `/settings/people/${spool.ada.id}`, body)
      assert.equal(refused.status, 409, method)
      assert.match(refused.text, /is the last admin. Make someone else an admin first/)
    }
    await admin.do('PATCH', `/settings/people/${user.id}`, { role: 'admin' })
    await admin.do('PATCH', `/settings/people/${spool.ada.id}`, { role: 'member' })
    assert.equal((await admin.ask('GET', '/settings/people')).status, 403, 'at once')
    await bo.do('DELETE', `/settings/people/${spool.ada.id}`)
    assert.equal((await admin.ask('GET', '/session')).status, 401, 'who was removed is signed out')
    const { data } = await bo.do<Team>('GET', '/settings/people')
    assert.equal(data.find(({ id }) => id === spool.ada.id)!.active, false)
    assert.equal((await spool.get('/api/v1/me')).status, 401, 'and so are their tokens')
  })

  test(`${database}: an invitation can be seen and taken back`, async () => {
    const spool = await shared()
    const admin = await signInAs(spool, spool.ada)
    const guest = { email: `guest-${database}@shop.example`, name: 'Guest', inboxes: [spool.inbox.id] }
    const { url } = await admin.do<{ url: string }>('POST', '/invitations', guest)
    const secret = url.split('#')[1]!
    const { invitations } = await admin.do<Team>('GET', '/settings/people')
    const open = invitations.find(({ email }) => email === guest.email)!
    assert.deepEqual([open.name, open.role, open.inboxes], ['Guest', 'member', [spool.inbox.id]])
    assert.ok(!JSON.stringify(invitations).includes(secret))
    assert.equal((await askWeb(spool.url, 'POST', '/invitations/look', { token: secret })).status, 200)
    await admin.do('DELETE', `/settings/invitations/${open.id}`)
    assert.equal((await askWeb(spool.url, 'POST', '/invitations/look', { token: secret })).status, 404)
    assert.equal((await admin.ask('DELETE', `/settings/invitations/${open.id}`)).status, 404)
  })

  test(`${database}: a forgotten password is set anew by a link that works once`, async () => {
    const spool = await shared()
    const { user } = await openDesk(spool)
    const lost = await signInAs(spool, user)
    const admin = await signInAs(spool, spool.ada)
    const offer = async (): Promise<string> =>
      (await admin.do<{ url: string }>('POST', `/settings/people/${user.id}/reset`, {})).url
    const replaced = (await offer()).split('#')[1]!
    const url = await offer()
    assert.ok(url.startsWith(`${spool.url}/reset#`), 'behind the #, so that no proxy writes it down')
    const secret = url.split('#')[1]!
    const look = (token: string) => askWeb(spool.url, 'POST', '/resets/look', { token })
    const choose = (token: string, password: string) =>
      askWeb(spool.url, 'POST', '/resets/accept', { token, password })
    assert.equal((await look(replaced)).status, 404, 'a newer one replaces it')
    const whose = (await look(secret)).json<{ email: string; name: string }>()
    assert.deepEqual(whose, { email: user.email, name: user.name })
    assert.equal((await choose(secret, 'short')).status, 400)
    const done = await choose(secret, 'another horse battery')
    assert.equal(done.status, 200)
    assert.match(done.headers.get('set-cookie')!, /^spool_session_\d+=/, 'signed in')
    assert.equal((await lost.ask('GET', '/session')).status, 401, 'and signed out everywhere else')
    assert.equal((await choose(secret, 'another horse battery')).status, 404)
    await assert.rejects(openWeb(spool.url, user.email, password), /could not sign in/)
    await openWeb(spool.url, user.email, 'another horse battery')

    const last = (await offer()).split('#')[1]!
    await admin.do('DELETE', `/settings/people/${user.id}`)
    assert.equal((await look(last)).status, 404, 'not of somebody who is gone')
  })

  test(`${database}: one changes one's own name, and no more of oneself`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const { user } = await page.do<{ user: { name: string; role: string } }>('PATCH', '/profile', {
      name: '  Kim Berg ',
    })
    assert.deepEqual([user.name, user.role], ['Kim Berg', 'member'])
    assert.equal((await page.ask('PATCH', '/profile', { name: 'Kim', role: 'admin' })).status, 400)
    assert.equal((await page.ask('PATCH', '/profile', { name: ' ' })).status, 400)
  })

  test(`${database}: the guide follows the facts, and each step can be skipped and found again`, async () => {
    await using spool = await startSpool(database)
    const admin = await signInAs(spool, spool.ada)
    const steps = async (): Promise<string> =>
      Object.values((await admin.do<Guide>('GET', '/guide')).steps).join(' ')
    const shown = async (): Promise<boolean | undefined> =>
      (await admin.do<{ guide?: boolean }>('GET', '/session')).guide
    assert.deepEqual([await steps(), await shown()], ['open open open', true])
    const skipped = await admin.do<Guide>('PUT', '/guide', { step: 'agent', state: 'skipped' })
    assert.deepEqual([skipped.steps.agent, skipped.finished], ['skipped', false])
    const newcomer = { email: 'new@shop.example', name: 'New' }
    for (const replaced of [false, true])
      assert.equal(
        (await admin.do<{ replaced: boolean }>('POST', '/invitations', newcomer)).replaced,
        replaced,
        'a second link ends the first, and says so',
      )
    const smtp = { host: '127.0.0.1', port: 2525, security: 'none', username: null }
    await admin.do('PATCH', `/settings/inboxes/${spool.inbox.id}`, { smtp })
    assert.match(await steps(), /^done/)
    await admin.do('PATCH', `/settings/inboxes/${spool.inbox.id}`, { smtp: null })
    assert.match(await steps(), /^open/)
    await openDesk(spool).then((desk) => desk.receive())
    assert.match(await steps(), /^done/, 'mail that is forwarded needs no server')
    assert.deepEqual([await steps(), await shown()], ['done done skipped', false])
    await admin.do('PUT', '/guide', { step: 'agent', state: 'open' })
    assert.equal(await shown(), true)
    assert.equal((await spool.get('/api/v1/me')).status, 200)
    await until('the token was used', async () => (await steps()) === 'done done done')
    const member = await signInAs(spool, await spool.makeUser('kim@shop.example'))
    assert.equal((await member.do<{ guide?: boolean }>('GET', '/session')).guide, undefined)
  })
}
