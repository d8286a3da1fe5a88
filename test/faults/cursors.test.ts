import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addNote } from '../../src/core/threads/notes.ts'
import { changeStatus } from '../../src/core/threads/threads.ts'
import { databases } from '../support/databases.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

type Page = { nextCursor: string; historyNextCursor: string }

async function refuse(spool: TestSpool, path: string, why: string, token = spool.token): Promise<void> {
  const answer = await spool.get(`/api/v1${path}`, { token })
  assert.equal(answer.status, 400, `${why}: ${path}`)
  assert.match(String(answer.json()['code']), /^bad_(cursor|parameter)$/, why)
}

/** Cut at every place, and changed at every place. */
function damaged(cursor: string): string[] {
  const places = Array.from({ length: cursor.length }, (_, at) => at)
  return [
    ...places.slice(1).map((at) => cursor.slice(0, at)),
    ...places.slice(1).map((at) => cursor.slice(at)),
    ...places.map((at) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)),
    ...['=', 'A', '%00', '%20', '.', '%F0%9F%99%82'].flatMap((end) => [cursor + end, end + cursor]),
    cursor.toUpperCase(),
    cursor + cursor,
    'x'.repeat(201),
    '',
  ].filter((text) => text !== cursor)
}

for (const database of databases) {
  test(`${database}: a cursor that was cut, altered or made elsewhere is refused, and never taken for another place`, async () => {
    await using spool = await startSpool(database)
    await using elsewhere = await startSpool('sqlite')
    const { threadId } = await spool.receive({ subject: 'First' })
    const second = await spool.receive({ subject: 'Second' })
    await elsewhere.receive({})
    await elsewhere.receive({})
    for (const text of ['One', 'Two']) await addNote(spool.spool, spool.actor, threadId, text)
    await addNote(spool.spool, spool.actor, second.threadId, 'Three')
    for (let n = 0; n < 201; n++)
      await changeStatus(spool.spool, spool.actor, threadId, n % 2 ? 'open' : 'closed')

    const next = async (from: TestSpool, path: string): Promise<Page> =>
      (await from.get(`/api/v1${path}`)).json<Page>()
    const threads = (await next(spool, '/threads?limit=1')).nextCursor
    const notes = (await next(spool, `/threads/${threadId}/notes?limit=1`)).nextCursor
    const history = (await next(spool, `/threads/${threadId}`)).historyNextCursor
    for (const cursor of [threads, notes, history]) assert.match(cursor, /^[\w-]+$/)
    assert.equal((await spool.threads(`?cursor=${threads}`)).length, 1)

    for (const cursor of damaged(threads)) await refuse(spool, `/threads?limit=1&cursor=${cursor}`, 'damaged')
    for (const cursor of damaged(notes).slice(0, 40))
      await refuse(spool, `/threads/${threadId}/notes?cursor=${cursor}`, 'damaged')
    for (const cursor of damaged(history).slice(0, 40))
      await refuse(spool, `/threads/${threadId}?historyCursor=${cursor}`, 'damaged')

    await refuse(spool, `/threads?cursor=${notes}`, 'of notes')
    await refuse(spool, `/threads?cursor=${history}`, 'of a history')
    await refuse(spool, `/threads/${threadId}/notes?cursor=${threads}`, 'of threads')
    await refuse(spool, `/threads/${second.threadId}/notes?cursor=${notes}`, "of another thread's notes")
    await refuse(
      spool,
      `/threads/${threadId}?historyCursor=${history}&historyOrder=desc`,
      'of the other order',
    )
    await refuse(spool, `/threads/${second.threadId}?historyCursor=${history}`, "of another thread's history")
    for (const filter of ['unread=1', 'status=open', 'assignee=me', 'q=first', `inbox=${spool.inbox.id}`])
      await refuse(spool, `/threads?${filter}&cursor=${threads}`, 'of other filters')
    await refuse(
      spool,
      `/threads?cursor=${(await next(elsewhere, '/threads?limit=1')).nextCursor}`,
      'of another instance',
    )
    const nina = await spool.makeUser('nina@shop.example', 'member', [spool.inbox])
    await refuse(spool, `/threads?cursor=${threads}`, 'of another person', await spool.makeToken(nina))
  })
}
