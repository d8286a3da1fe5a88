import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findThreadToChange } from '../../src/core/access/access.ts'
import { perform, type ThreadAction } from '../../src/core/threads/actions.ts'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { person, type User } from '../../src/model/access.ts'
import type { HistoryEntry, Thread } from '../../src/model/history.ts'
import { toTime } from '../../src/model/time.ts'
import type { ThreadRow } from '../../src/model/work.ts'
import { transaction } from '../../src/store/database.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, walkPages, type Desk } from '../support/desk.ts'
import type { TestSpool } from '../support/spool.ts'
import { signInAs, type WebClient } from '../support/web-client.ts'

interface Changed {
  done: string[]
  failed: { id: string; message: string }[]
  receipt: string | null
}
interface Undone {
  undone: string[]
  kept: string[]
  others: string[]
}

const hour = 3_600_000
const many = process.env['SPOOL_TEST_LONG'] === '1' ? 1_000 : 100

const change = (page: WebClient, ids: readonly string[], action: object): Promise<Changed> =>
  page.do('POST', '/threads/bulk', { ids, action })
const undo = (page: WebClient, receipt: string | null): Promise<Undone> =>
  page.do('POST', '/threads/undo', { receipt })

/** What an action may change of a thread, as the person sees it. */
async function state(desk: Desk): Promise<Map<string, unknown>> {
  const threads = await walkPages<ThreadRow>(desk.get, '/api/v1/threads?limit=100')
  return new Map(
    threads.map(({ id, status, snoozedUntil, assignment, unread }) => [
      id,
      { status, snoozedUntil, assignment, unread },
    ]),
  )
}

async function sitDown(spool: TestSpool): Promise<{
  desk: Desk
  page: WebClient
  tom: User
}> {
  const desk = await openDesk(spool)
  const tom = await spool.makeUser(`tom-${desk.user.id}@shop.example`, 'member', [desk.inbox])
  return { desk, tom, page: await signInAs(spool, desk.user) }
}

/** Threads of every kind: each status, assigned or not, read or not. */
async function fill({ spool }: TestSpool, desk: Desk, tom: User, count: number): Promise<string[]> {
  const letters = Array.from({ length: count }, (_, at) => ({
    subject: `Question ${at}`,
    text: 'Hello?',
    date: Date.now() - at * 1000,
  }))
  const ids = (await desk.receiveAll(letters)).map(({ threadId }) => threadId)
  const every = (step: number, at: number): string[] => ids.filter((_, index) => index % step === at)
  const until = spool.now() + hour
  const asked: [string[], ThreadAction][] = [
    [every(5, 1), { type: 'status', status: 'waiting', until: null }],
    [every(5, 2), { type: 'status', status: 'snoozed', until }],
    [every(5, 3), { type: 'status', status: 'closed', until: null }],
    [every(5, 4), { type: 'status', status: 'spam', until: null }],
    [every(3, 1), { type: 'assign', to: tom.id }],
    [every(3, 2), { type: 'assign', to: desk.user.id }],
    [every(2, 0), { type: 'read' }],
  ]
  for (const [some, action] of asked)
    await transaction(spool.db, async (db) => {
      const change = { actor: desk.actor, now: spool.now(), quiet: false }
      for (const id of some) await perform(db, await findThreadToChange(db, desk.actor, id), action, change)
    })
  return ids
}

const actions = (desk: Desk, tom: User): [name: string, action: object][] => [
  ['close', { type: 'status', status: 'closed' }],
  ['reopen', { type: 'status', status: 'open' }],
  ['wait', { type: 'status', status: 'waiting' }],
  ['snooze', { type: 'status', status: 'snoozed', until: toTime(Date.now() + 48 * hour) }],
  ['spam', { type: 'status', status: 'spam' }],
  ['assign', { type: 'assign', to: tom.id }],
  ['take', { type: 'assign', to: desk.user.id }],
  ['unassign', { type: 'assign', to: null }],
  ['unread', { type: 'unread' }],
  ['read', { type: 'read' }],
]

const changesOf = ({ history }: Thread): HistoryEntry[] => history.filter(({ type }) => type !== 'message')

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: every action is undone, on one thread and on ${many}, and all is as before`, async () => {
    const spool = await shared()
    const { desk, page, tom } = await sitDown(spool)
    const ids = await fill(spool, desk, tom, many)
    const before = await state(desk)
    for (const [name, action] of actions(desk, tom)) {
      const receipts: string[] = []
      for (let at = 0; at < ids.length; at += 100) {
        const { done, failed, receipt } = await change(page, ids.slice(at, at + 100), action)
        assert.deepEqual([done.length, failed], [100, []], name)
        receipts.push(receipt!)
      }
      assert.notDeepEqual(await state(desk), before, name)
      for (const receipt of receipts.toReversed()) {
        const { kept, others } = await undo(page, receipt)
        assert.deepEqual([kept, others], [[], []], name)
      }
      assert.deepEqual(await state(desk), before, `${name}, all`)
    }
    // A thread of each kind, alone.
    for (const id of ids.slice(0, 30)) {
      const [name, action] = actions(desk, tom)[ids.indexOf(id) % 10]!
      const { receipt } = await change(page, [id], action)
      if (receipt !== null) assert.deepEqual((await undo(page, receipt)).undone, [id], name)
    }
    assert.deepEqual(await state(desk), before, 'one at a time')
  })

  test(`${database}: an undo is told in the history as one, and as an event; numbers forget the closing`, async () => {
    const spool = await shared()
    const { desk, page, tom } = await sitDown(spool)
    const { threadId } = await desk.receive()
    const closings = async (): Promise<number> => {
      const { db } = spool.spool
      const rows = await db.all(
        db.build.selectFrom('closings').select('count').where('inbox', '=', desk.inbox.number),
      )
      return rows.reduce((sum, { count }) => sum + Number(count), 0)
    }
    const closed = await change(page, [threadId], { type: 'status', status: 'closed' })
    assert.equal(await closings(), 1)
    await undo(page, closed.receipt)
    assert.equal(await closings(), 0)
    const given = await change(page, [threadId], { type: 'assign', to: tom.id })
    await undo(page, given.receipt)
    const told = changesOf(await desk.thread(threadId)).map((entry) => [
      entry.type,
      'undo' in entry && entry.undo,
    ])
    assert.deepEqual(told, [
      ['status_changed', false],
      ['status_changed', true],
      ['assigned', false],
      ['unassigned', true],
    ])
    const events = await desk.events('thread.status_changed', 'thread.assigned', 'thread.unassigned')
    assert.deepEqual(
      events.map(({ data }) => data.changes),
      [
        { status: { from: 'open', to: 'closed' } },
        { status: { from: 'closed', to: 'open' } },
        { assignee: { from: null, to: tom.id } },
        { assignee: { from: tom.id, to: null } },
      ],
    )
    // What was undone cannot be undone again.
    assert.deepEqual((await undo(page, closed.receipt)).undone, [])

    // Reopening was no closing, nor is its undoing.
    await changeStatus(spool.spool, desk.actor, threadId, 'closed')
    const opened = await change(page, [threadId], { type: 'status', status: 'open' })
    await undo(page, opened.receipt)
    assert.equal(await closings(), 1)
  })

  test(`${database}: what a colleague did meanwhile stays, and the answer says who it was`, async () => {
    const spool = await shared()
    const { desk, page, tom } = await sitDown(spool)
    const ids = (await desk.receiveAll(Array.from({ length: 5 }, (_, at) => ({ subject: `No. ${at}` })))).map(
      ({ threadId }) => threadId,
    )
    const [assigned, reopened, again, mailed, left] = ids as [string, string, string, string, string]
    const { receipt } = await change(page, ids, { type: 'status', status: 'closed' })
    await assignThread(spool.spool, person(tom), assigned, tom)
    await changeStatus(spool.spool, person(tom), reopened, 'waiting')
    // Closed once more, by Tom: it is his closing now.
    await changeStatus(spool.spool, person(tom), again, 'open')
    await changeStatus(spool.spool, person(tom), again, 'closed')
    const [mail] = (await desk.thread(mailed)).history
    assert.ok(mail?.type === 'message')
    await desk.receive({ subject: 'Re: No. 3', inReplyTo: mail.messageId! })

    const { undone, kept, others } = await undo(page, receipt)
    assert.deepEqual(undone.toSorted(), [assigned, left].toSorted())
    assert.deepEqual(kept.toSorted(), [reopened, again, mailed].toSorted())
    assert.deepEqual(others.toSorted(), ['Spool', tom.name].toSorted())
    const threads = new Map((await desk.threads()).map((thread) => [thread.id, thread]))
    assert.deepEqual(
      ids.map((id) => threads.get(id)!.status),
      ['open', 'waiting', 'closed', 'open', 'open'],
    )
    assert.equal(threads.get(assigned)!.assignment?.id, tom.id)
  })

  test(`${database}: a snooze that has run out meanwhile is not put back, nor an assignment to who is gone`, async () => {
    const spool = await shared()
    const { desk, page, tom } = await sitDown(spool)
    const asleep = await desk.receive({ subject: 'asleep' })
    const toms = await desk.receive({ subject: 'of Tom' })
    const { now } = spool.spool
    await changeStatus(spool.spool, desk.actor, asleep.threadId, 'snoozed', now() + 60_000)
    await assignThread(spool.spool, desk.actor, toms.threadId, tom)
    const closed = await change(page, [asleep.threadId], { type: 'status', status: 'closed' })
    const taken = await change(page, [toms.threadId], { type: 'assign', to: desk.user.id })
    const start = now()
    try {
      spool.spool.now = () => start + 61_000
      assert.deepEqual((await undo(page, closed.receipt)).undone, [asleep.threadId])
      const { status, snoozedUntil } = await desk.thread(asleep.threadId)
      assert.deepEqual([status, snoozedUntil], ['open', null])

      await spool.spool.db.transaction((db) =>
        db.run(db.build.deleteFrom('user_inboxes').where('user_id', '=', tom.id)),
      )
      assert.deepEqual((await undo(page, taken.receipt)).kept, [toms.threadId])
      assert.equal((await desk.thread(toms.threadId)).assignment?.id, desk.user.id)
    } finally {
      spool.spool.now = now
    }
  })

  test(`${database}: a receipt is its person's own, whole and fresh`, async () => {
    const spool = await shared()
    const { desk, page, tom } = await sitDown(spool)
    const { threadId } = await desk.receive()
    const { receipt } = await change(page, [threadId], { type: 'status', status: 'closed' })
    const other = await signInAs(spool, tom)
    const refused = async (web: WebClient, text: string): Promise<void> => {
      const answer = await web.ask('POST', '/threads/undo', { receipt: text })
      assert.equal(answer.status, 404, answer.text)
    }
    await refused(other, receipt!)
    await refused(page, 'x' + receipt!.slice(1))
    await refused(page, receipt!.split('.')[0]!)
    const { now } = spool.spool
    const start = now()
    try {
      spool.spool.now = () => start + 15 * 60_000
      await refused(page, receipt!)
    } finally {
      spool.spool.now = now
    }
    assert.equal((await desk.thread(threadId)).status, 'closed')
    assert.deepEqual((await undo(page, receipt)).undone, [threadId])
    const same = await change(page, [threadId], { type: 'status', status: 'open' })
    assert.deepEqual([same.done, same.receipt], [[threadId], null], 'nothing changed, nothing to undo')
  })

  test(`${database}: all that match change in steps, without what came or changed meanwhile, and are undone`, async () => {
    const spool = await shared()
    const { desk, page, tom } = await sitDown(spool)
    const ids = await fill(spool, desk, tom, 250)
    const before = await state(desk)
    const matching = await page.do<{ count: number; asOf: string }>('GET', '/threads/count?view=open')
    assert.equal(matching.count, 50)
    assert.equal((await page.do<{ count: number }>('GET', '/threads/count?q=hello')).count, 250)
    const all = await page.do<{ count: number; asOf: string }>(
      'GET',
      '/threads/count?status=open,waiting,closed',
    )
    assert.equal(all.count, 150)

    // By a clock that is sure to have moved on.
    const { now } = spool.spool
    spool.spool.now = () => now() + 1_000
    try {
      const late = await desk.receive({ subject: 'Came later' })
      await assignThread(spool.spool, person(tom), ids[0]!, tom)
      const receipts: string[] = []
      const done: string[] = []
      let steps = 0
      let left = 0
      for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
        const step: Changed & { nextCursor: string | null; left: number } = await page.do(
          'POST',
          '/threads/bulk/matching',
          {
            status: 'open,waiting,closed',
            asOf: all.asOf,
            cursor,
            action: { type: 'assign', to: desk.user.id },
          },
        )
        assert.ok(step.done.length <= 100)
        done.push(...step.done)
        left += step.left
        if (step.receipt) receipts.push(step.receipt)
        cursor = step.nextCursor
        steps++
      }
      assert.deepEqual([steps, done.length, left], [2, 149, 2])
      assert.ok(!done.includes(late.threadId) && !done.includes(ids[0]!))
      const after = await desk.threads('?status=open,waiting,closed&assignee=me&limit=100')
      assert.equal(after.length, 100)
      for (const receipt of receipts.toReversed()) await undo(page, receipt)
      const now = await state(desk)
      for (const [id, was] of before) if (id !== ids[0]) assert.deepEqual(now.get(id), was)
    } finally {
      spool.spool.now = now
    }
    // A cursor belongs to its list.
    const step = await page.do<{ nextCursor: string }>('POST', '/threads/bulk/matching', {
      status: 'open,waiting,closed',
      asOf: all.asOf,
      action: { type: 'read' },
    })
    const elsewhere = await page.ask('POST', '/threads/bulk/matching', {
      view: 'open',
      asOf: all.asOf,
      cursor: step.nextCursor,
      action: { type: 'read' },
    })
    assert.equal(elsewhere.status, 400, elsewhere.text)
  })

  test(`${database}: all that a search finds change in steps, and are undone`, async () => {
    const spool = await shared()
    const { desk, page } = await sitDown(spool)
    const found = await desk.receiveAll(
      Array.from({ length: 120 }, (_, n) => ({ subject: `Invoice ${n}`, text: 'Unpaid.' })),
    )
    const other = await desk.receive({ subject: 'Something else' })
    const q = 'invoice is:open'
    const { count, asOf } = await page.do<{ count: number; asOf: string }>('GET', `/search/count?q=${q}`)
    assert.equal(count, 120)
    const before = await state(desk)
    const close = { q, asOf, action: { type: 'status', status: 'closed' } }
    const first = await page.do<Changed & { nextCursor: string }>('POST', '/search/bulk', close)
    const second = await page.do<Changed>('POST', '/search/bulk', { ...close, cursor: first.nextCursor })
    assert.deepEqual([...first.done, ...second.done].sort(), found.map(({ threadId }) => threadId).sort())
    assert.equal((await desk.thread(other.threadId)).status, 'open')
    for (const { receipt } of [second, first]) await undo(page, receipt!)
    assert.deepEqual(await state(desk), before)
  })
}
