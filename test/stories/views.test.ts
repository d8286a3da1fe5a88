import { mustHold as assert } from '../support/must-hold.ts'
import { test } from 'node:test'
import { addInbox, removeInbox } from '../../src/core/inboxes/inboxes.ts'
import { changeUser } from '../../src/core/people/people.ts'
import { assignThread } from '../../src/core/threads/threads.ts'
import { textQuery } from '../../src/store/statement.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

interface Me {
  user: { id: string; role: string }
  scopes: string[]
  inboxes: { id: string; address: string }[]
  expiresAt: string | null
  canSend: boolean
}

for (const database of databases) {
  const shared = shareSpool(database)
  const idsOf = async (spool: TestSpool, token: string, query = '?limit=100') =>
    (await spool.threads(query, { token })).map(({ id }) => id)

  test(`${database}: a member sees the inboxes they were given, an admin all of them`, async () => {
    const spool = await shared()
    const [one, two, empty] = [await openDesk(spool), await openDesk(spool), await openDesk(spool)]
    const [first, second] = [await one.receive(), await two.receive()]
    assert.deepEqual(await idsOf(spool, one.token), [first.threadId])
    assert.deepEqual(await idsOf(spool, two.token), [second.threadId])
    const all = await idsOf(spool, spool.token)
    assert.ok(all.includes(first.threadId) && all.includes(second.threadId))
    const both = await spool.makeToken(
      await spool.makeUser('both@shop.example', 'viewer', [one.inbox, two.inbox, empty.inbox]),
      {
        scopes: ['threads:read'],
      },
    )
    assert.deepEqual(new Set(await idsOf(spool, both)), new Set([first.threadId, second.threadId]))
    const nobody = await spool.makeToken(await spool.makeUser('nobody@shop.example'))
    for (const query of ['', '?unread=1', '?q=order', '?assignee=me'])
      assert.deepEqual(await idsOf(spool, nobody, query), [])
    assert.equal((await spool.get(`/api/v1/threads/${first.threadId}`, { token: nobody })).status, 404)
  })

  test(`${database}: a token's own inbox list narrows its view and never widens it`, async () => {
    const spool = await shared()
    const [one, two] = [await openDesk(spool), await openDesk(spool)]
    const [first, second] = [await one.receive(), await two.receive()]
    const narrow = await spool.makeToken(spool.ada, { inboxes: [one.inbox] })
    assert.deepEqual(await idsOf(spool, narrow), [first.threadId])
    assert.deepEqual(await idsOf(spool, narrow, `?inbox=${two.inbox.id}`), [])
    assert.equal((await spool.get(`/api/v1/threads/${second.threadId}`, { token: narrow })).status, 404)
    await assert.rejects(spool.makeToken(one.user, { inboxes: [two.inbox] }), /has no inbox/)
    const own = await spool.makeToken(one.user, { inboxes: [one.inbox] })
    assert.deepEqual(await idsOf(spool, own), [first.threadId])
    // Its only inbox is gone: nothing is left to see, and not everything.
    await changeUser(spool.spool, one.user.email, { inboxes: [two.inbox.id] })
    assert.deepEqual(await idsOf(spool, own), [])
    assert.deepEqual((await spool.get('/api/v1/me', { token: own })).json<Me>().inboxes, [])
    assert.deepEqual(await idsOf(spool, one.token), [second.threadId])
  })

  test(`${database}: /me says who the token is, what it may and that it cannot send`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const token = await spool.makeToken(desk.user, {
      scopes: ['events:read'],
      lifetime: 86_400_000,
      name: 'Robot',
    })
    const answer = (await spool.get('/api/v1/me', { token })).json<Me & { token: { name: string } }>()
    assert.equal(answer.user.id, desk.user.id)
    assert.equal(answer.token.name, 'Robot')
    assert.deepEqual(answer.scopes, ['events:read'])
    assert.deepEqual(
      answer.inboxes.map(({ address }) => address),
      [desk.inbox.address],
    )
    assert.ok(Math.abs(Date.parse(answer.expiresAt!) - Date.now() - 86_400_000) < 60_000)
    assert.equal(answer.canSend, false)
    assert.equal((await spool.get('/api/v1/me')).json<Me>().expiresAt, null, 'an admin’s may last for ever')
  })

  test(`${database}: an assignment shows its person also to those who do not share all their inboxes`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    const { threadId } = await desk.receive()
    await assert.rejects(
      assignThread(spool.spool, desk.actor, threadId, other.user),
      /has no access to this thread's inbox/,
    )
    await assignThread(spool.spool, desk.actor, threadId, spool.ada)
    assert.equal((await desk.thread(threadId)).assignment!.id, spool.ada.id)
    assert.deepEqual(await idsOf(spool, desk.token, `?assignee=${spool.ada.id}`), [threadId])
    assert.deepEqual(await idsOf(spool, other.token, `?assignee=${spool.ada.id}`), [])
  })

  test(`${database}: a removed inbox leaves every view, and its mail is back with its address`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    await removeInbox(spool.spool, desk.inbox.address)
    for (const token of [desk.token, spool.token]) {
      assert.equal((await spool.get(`/api/v1/threads/${threadId}`, { token })).status, 404)
      assert.equal((await idsOf(spool, token)).includes(threadId), false)
    }
    assert.deepEqual((await desk.get('/api/v1/me')).json<Me>().inboxes, [])
    await addInbox(spool.spool, desk.inbox.address, null)
    assert.deepEqual(await idsOf(spool, desk.token), [threadId])
    assert.equal((await desk.thread(threadId)).unread, true)
  })

  test(`${database}: a view of very many inboxes is read like any other`, async () => {
    await using spool = await startSpool(database)
    const { threadId } = await spool.receive({ subject: 'Needle' })
    await spool.spool.db.transaction((db) =>
      db.run(
        textQuery(
          `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
           INSERT INTO inboxes (id, address, name, created_at) SELECT 'inb_many' || i, 'many' || i || '@shop.example', 'Many', 0 FROM n`,
          [],
        ),
      ),
    )
    const last = await spool.makeInbox('last@shop.example')
    const second = await spool.receive({ subject: 'Needle two' }, { inbox: last })
    for (const query of [
      '',
      'unread=1',
      'status=open',
      'status=open,closed',
      'assignee=none',
      'q=needle',
      'unread=1&q=needle',
    ])
      assert.deepEqual(
        new Set(await idsOf(spool, spool.token, `?${query}`)),
        new Set([threadId, second.threadId]),
        query,
      )
    assert.equal((await spool.thread(threadId)).id, threadId)
    const { data } = (await spool.get('/api/v1/events')).json<{ data: { type: string }[] }>()
    assert.equal(data.length, 4)
  })
}
