import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import { writeCursor } from '../../src/core/cursors.ts'
import { changeUser } from '../../src/core/people/people.ts'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { changeStatus } from '../../src/core/threads/threads.ts'
import { listTokens, revokeToken } from '../../src/core/tokens/tokens.ts'
import type { HistoryEntry } from '../../src/model/history.ts'
import type { Note, ThreadSummary } from '../../src/model/thread.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { checkSchema } from '../support/openapi.ts'
import type { TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

type Row =
  | { type: 'thread'; cursor: string; thread: ThreadSummary }
  | { type: 'entry'; threadId: string; entry: HistoryEntry }
  | { type: 'note'; note: Note }
  | { type: 'end'; cursor: string }

function readRows(text: string): Row[] {
  assert.ok(text.endsWith('\n'))
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const row = JSON.parse(line) as Row
      checkSchema('#/components/schemas/ExportRow', row, line)
      return row
    })
}

async function exportAs(spool: TestSpool, token: string, query = ''): Promise<Row[]> {
  const answer = await spool.get(`/api/v1/export${query}`, { token })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
  return readRows(answer.text)
}

const ids = (rows: Row[]): string[] => rows.flatMap((row) => (row.type === 'thread' ? [row.thread.id] : []))
const endOf = (rows: Row[]): string => {
  const last = rows.at(-1)
  assert.ok(last?.type === 'end')
  return last.cursor
}

/** What the single routes say of each thread, in the order of the last change. */
async function expected(desk: Desk): Promise<Row[]> {
  const threads = await desk.threads('?limit=100')
  threads.sort((a, b) => (a.updatedAt + a.id < b.updatedAt + b.id ? -1 : 1))
  const rows: Row[] = []
  for (const thread of threads) {
    rows.push({ type: 'thread', cursor: '', thread })
    for (const entry of (await desk.thread(thread.id)).history)
      rows.push({
        type: 'entry',
        threadId: thread.id,
        entry: entry.type === 'message' ? { ...entry, html: null } : entry,
      })
    for (const note of await desk.notes(thread.id)) rows.push({ type: 'note', note })
  }
  return rows
}

const withoutCursors = (rows: Row[]): Row[] =>
  rows.filter(({ type }) => type !== 'end').map((row) => ('cursor' in row ? { ...row, cursor: '' } : row))

async function fill(spool: TestSpool, desk: Desk, count: number): Promise<string[]> {
  const letters = Array.from({ length: count }, (_, index) => ({
    subject: `Order ${index}`,
    html: `<p>Number ${index} <a href="https://shop.example/${index}">track</a></p>`,
    ...(index % 5 === 0
      ? { attachments: [{ filename: 'a.txt', type: 'text/plain', content: String(index) }] }
      : {}),
  }))
  const made = (await desk.receiveAll(letters)).map(({ threadId }) => threadId)
  await changeStatus(spool.spool, desk.actor, made[3]!, 'closed')
  await addNote(spool.spool, desk.actor, made[1]!, 'Wait for the carrier')
  return made
}

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: an export is everything in the view, as the single routes say it, and ends with its end`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    await fill(spool, other, 4)
    const made = await fill(spool, desk, 60)
    const messageId = '<first@long.example>'
    const [long] = await desk.receiveAll(
      Array.from({ length: 90 }, (_, index) =>
        index === 0
          ? { messageId, date: Date.now() - 9e6 }
          : { inReplyTo: messageId, date: Date.now() - 9e6 + index * 1000, text: `Answer ${index}` },
      ),
    )
    for (let note = 0; note < 45; note++)
      await addNote(spool.spool, desk.actor, long!.threadId, `Note ${note}`)
    await joinThreads(spool.spool, desk.actor, made[10]!, made[11]!)
    const rows = await exportAs(spool, desk.token)
    assert.deepEqual(withoutCursors(rows), await expected(desk))
    assert.equal(ids(rows).length, 60)

    const html = await exportAs(spool, desk.token, '?include=html')
    const bodies = html.flatMap((row) =>
      row.type === 'entry' && row.entry.type === 'message' ? [row.entry] : [],
    )
    assert.ok(bodies.some((entry) => entry.html?.includes('Number 7')))
    const noNotes = await spool.makeToken(desk.user, { scopes: ['threads:read'] })
    assert.ok((await exportAs(spool, noNotes)).every(({ type }) => type !== 'note'))
    const later = '?updatedSince=2999-01-01T00:00:00Z'
    const nothing = await exportAs(spool, desk.token, later)
    assert.deepEqual(ids(nothing), [])
    assert.deepEqual(ids(await exportAs(spool, desk.token, `${later}&cursor=${endOf(nothing)}`)), [])
    assert.deepEqual(ids(await exportAs(spool, desk.token, `?inbox=${other.inbox.id}`)), [])
    const everything = await spool.makeToken(spool.ada, { inboxes: [desk.inbox, other.inbox] })
    assert.equal(ids(await exportAs(spool, everything)).length, 64)
    assert.equal(ids(await exportAs(spool, everything, `?inbox=${other.inbox.address}`)).length, 4)
    for (const bad of [
      'include=text',
      'limit=5',
      'cursor=x',
      'inbox=',
      `cursor=${endOf(rows)}&inbox=${desk.inbox.id}`,
    ])
      assert.equal((await desk.get(`/api/v1/export?${bad}`)).status, 400, bad)
    assert.equal((await desk.get('/api/v1/export', { method: 'HEAD' })).status, 200)
  })

  test(`${database}: a cut-off export goes on after a thread; the end brings what changed since, notes too`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const made = await fill(spool, desk, 50)
    const start = Date.now()
    const whole = await exportAs(spool, desk.token)
    const threads = whole.flatMap((row) => (row.type === 'thread' ? [row] : []))
    const rest = await exportAs(spool, desk.token, `?cursor=${threads[19]!.cursor}`)
    assert.deepEqual(
      ids(rest),
      threads.slice(20).map(({ thread }) => thread.id),
    )
    // As if an hour had passed: what was there stays behind.
    const now = spool.spool.now
    spool.spool.now = () => start + 3_600_000
    try {
      const later = await exportAs(spool, desk.token)
      await addNote(spool.spool, desk.actor, made[7]!, 'One more word')
      await desk.receive({ subject: 'News' })
      const since = await exportAs(spool, desk.token, `?cursor=${endOf(later)}`)
      assert.equal(ids(since).length, 2)
      assert.equal(ids(since)[0], made[7])
      assert.ok(since.some((row) => row.type === 'note' && row.note.text === 'One more word'))
      // The resumed one must not forget what was committed while its first part ran, with an earlier time.
      const resumed = await exportAs(spool, desk.token, `?cursor=${threads[49]!.cursor}`)
      assert.ok(ids(await exportAs(spool, desk.token, `?cursor=${endOf(resumed)}`)).length >= 50)
    } finally {
      spool.spool.now = now
    }
  })

  test(`${database}: a cursor begins again when the view has other inboxes, and one of an earlier version goes on`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    const older = await other.receiveAll([{ subject: 'Before' }])
    const own = (await desk.receiveAll([{ subject: 'One' }, { subject: 'Two' }])).map(
      ({ threadId }) => threadId,
    )
    const now = spool.spool.now
    spool.spool.now = () => now() + 3_600_000
    try {
      const first = await exportAs(spool, desk.token)
      const filters = JSON.stringify(['export', desk.user.id, null, null])
      const earlier = (id: string): string =>
        writeCursor(spool.spool, filters, { timestamp: spool.spool.now(), id })
      const cursors = first.flatMap((row) => ('cursor' in row ? [row.cursor] : []))
      assert.deepEqual(ids(await exportAs(spool, desk.token, `?cursor=${endOf(first)}`)), [])
      const narrow = `?inbox=${desk.inbox.id}`
      const narrowed = endOf(await exportAs(spool, desk.token, narrow))
      await changeUser(spool.spool, desk.user.email, { inboxes: [desk.inbox.id, other.inbox.id] })
      const all = [older[0]!.threadId, ...own]
      for (const cursor of cursors) {
        const again = await exportAs(spool, desk.token, `?cursor=${cursor}`)
        assert.deepEqual(ids(again), all)
        assert.deepEqual(ids(await exportAs(spool, desk.token, `?cursor=${endOf(again)}`)), [])
      }
      assert.deepEqual(ids(await exportAs(spool, desk.token, `${narrow}&cursor=${narrowed}`)), [])
      for (const id of ['0', `${own[0]!}.${spool.spool.now().toString(36)}`])
        assert.deepEqual(ids(await exportAs(spool, desk.token, `?cursor=${earlier(id)}`)), [])
    } finally {
      spool.spool.now = now
    }
  })

  test(`${database}: one export at a time for a token, at the client's pace, until the token ends`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    await desk.receiveAll(
      Array.from({ length: 300 }, (_, index) => ({
        subject: `Long ${index}`,
        text: `${'x'.repeat(70)}\n`.repeat(900),
      })),
    )
    const token = await spool.makeToken(desk.user, { name: 'Exporter' })
    const { id } = (await listTokens(spool.spool, desk.user.email)).find(({ name }) => name === 'Exporter')!
    const headers = { authorization: `Bearer ${token}` }
    const stalled = await new Promise<IncomingMessage>((resolve, reject) =>
      get(`${spool.url}/api/v1/export`, { headers }, (response) => {
        response.pause()
        resolve(response)
      }).on('error', reject),
    )
    const second = await spool.get('/api/v1/export', { token })
    assert.equal(second.status, 429)
    assert.match(second.headers.get('retry-after')!, /^[1-9]/)
    assert.match(second.json<{ message: string }>().message, /export running/)
    assert.equal(
      (await spool.get('/api/v1/export', { token: desk.token })).status,
      200,
      'each token for itself',
    )
    await revokeToken(spool.spool, id)
    const closed = new Promise<void>((resolve) => stalled.once('close', resolve))
    // The token is looked at once a second, between two batches: so it is read slowly.
    const slowly = setInterval(() => stalled.read(65_536), 20)
    await closed
    clearInterval(slowly)
    assert.equal(stalled.complete, false, 'cut off without an end')

    const again = await spool.makeToken(desk.user, { name: 'Again' })
    const leaving = await new Promise<IncomingMessage>((resolve, reject) =>
      get(`${spool.url}/api/v1/export`, { headers: { authorization: `Bearer ${again}` } }, (response) => {
        response.pause()
        resolve(response)
      }).on('error', reject),
    )
    leaving.destroy()
    await until(
      'its place is free',
      async () => (await spool.get('/api/v1/export', { token: again })).status === 200,
    )
  })

  test(`${database}: a long thread is cut off too, when the token ends or its inbox leaves the view`, async () => {
    const spool = await shared()
    const [desk, spare] = [await openDesk(spool), await openDesk(spool)]
    const first = '<first@brandt.example>'
    await desk.receiveAll(
      Array.from({ length: 200 }, (_, index) => ({
        ...(index === 0 ? { messageId: first } : { inReplyTo: first }),
        text: `${index} ${'x'.repeat(70)}\n`.repeat(900),
      })),
    )
    const open = async (): Promise<IncomingMessage> => {
      const headers = { authorization: `Bearer ${await spool.makeToken(desk.user, { name: 'Exporter' })}` }
      return new Promise((resolve, reject) =>
        get(`${spool.url}/api/v1/export`, { headers }, (response) => {
          response.pause()
          resolve(response)
        }).on('error', reject),
      )
    }
    const takeInbox = (): Promise<unknown> =>
      changeUser(spool.spool, desk.user.email, { inboxes: [spare.inbox.id] })
    const endToken = async (): Promise<void> => {
      const { id } = (await listTokens(spool.spool, desk.user.email)).at(-1)!
      await revokeToken(spool.spool, id)
    }
    for (const end of [endToken, takeInbox]) {
      const stalled = await open()
      await end()
      let text = ''
      const closed = new Promise<void>((resolve) => stalled.once('close', resolve))
      const slowly = setInterval(() => (text += String(stalled.read(65_536) ?? '')), 20)
      await closed
      clearInterval(slowly)
      assert.equal(stalled.complete, false, 'cut off without an end')
      assert.ok(text.split('\n').length < 190, 'not the whole thread')
    }
  })

  test(`${database}: an export is compressed piece by piece`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    await fill(spool, desk, 45)
    const plain = (await desk.get('/api/v1/export', { headers: { 'accept-encoding': 'identity' } })).text
    const decoders = { gzip: createGunzip, br: createBrotliDecompress, zstd: createZstdDecompress }
    for (const [coding, open] of Object.entries(decoders)) {
      const headers = { authorization: `Bearer ${desk.token}`, 'accept-encoding': coding }
      const text = await new Promise<string>((resolve, reject) =>
        get(`${spool.url}/api/v1/export`, { headers }, (response) => {
          assert.equal(response.headers['content-encoding'], coding)
          const chunks: Buffer[] = []
          const decoder = response.pipe(open() as NodeJS.ReadWriteStream)
          decoder.on('data', (chunk: Buffer) => chunks.push(chunk))
          decoder.on('error', reject)
          decoder.on('end', () => resolve(Buffer.concat(chunks).toString()))
        }).on('error', reject),
      )
      assert.deepEqual(withoutCursors(readRows(text)), withoutCursors(readRows(plain)))
    }
  })
}
