import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { assignThread, changeStatus, setRead } from '../../src/core/threads/threads.ts'
import { statuses, type Status } from '../../src/model/thread.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'

const start = Date.UTC(2026, 6, 1, 9)
const file = [{ filename: 'a.txt', type: 'text/plain', content: 'a' }]

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: a parent that arrives last joins its children's threads into one`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const child = (name: string, at: number, reference: string) =>
      desk.receive({
        subject: `Re: ${name}`,
        from: `${name}@example.com`,
        date: start + at,
        references: [reference],
        text: name,
        attachments: file,
      })
    const one = await child('one', 2000, '<root-a@x.example>')
    const two = await child('two', 3000, '<root-b@x.example>')
    const three = await child('three', 1000, '<root-c@x.example>')
    assert.equal(new Set([one.threadId, two.threadId, three.threadId]).size, 3)
    await addNote(spool.spool, desk.actor, two.threadId, 'A note on two')
    await changeStatus(spool.spool, desk.actor, three.threadId, 'closed')
    const parent = await desk.receive({
      subject: 'Root',
      from: 'root@example.com',
      date: start,
      references: ['<root-a@x.example>', '<root-b@x.example>', '<root-c@x.example>'],
    })
    assert.equal(parent.threadId, one.threadId, 'the thread stored first survives')
    const thread = await desk.thread(one.threadId)
    assert.deepEqual(
      [
        thread.messageCount,
        thread.noteCount,
        thread.attachmentCount,
        thread.subject,
        thread.sender.address,
        thread.preview,
      ],
      [4, 1, 3, 'Root', 'root@example.com', 'two'],
    )
    assert.deepEqual(
      [thread.createdAt, thread.timestamp],
      [new Date(start).toISOString(), new Date(start + 3000).toISOString()],
    )
    assert.deepEqual(
      (await desk.threads()).map(({ id }) => id),
      [one.threadId],
    )
    for (const gone of [two, three]) {
      const answer = await desk.thread(gone.threadId)
      assert.deepEqual(answer, thread, 'the other id answers with the survivor')
      assert.deepEqual(
        (await desk.notes(gone.threadId)).map(({ text, threadId }) => [text, threadId]),
        [['A note on two', one.threadId]],
      )
    }
    assert.equal(thread.history.filter(({ type }) => type === 'message').length, 4)
    assert.ok(
      thread.history.some((entry) => entry.type === 'status_changed' && entry.to === 'closed'),
      'history moved',
    )
    assert.deepEqual(
      (await desk.events('thread.merged')).map(({ data }) => [data.threadId, data.changes!['threadId']]),
      [two, three].map((gone) => [one.threadId, { from: gone.threadId, to: one.threadId }]),
    )
    assert.deepEqual(
      (await desk.threads('?q=three')).map(({ id }) => id),
      [one.threadId],
    )
    const late = await desk.receive({ references: ['<root-c@x.example>'] })
    assert.equal(late.threadId, one.threadId, 'later mail finds the survivor')
  })

  test(`${database}: a bounce joins the mail that it returns, though its header names none`, async () => {
    const desk = await openDesk(await shared())
    const { threadId } = await desk.receive({ messageId: '<asked@brandt.example>' })
    const ours = await desk.receive(
      { messageId: '<ours@shop.example>', references: ['<asked@brandt.example>'], from: desk.inbox.address },
      { direction: 'outbound' },
    )
    const bounce = await desk.receive({
      from: 'Mail Delivery System <mailer-daemon@brandt.example>',
      subject: 'Undelivered Mail Returned to Sender',
      headers: { 'Auto-Submitted': 'auto-replied', 'X-Failed-Recipients': 'carla@brandt.example' },
      attachments: [
        {
          filename: 'mail.eml',
          type: 'message/rfc822',
          content: 'Message-ID: <ours@shop.example>\r\n\r\nHello',
        },
      ],
    })
    assert.equal(bounce.threadId, threadId)
    const entry = (await desk.thread(threadId)).history.find(({ type }) => type === 'bounced')
    assert.equal(entry?.type === 'bounced' && entry.messageId, ours.messageId)
  })

  test(`${database}: a person joins two threads; the id of one joined before leads on to the last survivor`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const [a, b, c] = [await desk.receive(), await desk.receive(), await desk.receive()]
    assert.equal(await joinThreads(spool.spool, desk.actor, c.threadId, b.threadId), b.threadId)
    assert.equal(await joinThreads(spool.spool, desk.actor, c.threadId, a.threadId), a.threadId)
    for (const { threadId } of [a, b, c]) assert.equal((await desk.thread(threadId)).id, a.threadId)
    const merged = (await desk.thread(a.threadId)).history.filter((entry) => entry.type === 'merged')
    assert.deepEqual(
      merged.map(({ threadId, actor }) => [threadId, actor.id]),
      [
        [c.threadId, desk.user.id],
        [b.threadId, desk.user.id],
      ],
    )
    assert.equal((await desk.thread(c.threadId)).messageCount, 3)
    const both = joinThreads(spool.spool, desk.actor, a.threadId, c.threadId)
    await assert.rejects(both, /already merged/)
    await changeStatus(spool.spool, desk.actor, c.threadId, 'closed')
    assert.equal(
      (await desk.thread(a.threadId)).status,
      'closed',
      'a change by the old id reaches the survivor',
    )
  })

  test(`${database}: joined, the status is open if either was, else the survivor's`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const until = Date.now() + 3_600_000
    const pairs: (readonly [Status, Status])[] = [
      ...statuses.map((mine) => [mine, 'open'] as const),
      ['open', 'closed'],
      ['closed', 'snoozed'],
      ['snoozed', 'closed'],
      ['waiting', 'spam'],
      ['spam', 'waiting'],
    ]
    const set = (id: string, status: Status) =>
      changeStatus(spool.spool, desk.actor, id, status, status === 'snoozed' ? until : null)
    for (const [mine, theirs] of pairs) {
      const [one, two] = await desk.receiveAll([{}, {}], { seen: true })
      await set(one!.threadId, mine)
      await set(two!.threadId, theirs)
      await joinThreads(spool.spool, desk.actor, two!.threadId, one!.threadId)
      const { status, snoozedUntil, unread, history } = await desk.thread(one!.threadId)
      const expected = theirs === 'open' ? 'open' : mine
      assert.deepEqual([status, unread], [expected, false], `${mine} and ${theirs}`)
      assert.equal(snoozedUntil, expected === 'snoozed' ? new Date(until).toISOString() : null)
      const moves = history.filter((entry) => entry.type === 'status_changed' && entry.to === 'open')
      assert.equal(moves.length, expected === 'open' && mine !== 'open' ? 1 : 0)
    }
  })

  test(`${database}: joined, the assignment is the survivor's, else the other's`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const people = [null, desk.user, spool.ada]
    for (const mine of people) {
      for (const theirs of people) {
        const [one, two] = await desk.receiveAll([{}, {}])
        if (mine) await assignThread(spool.spool, desk.actor, one!.threadId, mine)
        if (theirs) await assignThread(spool.spool, desk.actor, two!.threadId, theirs)
        const before = (await desk.events('thread.assigned', 'thread.unassigned')).length
        await joinThreads(spool.spool, desk.actor, one!.threadId, two!.threadId)
        const { assignment } = await desk.thread(one!.threadId)
        assert.equal(assignment?.id, (mine ?? theirs)?.id)
        const changed = (await desk.events('thread.assigned', 'thread.unassigned')).length - before
        assert.equal(changed, !mine && theirs ? 1 : 0)
      }
    }
  })

  test(`${database}: joined, it is unread for whoever had either unread`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    for (const [mine, theirs] of [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ] as const) {
      const [one, two] = await desk.receiveAll([{ date: start }, { date: start + 5000 }])
      await setRead(spool.spool, desk.user, one!.threadId, !mine)
      await setRead(spool.spool, desk.user, two!.threadId, !theirs)
      await setRead(spool.spool, spool.ada, one!.threadId, true)
      await setRead(spool.spool, spool.ada, two!.threadId, true)
      await joinThreads(spool.spool, desk.actor, one!.threadId, two!.threadId)
      assert.equal((await desk.thread(one!.threadId)).unread, mine || theirs)
      assert.equal((await spool.thread(one!.threadId)).unread, false)
      const listed = (await desk.threads('?unread=1')).filter(({ id }) => id === one!.threadId)
      assert.equal(listed.length, mine || theirs ? 1 : 0)
    }
  })

  test(`${database}: threads of two inboxes, or outside one's view, are not joined`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    const viewer = await openDesk(spool, 'viewer')
    const [mine, theirs] = [await desk.receive(), await other.receive()]
    await assert.rejects(
      joinThreads(spool.spool, spool.actor, mine.threadId, theirs.threadId),
      /different inboxes/,
    )
    await assert.rejects(
      joinThreads(spool.spool, desk.actor, mine.threadId, theirs.threadId),
      /no such thread/,
    )
    const [one, two] = [await viewer.receive(), await viewer.receive()]
    await assert.rejects(joinThreads(spool.spool, viewer.actor, one.threadId, two.threadId), /viewer/)
    assert.equal((await viewer.threads()).length, 2)
  })

  test(`${database}: threads are joined by ids alone: never by subject, never across inboxes`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    const first = await desk.receive({ messageId: '<only@x.example>', subject: 'Order 9' })
    const second = await desk.receive({ subject: 'Re: Order 9' })
    assert.notEqual(first.threadId, second.threadId)
    const elsewhere = await other.receive({ inReplyTo: '<only@x.example>', subject: 'Re: Order 9' })
    assert.notEqual(elsewhere.threadId, first.threadId)
    assert.equal((await other.threads()).length, 1)
    const forward = await desk.receive({ inReplyTo: '<only@x.example>', subject: 'Nothing alike' })
    assert.equal(forward.threadId, first.threadId)
  })
}
