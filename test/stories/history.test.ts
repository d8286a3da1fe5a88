import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import type { HistoryEntry, MessageEntry, Thread } from '../../src/model/history.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { startSpool } from '../support/spool.ts'

const start = Date.UTC(2026, 1, 2, 8)

async function walkHistory(desk: Desk, id: string, query: string): Promise<HistoryEntry[][]> {
  const pages: HistoryEntry[][] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const more: string = cursor === '' ? '' : `&historyCursor=${cursor}`
    const thread: Thread = (await desk.get(`/api/v1/threads/${id}?${query}${more}`)).json()
    pages.push(thread.history)
    cursor = thread.historyNextCursor
  }
  return pages
}

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: a message carries everything a reader needs, absent values as null`, async () => {
    const desk = await openDesk(await shared())
    const { threadId, messageId } = await desk.receive({
      from: 'Carla Brandt <carla@brandt.example>',
      to: `Shop <${desk.inbox.address}>, second@shop.example`,
      subject: 'Re: Größe',
      date: start,
      messageId: '<m1@brandt.example>',
      inReplyTo: '<m0@brandt.example>',
      text: 'New words.\n\nOn 1 Feb 2026 at 08:00, Shop wrote:\n> old words\n',
      headers: { Cc: 'Ole <ole@example.com>', 'Reply-To': 'desk@brandt.example' },
    })
    const { history, ...thread } = await desk.thread(threadId)
    const [message] = history as MessageEntry[]
    assert.deepEqual(message, {
      type: 'message',
      id: messageId,
      timestamp: '2026-02-02T08:00:00.000Z',
      direction: 'inbound',
      from: { name: 'Carla Brandt', address: 'carla@brandt.example' },
      to: [
        { name: 'Shop', address: desk.inbox.address },
        { name: null, address: 'second@shop.example' },
      ],
      cc: [{ name: 'Ole', address: 'ole@example.com' }],
      replyTo: [{ name: null, address: 'desk@brandt.example' }],
      subject: 'Re: Größe',
      messageId: '<m1@brandt.example>',
      inReplyTo: '<m0@brandt.example>',
      text: message!.text,
      newText: 'New words.',
      html: null,
      links: [],
      truncated: false,
      attachments: [],
      sentBy: null,
      authentication: null,
      hiddenTextRemoved: 0,
      warnings: [],
    })
    assert.match(message!.text, /^New words\.\n\nOn .*\n> old words/)
    assert.equal(thread.preview, 'New words.')
    assert.equal(thread.createdAt, message!.timestamp)
    assert.equal(thread.webUrl, `${(await shared()).url}/threads/${threadId}`)
  })

  test(`${database}: where links lead is kept with the message`, async () => {
    const desk = await openDesk(await shared())
    const { threadId } = await desk.receive({
      html: '<a href="https://a.example/?x=1&amp;y=2"><div>Order 4711</div><div>Track it</div></a>',
    })
    const [message] = (await desk.thread(threadId)).history as MessageEntry[]
    assert.deepEqual(message!.links, [{ text: 'Order 4711 Track it', href: 'https://a.example/?x=1&y=2' }])
  })

  test(`${database}: identifiers that others made up hold nothing unseen, and still join threads`, async () => {
    const desk = await openDesk(await shared())
    const unseen = '\u{E0069}\u{E0067}\u200B\u00AD\x07é'
    const first = await desk.receive({
      messageId: `<m${unseen}1@brandt.example>`,
      attachments: [{ filename: 'a.png', type: `image/png${unseen}`, content: 'a' }],
    })
    const answer = await desk.receive({
      messageId: '<m2@brandt.example>',
      inReplyTo: `<m${unseen}1@brandt.example>`,
    })
    assert.equal(answer.threadId, first.threadId)
    const history = (await desk.thread(first.threadId)).history as MessageEntry[]
    assert.match(history[0]!.messageId!, /^<m(?:%[\dA-F]{2})+1@brandt\.example>$/)
    assert.equal(history[1]!.inReplyTo, history[0]!.messageId)
    assert.match(history[0]!.attachments[0]!.contentType, /^[ -~]+$/)
  })

  test(`${database}: the history tells messages and changes in one order, oldest first`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive({ date: start, messageId: '<h1@a.example>' })
    const second = await desk.receive()
    await assignThread(spool.spool, desk.actor, threadId, desk.user)
    await changeStatus(spool.spool, desk.actor, threadId, 'closed')
    await assignThread(spool.spool, desk.actor, threadId, null)
    await joinThreads(spool.spool, desk.actor, threadId, second.threadId)
    const { history } = await desk.thread(threadId)
    assert.deepEqual(
      history.map(({ type }) => type).sort(),
      ['assigned', 'merged', 'message', 'message', 'status_changed', 'status_changed', 'unassigned'].sort(),
    )
    const keys = history.map(({ timestamp, id }) => timestamp + id)
    assert.deepEqual(keys, keys.toSorted())
    assert.equal(history[0]!.type, 'message')
    const actor = { type: 'person', id: desk.user.id, name: desk.user.name }
    const told = Map.groupBy(history, ({ type }) => type)
    const bare = (type: string) => {
      const { id: _, timestamp: __, ...rest } = told.get(type as never)![0]!
      return rest
    }
    assert.deepEqual(bare('assigned'), {
      type: 'assigned',
      to: { id: desk.user.id, name: desk.user.name },
      actor,
    })
    assert.deepEqual(bare('unassigned'), { type: 'unassigned', actor })
    assert.deepEqual(bare('status_changed'), { type: 'status_changed', from: 'open', to: 'closed', actor })
    assert.deepEqual(bare('merged'), { type: 'merged', threadId: second.threadId, actor })
    const newestFirst = (await walkHistory(desk, threadId, 'historyOrder=desc')).flat()
    assert.deepEqual(newestFirst, history.toReversed())
  })

  test(`${database}: what was changed within one millisecond is told in the order of the changes`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    const { now } = spool.spool
    const time = now()
    spool.spool.now = () => time
    const changes = ['closed', 'open', 'waiting', 'closed', 'spam', 'open', 'closed'] as const
    try {
      for (const status of changes) await changeStatus(spool.spool, desk.actor, threadId, status)
    } finally {
      spool.spool.now = now
    }
    const { history } = await desk.thread(threadId)
    assert.deepEqual(
      history.flatMap((entry) => (entry.type === 'status_changed' ? [entry.to] : [])),
      changes,
    )
  })

  test(`${database}: at most 200 entries come at once, in either order, and historyCursor continues`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const letters = Array.from({ length: 212 }, (_, index) => ({
      messageId: `<p${index}@pages.example>`,
      references: ['<p0@pages.example>'],
      // In threes with one time, so that pages begin and end among ties.
      date: start + Math.floor(index / 3) * 1000,
      text: String(index),
    }))
    const { threadId } = (await desk.receiveAll(letters.slice(0, 200)))[0]!
    const whole = await desk.thread(threadId)
    assert.deepEqual([whole.history.length, whole.historyNextCursor, whole.messageCount], [200, null, 200])
    await desk.receiveAll(letters.slice(200))
    const other = await desk.receive()
    const asc = await walkHistory(desk, threadId, 'historyOrder=asc')
    assert.deepEqual(
      asc.map((page) => page.length),
      [200, 12],
    )
    const ids = asc.flat().map(({ id }) => id)
    assert.equal(new Set(ids).size, 212)
    const keys = asc.flat().map(({ timestamp, id }) => timestamp + id)
    assert.deepEqual(keys, keys.toSorted())
    const desc = await walkHistory(desk, threadId, 'historyOrder=desc')
    assert.deepEqual(
      desc.flat().map(({ id }) => id),
      ids.toReversed(),
    )
    const cursor = (await desk.thread(threadId)).historyNextCursor!
    for (const path of [
      `${threadId}?historyOrder=desc&historyCursor=${cursor}`,
      `${other.threadId}?historyCursor=${cursor}`,
      `${threadId}?historyCursor=${cursor.slice(0, -1)}`,
      `${threadId}?historyCursor=x`,
    ]) {
      const answer = await desk.get(`/api/v1/threads/${path}`)
      assert.equal(answer.status, 400, path)
      assert.match(answer.json<{ message: string }>().message, /historyCursor/)
    }
    // A reply that arrives between two pages is on a later one, and nothing is lost.
    await desk.receive({ references: ['<p0@pages.example>'], date: start + 86_400_000, text: 'last' })
    const rest: Thread = (await desk.get(`/api/v1/threads/${threadId}?historyCursor=${cursor}`)).json()
    assert.deepEqual(
      rest.history.slice(0, -1).map(({ id }) => id),
      ids.slice(200),
    )
  })

  test(`${database}: text is at most 256 kB and html at most 1 MB; what is longer is cut and says so`, async () => {
    const desk = await openDesk(await shared())
    const long = await desk.receive({ text: 'Größe '.repeat(60_000) })
    const [plain] = (await desk.thread(long.threadId)).history as MessageEntry[]
    assert.equal(plain!.truncated, true)
    const bytes = Buffer.byteLength(plain!.text)
    assert.ok(bytes <= 256_000 + 6_144 && bytes > 250_000, String(bytes))
    assert.equal(plain!.text.includes('\ufffd'), false)
    const paragraphs = `<p>${'word '.repeat(1000)}</p>`.repeat(220)
    const rich = await desk.receive({ text: 'short', html: paragraphs })
    const [page] = (await desk.thread(rich.threadId)).history as MessageEntry[]
    assert.equal(page!.truncated, true)
    assert.ok(Buffer.byteLength(page!.html ?? '') <= 1_048_576)
    const short = await desk.receive({ text: 'short' })
    const [small] = (await desk.thread(short.threadId)).history as MessageEntry[]
    assert.equal(small!.truncated, false)
  })

  test(`${database}: preview is at most 200 characters of the newest message's new text, on one line`, async () => {
    const desk = await openDesk(await shared())
    const { threadId } = await desk.receive({
      messageId: '<pre@a.example>',
      date: start,
      text: `${'😀'.repeat(150)}\n\nmore   words`,
    })
    const long = (await desk.thread(threadId)).preview
    assert.ok(long.length <= 200 && long.isWellFormed(), String(long.length))
    await desk.receive({
      inReplyTo: '<pre@a.example>',
      date: start + 1000,
      text: 'Yes,\n\n  please\n\nOn 2 Feb 2026 at 08:00, Shop wrote:\n> quoted\n',
    })
    assert.equal((await desk.thread(threadId)).preview, 'Yes, please')
    await desk.receive({ inReplyTo: '<pre@a.example>', date: start - 1000, text: 'earlier' })
    assert.equal((await desk.thread(threadId)).preview, 'Yes, please')
  })

  test(`${database}: revision grows with every change, and updatedAt never goes back`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive({ messageId: '<rev@a.example>' })
    let before = await desk.thread(threadId)
    for (const change of [
      () => changeStatus(spool.spool, desk.actor, threadId, 'closed'),
      () => assignThread(spool.spool, desk.actor, threadId, desk.user),
      () => desk.receive({ inReplyTo: '<rev@a.example>' }),
    ]) {
      await change()
      const after = await desk.thread(threadId)
      assert.ok(after.revision > before.revision)
      assert.ok(after.updatedAt >= before.updatedAt)
      before = after
    }
    await changeStatus(spool.spool, desk.actor, threadId, before.status)
    assert.equal((await desk.thread(threadId)).revision, before.revision, 'nothing changed')
  })
}

for (const database of databases) {
  test(`${database}: a page of very large messages is shorter, and the cursor leads on`, async () => {
    await using spool = await startSpool(database)
    const text = 'Large words. '.repeat(19_000)
    const ids: string[] = []
    for (let n = 0; n < 30; n++) {
      const messageId = `<large${n}@x.example>`
      const { messageId: id } = await spool.receive({
        messageId,
        references: ['<large0@x.example>'],
        text: `${n} ${text}`,
        date: Date.now() - 60_000 * (40 - n),
      })
      ids.push(id)
    }
    const [{ id: threadId } = { id: '' }] = await spool.threads()
    const seen: string[] = []
    let pages = 0
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const thread: { history: { id: string }[]; historyNextCursor: string | null } = (
        await spool.get(`/api/v1/threads/${threadId}${cursor === '' ? '' : `?historyCursor=${cursor}`}`)
      ).json()
      seen.push(...thread.history.map(({ id }) => id))
      cursor = thread.historyNextCursor
    }
    assert.deepEqual(seen, ids)
    assert.equal(pages, 2)
  })
}
