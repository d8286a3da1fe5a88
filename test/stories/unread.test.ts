import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUser, changeUser, removeUser } from '../../src/core/people/people.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { assignThread, changeStatus, setRead } from '../../src/core/threads/threads.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: unread is per person`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const second = await spool.makeUser('second@unread.example', 'member', [desk.inbox])
    const token = await spool.makeToken(second)
    const theirs = async (query = '?unread=1') => (await spool.threads(query, { token })).map(({ id }) => id)
    const { threadId } = await desk.receive({ messageId: '<u1@a.example>' })
    assert.deepEqual([await theirs(), (await desk.thread(threadId)).unread], [[threadId], true])
    await setRead(spool.spool, desk.user, threadId, true)
    assert.deepEqual(await desk.threads('?unread=1'), [])
    assert.deepEqual(await theirs(), [threadId])
    assert.equal((await desk.threads())[0]!.unread, false)
    await setRead(spool.spool, desk.user, threadId, false)
    assert.equal((await desk.threads('?unread=1')).length, 1, 'one can mark it unread again')
    for (const user of [desk.user, second]) await setRead(spool.spool, user, threadId, true)
    await desk.receive({ inReplyTo: '<u1@a.example>' })
    assert.deepEqual([await theirs(), (await desk.thread(threadId)).unread], [[threadId], true])
    assert.deepEqual(
      (await desk.events()).map(({ type }) => type),
      ['thread.created', 'message.received', 'message.received'],
      'reading is no event',
    )
  })

  test(`${database}: only mail from outside makes unread: not notes, assignment, status or our own sending`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive({ messageId: '<u2@a.example>' })
    await setRead(spool.spool, desk.user, threadId, true)
    await addNote(spool.spool, spool.actor, threadId, 'A note by Ada')
    await assignThread(spool.spool, spool.actor, threadId, desk.user)
    await changeStatus(spool.spool, spool.actor, threadId, 'closed')
    await desk.receive({ inReplyTo: '<u2@a.example>', from: desk.inbox.address }, { direction: 'outbound' })
    assert.equal((await desk.thread(threadId)).unread, false)
    await desk.receive({ inReplyTo: '<u2@a.example>', headers: { 'Auto-Submitted': 'auto-replied' } })
    assert.equal((await desk.thread(threadId)).unread, true, 'a machine’s answer is mail from outside too')
  })

  test(`${database}: what is marked unread stays in the order of every list`, async () => {
    const desk = await openDesk(await shared())
    const start = Date.UTC(2026, 5, 1)
    const old = await desk.receive({ messageId: '<u3@a.example>', date: start })
    const newer = await desk.receive({ date: start + 1000 })
    const unread = async () => (await desk.threads('?unread=1')).map(({ id }) => id)
    assert.deepEqual(await unread(), [newer.threadId, old.threadId])
    await desk.receive(
      { inReplyTo: '<u3@a.example>', date: start + 2000, from: desk.inbox.address },
      { direction: 'outbound' },
    )
    assert.deepEqual(await unread(), [old.threadId, newer.threadId], 'our answer moved it')
    assert.deepEqual(
      (await desk.threads()).map(({ id }) => id),
      await unread(),
    )
  })

  test(`${database}: a person who is given an inbox starts with all of it read`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive({ messageId: '<u4@a.example>' })
    const joined = await spool.makeUser('joined@unread.example', 'member', [desk.inbox])
    const token = await spool.makeToken(joined)
    const unread = async () =>
      (await spool.threads(`?unread=1&inbox=${desk.inbox.id}`, { token })).map(({ id }) => id)
    assert.deepEqual(await unread(), [], 'a new person')
    assert.equal((await spool.threads('', { token })).length, 1)
    await desk.receive({ inReplyTo: '<u4@a.example>' })
    assert.deepEqual(await unread(), [threadId])
    await changeUser(spool.spool, joined.email, { name: 'Same inboxes', inboxes: [desk.inbox.address] })
    assert.deepEqual(await unread(), [threadId], 'what one has already is not given')
    await changeUser(spool.spool, joined.email, { inboxes: [] })
    await changeUser(spool.spool, joined.email, { inboxes: [desk.inbox.address] })
    assert.deepEqual(await unread(), [], 'given again')
    await changeUser(spool.spool, joined.email, { inboxes: [] })
    await desk.receive({ inReplyTo: '<u4@a.example>' })
    await changeUser(spool.spool, joined.email, { role: 'admin' })
    assert.deepEqual(await unread(), [], 'all inboxes by becoming an admin')
    await desk.receive({ inReplyTo: '<u4@a.example>' })
    assert.deepEqual(await unread(), [threadId])
    await removeUser(spool.spool, joined.email)
    await addUser(spool.spool, {
      email: joined.email,
      name: 'Back',
      role: 'member',
      inboxes: [desk.inbox.id],
      password: null,
    })
    const fresh = await spool.makeToken(joined)
    assert.deepEqual(await spool.threads('?unread=1', { token: fresh }), [], 'someone who comes back')
    assert.equal((await desk.thread(threadId)).unread, true, 'others keep theirs')
  })

  test(`${database}: what was seen before it came is read for everyone`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    await desk.receive({}, { seen: true })
    assert.deepEqual(await desk.threads('?unread=1'), [])
    assert.deepEqual(await spool.threads(`?unread=1&inbox=${desk.inbox.id}`), [])
  })
}
