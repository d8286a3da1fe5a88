import assert from 'node:assert/strict'
import { test } from 'node:test'
import { viewOfUser } from '../../src/core/access/access.ts'
import { countWork } from '../../src/core/threads/counts.ts'
import { proposeDraft } from '../../src/core/drafts/drafts.ts'
import type { Draft } from '../../src/model/draft.ts'
import type { Event } from '../../src/model/events.ts'
import type { Thread } from '../../src/model/history.ts'
import type { Note } from '../../src/model/thread.ts'
import { toTime } from '../../src/model/time.ts'
import type { Counts, OpenThread, ThreadRow } from '../../src/model/work.ts'
import { transaction } from '../../src/store/database.ts'
import { textQuery } from '../../src/store/statement.ts'
import { agentOf } from '../support/agents.ts'
import { databases, runOn } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { sendBy } from '../support/outgoing.ts'
import type { TestSpool } from '../support/spool.ts'
import { signInAs, type WebClient } from '../support/web-client.ts'

interface List {
  data: ThreadRow[]
  nextCursor: string | null
}

/** A desk with a person before the page of the web inbox. */
async function sitDown(spool: TestSpool): Promise<{ desk: Desk; page: WebClient }> {
  const desk = await openDesk(spool)
  return { desk, page: await signInAs(spool, desk.user) }
}

/** Copies the one thread of an inbox, as no mail could so fast. */
function growSql(dialect: 'sqlite' | 'postgres'): string {
  const number = dialect === 'sqlite' ? '?' : 'CAST(? AS BIGINT)'
  return `INSERT INTO threads (id, inbox, timestamp, status, message_count, note_count,
      attachment_count, draft_count, created_at, updated_at, revision, last_inbound)
    WITH RECURSIVE n (i) AS (SELECT ${number} UNION ALL SELECT i + 1 FROM n WHERE i < ${number})
    SELECT t.id || n.i, t.inbox, t.timestamp - n.i, t.status, 1, 0, 0, 0,
      t.created_at, t.updated_at, 1, 0
    FROM n CROSS JOIN (SELECT * FROM threads WHERE inbox = ${number} ORDER BY number LIMIT 1) t`
}

const subjects = ({ data }: List): string[] => data.map(({ subject }) => subject).sort()

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: the views of the left column are lists, each with its count`, async () => {
    const spool = await shared()
    const { desk, page } = await sitDown(spool)
    const ids: Record<string, string> = {}
    for (const subject of ['mine', 'free', 'waiting', 'snoozed', 'closed', 'spam'])
      ids[subject] = (await desk.receive({ subject })).threadId
    await page.do('POST', `/threads/${ids['mine']}/assign`, { to: desk.user.id })
    for (const status of ['waiting', 'closed', 'spam'])
      await page.do('POST', `/threads/${ids[status]}/status`, { status })
    await page.do('POST', `/threads/${ids['snoozed']}/status`, {
      status: 'snoozed',
      until: toTime(Date.now() + 3_600_000),
    })
    await page.do('POST', `/threads/${ids['waiting']}/read`, {})

    const view = async (name: string): Promise<string[]> =>
      subjects(await page.do('GET', `/threads?view=${name}`))
    assert.deepEqual(await view('mine'), ['mine'])
    assert.deepEqual(await view('unassigned'), ['free'])
    assert.deepEqual(await view('unread'), ['closed', 'free', 'mine', 'snoozed'])
    assert.deepEqual(await view('open'), ['free', 'mine'])
    for (const name of ['waiting', 'snoozed', 'closed', 'spam']) assert.deepEqual(await view(name), [name])
    assert.equal((await page.do<List>('GET', '/threads')).data.length, 6, 'without a view it is everything')

    const counts = await page.do<Counts>('GET', '/counts')
    assert.deepEqual(counts, {
      views: {
        mine: 1,
        unassigned: 1,
        unread: 4,
        open: 2,
        waiting: 1,
        snoozed: 1,
        review: 0,
        closed: null,
        spam: null,
      },
      inboxes: { [desk.inbox.id]: 2 },
    })
    const narrowed = await page.do<List>('GET', '/threads?view=open&q=free&unread=1')
    assert.deepEqual(subjects(narrowed), ['free'])
    for (const bad of ['view=nonsense', 'view=open&status=closed', 'view=mine&assignee=none'])
      assert.equal((await page.ask('GET', `/threads?${bad}`)).status, 400, bad)
  })

  test(`${database}: pages of a view follow one another without a gap`, async () => {
    const spool = await shared()
    const { desk, page } = await sitDown(spool)
    const letters = Array.from({ length: 25 }, (_, n) => ({
      subject: `No. ${n}`,
      date: Date.now() - n * 1000,
    }))
    await desk.receiveAll(letters)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const list: List = await page.do<List>(
        'GET',
        `/threads?view=open&limit=10${cursor ? `&cursor=${cursor}` : ''}`,
      )
      seen.push(...list.data.map(({ subject }) => subject))
      cursor = list.nextCursor
    }
    assert.deepEqual(
      seen,
      letters.map(({ subject }) => subject),
    )
  })

  test(`${database}: counts are exact up to 9,999 and end at 10,000, at the same cost whatever the store holds`, async () => {
    const spool = await shared()
    const { desk, page } = await sitDown(spool)
    await desk.receive({})
    const { db } = spool.spool
    const grow = (from: number, to: number): Promise<number> =>
      transaction(db, (db) => db.run(textQuery(growSql(db.dialect), [from, to, desk.inbox.number])))
    const quickest = async (): Promise<number> => {
      const view = await viewOfUser(db, desk.user)
      const times: number[] = []
      for (let run = 0; run < 10; run++) {
        const start = performance.now()
        await countWork(spool.spool, view)
        times.push(performance.now() - start)
      }
      return Math.min(...times)
    }
    await grow(1, 1_738)
    const exact = await page.do<Counts>('GET', '/counts')
    assert.deepEqual([exact.views.open, exact.views.unassigned, exact.views.unread], [1_739, 1_739, 1])
    assert.equal(exact.inboxes[desk.inbox.id], 1_739)
    await grow(1_739, 12_000)
    const small = await quickest()
    await grow(12_001, process.env['SPOOL_TEST_LONG'] === '1' ? 1_000_000 : 100_000)
    // As autovacuum does within the minute.
    if (database === 'postgres') await runOn(spool.database.env['SPOOL_DATABASE_URL']!, 'ANALYZE threads')
    const enough = small * 3 + 2
    // The fastest of many: a busy machine may be slow, a count that reads everything is slow each time.
    let large = await quickest()
    for (let tries = 0; tries < 30 && large >= enough; tries++) large = Math.min(large, await quickest())
    const { views, inboxes } = await page.do<Counts>('GET', '/counts')
    assert.deepEqual(
      [views.open, views.unassigned, views.unread, inboxes[desk.inbox.id]],
      [10_000, 10_000, 1, 10_000],
    )
    assert.ok(large < enough, `${small.toFixed(2)} ms with 12,000 threads, ${large.toFixed(2)} ms with many`)
  })

  test(`${database}: a thread opens with its history, its files by the session, and its drafts`, async () => {
    const spool = await shared()
    const { desk, page } = await sitDown(spool)
    const { threadId } = await desk.receive({
      html: '<p>Look</p>',
      attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'hello' }],
    })
    const bot = await agentOf(spool.spool, desk.token)
    const draft = await proposeDraft(spool.spool, bot, { threadId, text: 'It is on its way.' })
    const thread = await page.do<OpenThread>('GET', `/threads/${threadId}`)
    const [message] = thread.history
    assert.ok(message?.type === 'message')
    const [file] = message.attachments
    assert.equal(file!.url, `/app/api/attachments/${file!.id}`)
    assert.deepEqual(thread.drafts, [await page.do('GET', `/drafts/${draft.id}`)])
    const [listed] = (await page.do<List>('GET', '/threads')).data
    assert.deepEqual(listed!.openDrafts, [{ id: draft.id, status: 'proposed', author: draft.author }])
    const review = async (): Promise<number> => (await page.do<Counts>('GET', '/counts')).views.review
    assert.equal(await review(), 1)
    // What a person writes waits for nobody's review; a proposal that a person has edited still does.
    const own = await page.do('POST', '/drafts', { kind: 'reply', threadId, text: 'I am looking.' })
    assert.equal(await review(), 1)
    const edit = { revision: 1, text: 'It is on its way, and arrives tomorrow.' }
    await page.do('PUT', `/drafts/${draft.id}`, edit)
    const path = '/drafts?author=agent&status=proposed,stale,editing,failed,unknown'
    assert.equal(await review(), (await page.do<{ data: Draft[] }>('GET', path)).data.length)
    assert.equal(await review(), 1)
    await page.do('POST', `/drafts/${own.id}/discard`, { revision: 1 })
    await page.do('POST', `/drafts/${draft.id}/discard`, { revision: 2 })
    assert.equal(await review(), 0)
    assert.deepEqual((await page.do<Thread & { drafts: Draft[] }>('GET', `/threads/${threadId}`)).drafts, [])
    assert.equal(thread.unread, true, 'opening alone marks nothing as read')
    assert.equal(thread.canBeAnswered, false, 'said before anybody writes an answer')
    await sendBy(spool.spool, desk.inbox, 1)
    const { canBeAnswered } = await page.do<OpenThread>('GET', `/threads/${threadId}`)
    assert.equal(canBeAnswered, true)
  })

  test(`${database}: a person reads, assigns, snoozes, closes and joins; each change is one event`, async () => {
    const spool = await shared()
    const { desk, page } = await sitDown(spool)
    const colleague = await spool.makeUser(`col-${desk.user.id}@shop.example`, 'member', [desk.inbox])
    const stranger = await spool.makeUser(`str-${desk.user.id}@shop.example`, 'member', [])
    const { threadId: id } = await desk.receive({})
    const { threadId: other } = await desk.receive({ subject: 'the same, forgot something' })
    const work = (path: string, body: unknown): Promise<ThreadRow> =>
      page.do<ThreadRow>('POST', `/threads/${id}/${path}`, body)
    assert.equal((await work('read', {})).unread, false)
    assert.equal((await work('unread', {})).unread, true)
    assert.equal((await work('assign', { to: colleague.id })).assignment?.id, colleague.id)
    assert.equal((await work('assign', { to: null })).assignment, null)
    const until = toTime(Date.now() + 60_000)
    assert.equal((await work('status', { status: 'snoozed', until })).snoozedUntil, until)
    assert.equal((await work('status', { status: 'open' })).status, 'open')
    assert.equal((await work('join', { other })).messageCount, 2)
    assert.equal((await page.do<Thread>('GET', `/threads/${other}`)).id, id, 'the old id leads on')
    for (const [path, body, status] of [
      ['assign', { to: stranger.id }, 404],
      ['assign', { to: 'usr_nobody' }, 404],
      ['assign', {}, 400],
      ['status', { status: 'snoozed' }, 400],
      ['status', { status: 'open', until }, 400],
      ['status', { status: 'lost' }, 400],
      ['join', { other: id }, 409],
    ] as const) {
      const refused = await page.ask('POST', `/threads/${id}/${path}`, body)
      assert.equal(refused.status, status, `${path} ${JSON.stringify(body)}: ${refused.text}`)
    }
    const types = (await desk.events()).map(({ type }: Event) => type)
    for (const [type, times] of [
      ['thread.assigned', 1],
      ['thread.unassigned', 1],
      ['thread.status_changed', 2],
      ['thread.merged', 1],
    ] as const)
      assert.equal(types.filter((each) => each === type).length, times, type)
  })

  test(`${database}: many threads change at once, and what cannot is told`, async () => {
    const spool = await shared()
    const { desk, page } = await sitDown(spool)
    const ids = (await desk.receiveAll([{}, { subject: 'two' }, { subject: 'three' }])).map(
      ({ threadId }) => threadId,
    )
    const strange = 'thr_00000000000000000000'
    const bulk = (action: object, wanted = ids) =>
      page.do<{ done: string[]; failed: { id: string; message: string }[] }>('POST', '/threads/bulk', {
        ids: wanted,
        action,
      })
    const closed = await bulk({ type: 'status', status: 'closed' }, [...ids, strange])
    assert.deepEqual(closed.done, ids)
    assert.deepEqual(
      closed.failed.map(({ id }) => id),
      [strange],
    )
    assert.match(closed.failed[0]!.message, /no such thread/)
    await bulk({ type: 'read' })
    await bulk({ type: 'assign', to: desk.user.id })
    const { data } = await page.do<List>('GET', '/threads')
    for (const thread of data)
      assert.deepEqual([thread.status, thread.unread, thread.assignment?.id], ['closed', false, desk.user.id])
    await bulk({ type: 'unread' }, [ids[0]!])
    assert.equal((await page.do<Counts>('GET', '/counts')).views.unread, 1)
    const many = Array.from({ length: 101 }, () => ids[0]!)
    assert.equal(
      (await page.ask('POST', '/threads/bulk', { ids: many, action: { type: 'read' } })).status,
      400,
    )
  })

  test(`${database}: notes are written, mention people and are changed by who wrote them`, async () => {
    const spool = await shared()
    const { desk, page } = await sitDown(spool)
    const other = await signInAs(
      spool,
      await spool.makeUser(`other-${desk.user.id}@shop.example`, 'member', [desk.inbox]),
    )
    const { threadId } = await desk.receive({})
    const note = await page.do<Note>('POST', `/threads/${threadId}/notes`, {
      text: `@${desk.user.email} look`,
    })
    assert.deepEqual([note.threadId, note.mentions, note.editedAt], [threadId, [desk.user.id], null])
    const changed = await page.do<Note>('PATCH', `/notes/${note.id}`, { text: 'never mind' })
    assert.deepEqual([changed.text, changed.mentions], ['never mind', []])
    assert.ok(changed.editedAt)
    const refused = await other.ask('PATCH', `/notes/${note.id}`, { text: 'mine now' })
    assert.equal(refused.status, 403, refused.text)
    assert.equal((await page.ask('PATCH', '/notes/note_nothing', { text: 'x' })).status, 404)
    assert.equal((await page.ask('POST', `/threads/${threadId}/notes`, { text: '  ' })).status, 400)
    const { data } = await other.do<{ data: Note[] }>('GET', `/threads/${threadId}/notes`)
    assert.deepEqual(data, [changed])
    const told = await desk.events('note.created', 'note.updated')
    assert.deepEqual(
      told.map(({ type, data }) => [type, data.noteId]),
      [
        ['note.created', note.id],
        ['note.updated', note.id],
      ],
    )
  })

  test(`${database}: people are those who share an inbox`, async () => {
    const spool = await shared()
    const { desk, page } = await sitDown(spool)
    await openDesk(spool)
    const { data } = await page.do<{ data: { id: string; inboxes: string[] }[] }>('GET', '/people')
    assert.deepEqual(data.map(({ id }) => id).sort(), [spool.ada.id, desk.user.id].sort())
    assert.ok(data.every(({ inboxes }) => inboxes.join() === desk.inbox.id))
  })

  test(`${database}: drafts are listed by who began them, page by page`, async () => {
    const spool = await shared()
    const { desk, page } = await sitDown(spool)
    const triage = await agentOf(spool.spool, desk.token)
    const { threadId } = await desk.receive()
    for (const text of ['one', 'two', 'three']) await proposeDraft(spool.spool, triage, { threadId, text })
    for (const text of ['four', 'five']) await proposeDraft(spool.spool, desk.actor, { threadId, text })
    const list = (query: string): Promise<{ data: Draft[]; nextCursor: string | null }> =>
      page.do('GET', `/drafts?${query}`)
    const texts = ({ data }: { data: Draft[] }): string[] => data.map(({ text }) => text).sort()
    const first = await list('author=agent&limit=2')
    const rest = await list(`author=agent&limit=2&cursor=${first.nextCursor}`)
    assert.equal(rest.nextCursor, null)
    assert.deepEqual([...texts(first), ...texts(rest)].sort(), ['one', 'three', 'two'])
    assert.deepEqual(texts(await list('author=person')), ['five', 'four'])
    assert.equal((await list('')).data.length, 5)
    // A place in one list is no place in another.
    assert.equal((await page.ask('GET', `/drafts?author=person&cursor=${first.nextCursor}`)).status, 400)
    assert.equal((await page.ask('GET', '/drafts?author=robot')).status, 400)
  })

  test(`${database}: a save repeated because its answer was lost changes nothing; anybody else's is another`, async () => {
    const spool = await shared()
    const { desk, page } = await sitDown(spool)
    const colleague = await signInAs(spool, spool.ada)
    const { threadId } = await desk.receive()
    const idempotencyKey = 'first save'
    for (const beginning of [
      { kind: 'reply', threadId, text: 'one', idempotencyKey },
      { kind: 'new', inboxId: desk.inbox.id, text: 'one', idempotencyKey: `${idempotencyKey} of a new mail` },
    ]) {
      const begin = (client: WebClient): Promise<Draft> => client.do('POST', '/drafts', beginning)
      const draft = await begin(page)
      assert.deepEqual(await begin(page), draft)
      assert.notEqual((await begin(colleague)).id, draft.id)

      const save = (client: WebClient, text: string) =>
        client.ask('PUT', `/drafts/${draft.id}`, { revision: 1, text })
      const saved = (await save(page, 'two')).json<Draft>()
      assert.equal(saved.revision, 2)
      assert.deepEqual((await save(page, 'two')).json<Draft>(), saved)
      assert.deepEqual(await begin(page), saved)
      assert.equal((await save(page, 'three')).status, 409)
      assert.equal((await save(colleague, 'two')).status, 409)
    }
  })
}
