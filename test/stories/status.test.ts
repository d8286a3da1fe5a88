import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addNote } from '../../src/core/threads/notes.ts'
import { findActiveUser } from '../../src/core/access/access.ts'
import { threadsOfAssignee } from '../../src/store/threads/threads.ts'
import { removeUser } from '../../src/core/people/people.ts'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { statuses, type Status } from '../../src/model/thread.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import type { Letter } from '../support/letter.ts'
import type { TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

const hour = 3_600_000

/** A thread in the given status, and how to add mail to it; `changes` are the events of status since. */
async function threadIn(spool: TestSpool, desk: Desk, status: Status) {
  const messageId = `<${Math.random()}@status.example>`
  const { threadId } = await desk.receive({ messageId }, { seen: true })
  await changeStatus(
    spool.spool,
    desk.actor,
    threadId,
    status,
    status === 'snoozed' ? Date.now() + hour : null,
  )
  const before = (await desk.events('thread.status_changed')).length
  return {
    threadId,
    reply: (letter: Letter = {}, how: Parameters<Desk['receive']>[1] = {}) =>
      desk.receive({ inReplyTo: messageId, subject: 'Re: it', ...letter }, how),
    changes: async () =>
      (await desk.events('thread.status_changed')).slice(before).map(({ data }) => data.changes!['status']),
    entries: async () =>
      (await desk.thread(threadId)).history.filter(({ type }) => type === 'status_changed').length,
  }
}

const bounce = (about: string): Letter => ({
  from: 'Mail Delivery System <mailer-daemon@brandt.example>',
  subject: 'Undelivered Mail Returned to Sender',
  text: 'x',
  headers: {
    'Auto-Submitted': 'auto-replied',
    'X-Failed-Recipients': 'carla@brandt.example',
    References: about,
  },
})

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: mail from outside opens what is waiting, snoozed or closed, with exactly one event; spam stays`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    for (const status of statuses) {
      const { threadId, reply, changes, entries } = await threadIn(spool, desk, status)
      const told = await entries()
      await reply()
      const to = status === 'spam' ? 'spam' : 'open'
      const thread = await desk.thread(threadId)
      assert.deepEqual([thread.status, thread.snoozedUntil, thread.unread], [to, null, true], status)
      const moves = status === to ? [] : [{ from: status, to }]
      assert.deepEqual(await changes(), moves, status)
      assert.equal(await entries(), told + moves.length)
    }
  })

  test(`${database}: a person moves a thread between any two statuses, each time with exactly one event`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive({}, { seen: true })
    // A walk along every ordered pair of statuses.
    const walk = statuses.flatMap((from) => statuses.flatMap((to) => [from, to]))
    let current: Status = 'open'
    const moves: { from: Status; to: Status }[] = []
    for (const to of walk) {
      const until = to === 'snoozed' ? Date.now() + hour : null
      await changeStatus(spool.spool, desk.actor, threadId, to, until)
      if (to !== current) moves.push({ from: current, to })
      current = to
    }
    const { status, unread } = await desk.thread(threadId)
    assert.deepEqual([status, unread], [current, false])
    const events = await desk.events('thread.status_changed')
    assert.deepEqual(
      events.map(({ data }) => data.changes!['status']),
      moves,
    )
    assert.equal(new Set(moves.map(({ from, to }) => from + to)).size, 20, 'every pair was walked')
    assert.ok(events.every(({ data }) => data.actor.id === desk.user.id))
  })

  test(`${database}: snoozing needs a time to come, and the time belongs to snoozing alone`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    const set = (status: Status, until: number | null = null) =>
      changeStatus(spool.spool, desk.actor, threadId, status, until)
    await assert.rejects(set('snoozed'), /needs a time in the future/)
    await assert.rejects(set('snoozed', Date.now() - 1), /needs a time in the future/)
    await assert.rejects(set('closed', Date.now() + hour), /Only snoozed/)
    const until = Date.now() + hour
    await set('snoozed', until)
    assert.equal((await desk.thread(threadId)).snoozedUntil, new Date(until).toISOString())
    await set('snoozed', until + 1)
    const thread = await desk.thread(threadId)
    assert.equal(thread.snoozedUntil, new Date(until + 1).toISOString())
    assert.equal((await desk.events('thread.status_changed')).length, 1, 'another time is no other status')
    await set('waiting')
    assert.equal((await desk.thread(threadId)).snoozedUntil, null)
  })

  test(`${database}: when the time of a snooze has passed the thread is open again`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const [due, later] = [await desk.receive({}, { seen: true }), await desk.receive({}, { seen: true })]
    for (const { threadId } of [due, later])
      await changeStatus(spool.spool, desk.actor, threadId, 'snoozed', Date.now() + hour)
    const passed = { snoozed_until: Date.now() }
    await spool.spool.db.transaction((db) =>
      db.run(db.build.updateTable('threads').set(passed).where('id', '=', due.threadId)),
    )
    await until('it is open', async () => (await desk.thread(due.threadId)).status === 'open')
    const thread = await desk.thread(due.threadId)
    assert.deepEqual([thread.status, thread.snoozedUntil, thread.unread], ['open', null, false])
    assert.equal((await desk.thread(later.threadId)).status, 'snoozed')
    const woken = (await desk.events('thread.status_changed')).filter(
      ({ data }) => data.threadId === due.threadId && data.actor.type === 'system',
    )
    assert.deepEqual(
      woken.map(({ data }) => data.changes!['status']),
      [{ from: 'snoozed', to: 'open' }],
    )
  })

  test(`${database}: threads snoozed until the same time reopen in the order they began`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const began: string[] = []
    for (let count = 0; count < 4; count++) began.push((await desk.receive({}, { seen: true })).threadId)
    for (const id of began) await changeStatus(spool.spool, desk.actor, id, 'snoozed', Date.now() + hour)
    const passed = { snoozed_until: Date.now() }
    await spool.spool.db.transaction(async (db) => {
      for (const id of [2, 0, 3, 1].map((at) => began[at]!))
        await db.run(db.build.updateTable('threads').set(passed).where('id', '=', id))
    })
    const woken = await until('all are open', async () => {
      const changes = await desk.events('thread.status_changed')
      const ids = changes.filter(({ data }) => data.actor.type === 'system').map(({ data }) => data.threadId)
      return ids.length === began.length && ids
    })
    assert.deepEqual(woken, began)
  })

  test(`${database}: notes and assignment change neither status nor unread`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    for (const status of statuses) {
      const { threadId, changes } = await threadIn(spool, desk, status)
      const before = await desk.thread(threadId)
      await addNote(spool.spool, desk.actor, threadId, 'A note')
      await assignThread(spool.spool, desk.actor, threadId, desk.user)
      await assignThread(spool.spool, desk.actor, threadId, null)
      const after = await desk.thread(threadId)
      assert.deepEqual([after.status, after.unread, after.snoozedUntil], [status, false, before.snoozedUntil])
      assert.deepEqual(await changes(), [])
    }
  })

  test(`${database}: every change of assignment is exactly one event`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    const assign = (to: typeof desk.user | null) => assignThread(spool.spool, desk.actor, threadId, to)
    for (const to of [null, desk.user, desk.user, spool.ada, desk.user, null, null]) await assign(to)
    const events = await desk.events('thread.assigned', 'thread.unassigned')
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.changes!['assignee']]),
      [
        ['thread.assigned', { from: null, to: desk.user.id }],
        ['thread.assigned', { from: desk.user.id, to: spool.ada.id }],
        ['thread.assigned', { from: spool.ada.id, to: desk.user.id }],
        ['thread.unassigned', { from: desk.user.id, to: null }],
      ],
    )
  })

  test(`${database}: of many who do the same at once, one makes the change`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    await Promise.all([
      ...Array.from({ length: 6 }, () => changeStatus(spool.spool, desk.actor, threadId, 'closed')),
      ...Array.from({ length: 6 }, () => assignThread(spool.spool, desk.actor, threadId, desk.user)),
    ])
    assert.equal((await desk.events('thread.status_changed', 'thread.assigned')).length, 2)
    const { history, revision } = await desk.thread(threadId)
    assert.equal(history.length, 3)
    assert.equal(revision, 3)
  })

  test(`${database}: removing a person clears their assignments, one event each; the name stays in the history`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const leaver = await spool.makeUser('leaver@shop.example', 'member', [desk.inbox])
    const threads = [await desk.receive(), await desk.receive()]
    for (const { threadId } of threads) await assignThread(spool.spool, desk.actor, threadId, leaver)
    await removeUser(spool.spool, leaver.email)
    for (const { threadId } of threads) {
      const { assignment, history, status } = await desk.thread(threadId)
      assert.deepEqual([assignment, status], [null, 'open'])
      const assigned = history.find((entry) => entry.type === 'assigned')!
      assert.deepEqual(assigned.to, { id: leaver.id, name: leaver.name })
    }
    assert.equal((await desk.events('thread.unassigned')).length, 2)
    await assert.rejects(
      assignThread(spool.spool, desk.actor, threads[0]!.threadId, leaver),
      /has no access to this thread's inbox/,
    )
  })

  test(`${database}: a removal that is cut short leaves no thread with somebody who is gone`, async () => {
    const spool = await shared()
    const { db } = spool.spool
    const desk = await openDesk(spool)
    const leaver = await spool.makeUser(`leaver-${desk.user.email}`, 'member', [desk.inbox])
    const mails = await desk.receiveAll(Array.from({ length: 101 }, (_, n) => ({ subject: `Thread ${n}` })))
    for (const { threadId } of mails) await assignThread(spool.spool, desk.actor, threadId, leaver)
    const left = async () => (await threadsOfAssignee(db, leaver.id, 0, 200)).length
    let commits = 0
    const store = {
      ...spool.spool,
      db: new Proxy(db, {
        get: (_, name) => {
          if (name === 'transaction' && ++commits === 2) throw new Error('The power is gone.')
          const value: unknown = Reflect.get(db, name)
          return typeof value === 'function' ? value.bind(db) : value
        },
      }),
    }
    await assert.rejects(removeUser(store, leaver.email), /The power is gone/)
    assert.ok((await left()) > 0)
    assert.ok(await findActiveUser(db, leaver.email), 'so it can be done again')
    await removeUser(spool.spool, leaver.email)
    assert.equal(await left(), 0)
    await assert.rejects(findActiveUser(db, leaver.email))
  })

  test(`${database}: auto-replies and quiet history open nothing; bounces do, and say so in the history`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const away = await threadIn(spool, desk, 'closed')
    await away.reply({ headers: { 'Auto-Submitted': 'auto-replied' } })
    const answered = await desk.thread(away.threadId)
    assert.deepEqual([answered.status, answered.messageCount], ['closed', 2])
    const quiet = await threadIn(spool, desk, 'closed')
    await quiet.reply({}, { quiet: true, seen: true })
    const history = await desk.thread(quiet.threadId)
    assert.deepEqual([history.status, history.messageCount, history.unread], ['closed', 2, false])
    const sent = await threadIn(spool, desk, 'waiting')
    const ours = '<ours@shop.example>'
    const { messageId } = await sent.reply(
      { messageId: ours, from: desk.inbox.address },
      { direction: 'outbound' },
    )
    assert.equal((await desk.thread(sent.threadId)).status, 'waiting', 'our own mail opens nothing')
    assert.equal((await desk.receive(bounce(ours))).threadId, sent.threadId)
    const bounced = await desk.thread(sent.threadId)
    assert.equal(bounced.status, 'open')
    const entry = bounced.history.find(({ type }) => type === 'bounced')
    assert.ok(entry?.type === 'bounced')
    assert.ok(entry.messageId === messageId || entry.messageId === null)
    assert.deepEqual(await sent.changes(), [{ from: 'waiting', to: 'open' }])
  })

  test(`${database}: a viewer changes nothing`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool, 'viewer')
    const { threadId } = await desk.receive()
    await assert.rejects(changeStatus(spool.spool, desk.actor, threadId, 'closed'), /viewer/)
    await assert.rejects(assignThread(spool.spool, desk.actor, threadId, desk.user), /viewer/)
    assert.equal((await desk.thread(threadId)).revision, 1)
  })
}
