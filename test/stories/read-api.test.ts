import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiveMail } from '../../src/core/receiving/receive.ts'
import { joinThreads } from '../../src/core/receiving/joining.ts'
import { removeUser } from '../../src/core/people/people.ts'
import { addNote, editNote } from '../../src/core/threads/notes.ts'
import { assignThread } from '../../src/core/threads/threads.ts'
import { parseMail } from '../../src/mail/parse.ts'
import type { Person } from '../../src/model/access.ts'
import type { Event } from '../../src/model/events.ts'
import type { Message, MessageEntry, Thread } from '../../src/model/history.ts'
import type { InboxReference, Note } from '../../src/model/thread.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, walkPages, type Desk } from '../support/desk.ts'
import { writeMail } from '../support/letter.ts'

interface List<Item> {
  data: Item[]
  nextCursor: string | null
}

async function read<Value>(desk: Desk, path: string): Promise<Value> {
  const answer = await desk.get(`/api/v1${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<Value>()
}

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: every id that an event names can be read, and nothing more than the view shows`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    const { threadId, messageId } = await desk.receive({
      attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'hello' }],
    })
    const noteId = await addNote(spool.spool, desk.actor, threadId, 'A word')
    const events = await desk.events('message.received', 'note.created')
    assert.deepEqual(
      events.map(({ data }) => [data.inboxId, data.threadId, data.messageId ?? data.noteId]),
      [
        [desk.inbox.id, threadId, messageId],
        [desk.inbox.id, threadId, noteId],
      ],
    )
    const [entry] = (await desk.thread(threadId)).history
    assert.deepEqual(await read<Message>(desk, `/messages/${messageId}`), { ...entry, threadId })
    assert.deepEqual(await read<Note>(desk, `/notes/${noteId}`), (await desk.notes(threadId))[0])
    const { id, name, address } = desk.inbox
    assert.deepEqual(await read<InboxReference>(desk, `/inboxes/${id}`), { id, name, address })
    const { id: userId, name: userName, email } = desk.user
    const person = { id: userId, name: userName, email, active: true }
    assert.deepEqual(await read<Person>(desk, `/users/${events[1]!.data.actor.id}`), person)
    for (const path of [
      `messages/${messageId}`,
      `messages/${messageId}/source`,
      `notes/${noteId}`,
      `inboxes/${id}`,
      `users/${userId}`,
    ])
      assert.equal((await other.get(`/api/v1/${path}`)).status, 404, path)
  })

  test(`${database}: messages and notes have an ETag of their own; ETags of JSON are weak`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId, messageId } = await desk.receive()
    const noteId = await addNote(spool.spool, desk.actor, threadId, 'First')
    for (const path of [
      'threads',
      `threads/${threadId}`,
      `threads/${threadId}/notes`,
      `messages/${messageId}`,
      `notes/${noteId}`,
      'users',
      'inboxes',
    ]) {
      const etag = (await desk.get(`/api/v1/${path}`)).headers.get('etag')!
      assert.match(etag, /^W\/"[\w-]+"$/, path)
      const ask = async (tag: string) =>
        (await desk.get(`/api/v1/${path}`, { headers: { 'if-none-match': tag } })).status
      assert.equal(await ask(etag), 304, path)
      assert.equal(await ask(`"x", ${etag.slice(2)}`), 304, 'compared weakly')
      assert.equal(await ask('W/"x"'), 200)
    }
    const before = (await desk.get(`/api/v1/notes/${noteId}`)).headers.get('etag')!
    const message = (await desk.get(`/api/v1/messages/${messageId}`)).headers.get('etag')!
    await editNote(spool.spool, desk.actor, noteId, 'Second')
    const changed = await desk.get(`/api/v1/notes/${noteId}`, { headers: { 'if-none-match': before } })
    assert.equal(changed.status, 200)
    assert.equal(changed.json<Note>().text, 'Second')
    const same = { headers: { 'if-none-match': message } }
    assert.equal((await desk.get(`/api/v1/messages/${messageId}`, same)).status, 304)
  })

  test(`${database}: a source comes byte for byte, to those with sources:read, whole or in part`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const raw = writeMail({ subject: 'Ä/b: c', text: 'x'.repeat(1_500_000), date: Date.now() - 9000 })
    const mail = await parseMail(Buffer.from(raw))
    const [received] = await receiveMail(spool.spool, desk.inbox, [
      { mail, direction: 'inbound', envelopeDate: null, seen: false, quiet: false },
    ])
    const path = `/api/v1/messages/${received!.messageId}/source`
    const ask = (headers: Record<string, string> = {}, method = 'GET') =>
      fetch(spool.url + path, { method, headers: { authorization: `Bearer ${desk.token}`, ...headers } })
    const whole = await ask()
    assert.equal(whole.status, 200)
    assert.equal(await whole.text(), raw)
    assert.equal(whole.headers.get('content-type'), 'message/rfc822')
    assert.match(whole.headers.get('content-disposition')!, /^attachment; filename="_ b  c\.eml"/)
    assert.equal(whole.headers.get('accept-ranges'), 'bytes')
    const etag = whole.headers.get('etag')!
    assert.match(etag, /^"/, 'strong')
    const reader = await spool.makeToken(desk.user, {
      scopes: ['threads:read', 'notes:read', 'events:read', 'drafts:propose'],
    })
    assert.equal((await spool.get(path, { token: reader })).status, 403)
    await checkRanges(ask, Buffer.from(raw), etag)
  })

  test(`${database}: attachments take ranges and have a strong ETag bound to their bytes`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const content = Buffer.alloc(700_000, 'Spool holds what is sent.')
    const file = { filename: 'a.bin', type: 'application/x-thing', content: content.toString('latin1') }
    const { threadId } = await desk.receive({ attachments: [file, { ...file, filename: 'b.bin' }] })
    const [one, two] = ((await desk.thread(threadId)).history[0] as MessageEntry).attachments
    const ask = (headers: Record<string, string> = {}, method = 'GET', url = one!.url) =>
      fetch(spool.url + url, { method, headers: { authorization: `Bearer ${desk.token}`, ...headers } })
    const etag = (await ask()).headers.get('etag')!
    assert.match(etag, /^"/)
    assert.equal((await ask({}, 'HEAD', two!.url)).headers.get('etag'), etag, 'the same bytes')
    await checkRanges(ask, content, etag)
  })

  test(`${database}: inboxes and people are those of the view, page by page; who left stays as inactive`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const inboxes = [desk.inbox, await spool.makeInbox(`second-${desk.inbox.address}`)]
    const colleague = await spool.makeUser(`c-${desk.user.email}`, 'member', [inboxes[0]!])
    const leaver = await spool.makeUser(`l-${desk.user.email}`, 'member', [inboxes[0]!])
    await spool.makeUser(`s-${desk.user.email}`, 'member', [inboxes[1]!])
    await removeUser(spool.spool, leaver.email)
    const people = await walkPages<Person>(desk.get, '/api/v1/users?limit=1')
    assert.deepEqual(
      people.map(({ id, active }) => [id, active]),
      [
        [spool.ada.id, true],
        [desk.user.id, true],
        [colleague.id, true],
        [leaver.id, false],
      ],
    )
    assert.deepEqual(Object.keys(people[0]!), ['id', 'name', 'email', 'active'])
    assert.equal((await read<Person>(desk, `/users/${leaver.id}`)).active, false)
    const both = await spool.makeToken(spool.ada, { inboxes })
    const ask = (path: string) => spool.get(path, { token: both })
    const walked = await walkPages<InboxReference>(ask, '/api/v1/inboxes?limit=1')
    assert.deepEqual(
      walked,
      inboxes.map(({ id, name, address }) => ({ id, name, address })),
    )
    const { nextCursor } = (await ask('/api/v1/inboxes?limit=1')).json<List<InboxReference>>()
    assert.equal((await ask(`/api/v1/users?cursor=${nextCursor}`)).status, 400, 'bound to its list')
    const nobody = await spool.makeUser(`n-${desk.user.email}`)
    const alone = await spool.get('/api/v1/users', { token: await spool.makeToken(nobody) })
    assert.deepEqual(
      alone.json<List<Person>>().data.map(({ id }) => id),
      [nobody.id],
    )
  })

  test(`${database}: historyLimit bounds the page of history, from none to 200`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    for (const to of [desk.user, null, desk.user]) await assignThread(spool.spool, desk.actor, threadId, to)
    const whole = await desk.thread(threadId)
    assert.equal(whole.history.length, 4)
    for (const order of ['asc', 'desc'] as const) {
      const none = await read<Thread>(desk, `/threads/${threadId}?historyLimit=0&historyOrder=${order}`)
      assert.deepEqual([none.history, none.messageCount], [[], 1])
      const met: Thread['history'] = []
      for (let cursor = none.historyNextCursor; cursor !== null;) {
        const query = `historyLimit=3&historyOrder=${order}&historyCursor=${cursor}`
        const page: Thread = await read<Thread>(desk, `/threads/${threadId}?${query}`)
        assert.ok(page.history.length <= 3)
        met.push(...page.history)
        cursor = page.historyNextCursor
      }
      assert.deepEqual(met, order === 'asc' ? whole.history : whole.history.toReversed())
    }
    for (const bad of ['-1', '201', '1.5', ''])
      assert.equal((await desk.get(`/api/v1/threads/${threadId}?historyLimit=${bad}`)).status, 400, bad)
  })

  test(`${database}: from is who began the thread, assignee may be an address`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const ids = new Map<string, string>()
    for (const from of ['Ann@Rare.Example', 'bob@rare.example', 'cy@sub.rare.example', '"x@y"@rare.example'])
      ids.set(from, (await desk.receive({ from })).threadId)
    await assignThread(spool.spool, desk.actor, ids.get('bob@rare.example')!, desk.user)
    const found = async (query: string) =>
      (await desk.threads(`?${query}`)).map(({ sender }) => sender.address.toLowerCase()).sort()
    assert.deepEqual(await found('from=ann@rare.example'), ['ann@rare.example'])
    assert.deepEqual(await found('from=RARE.example'), [
      '"x@y"@rare.example',
      'ann@rare.example',
      'bob@rare.example',
    ])
    assert.deepEqual(await found('from=sub.rare.example'), ['cy@sub.rare.example'])
    assert.deepEqual(await found('from=example'), [])
    assert.deepEqual(await found('from=rare.example&unread=1&status=open&q=order&limit=1'), [
      '"x@y"@rare.example',
    ])
    assert.deepEqual(await found(`assignee=${desk.user.email.toUpperCase()}`), ['bob@rare.example'])
    assert.deepEqual(await found(`assignee=${desk.user.email}&from=ann@rare.example`), [])
    assert.deepEqual(await found('assignee=nobody@nowhere.example'), [])
    const walked = await walkPages<{ id: string }>(desk.get, '/api/v1/threads?from=rare.example&limit=1')
    assert.equal(walked.length, 3)
    for (const bad of ['from=', 'from=a%20b', 'from=a@b@c', 'assignee=ada', 'assignee=@'])
      assert.equal((await desk.get(`/api/v1/threads?${bad}`)).status, 400, bad)
  })

  test(`${database}: events by several kinds and inboxes, one of each must match`, async () => {
    const spool = await shared()
    const [one, two] = [await openDesk(spool), await openDesk(spool)]
    for (const desk of [one, two]) {
      const { threadId } = await desk.receive()
      await addNote(spool.spool, desk.actor, threadId, 'Hello')
    }
    const token = await spool.makeToken(spool.ada, { inboxes: [one.inbox, two.inbox] })
    const found = async (query: string) => {
      const answer = await spool.get(`/api/v1/events?${query}`, { token })
      assert.equal(answer.status, 200, answer.text)
      return answer.json<List<Event>>().data.map(({ type, data }) => `${type} ${data.inboxId}`)
    }
    const kinds = ['message.received', 'note.created']
    const of = (desk: Desk) => kinds.map((kind) => `${kind} ${desk.inbox.id}`)
    assert.deepEqual(await found(`type=${kinds.join(',')}`), [...of(one), ...of(two)])
    assert.deepEqual(await found(`type=${kinds.join(',')}&inbox=${two.inbox.address.toUpperCase()}`), of(two))
    assert.deepEqual(await found(`type=note.created&inbox=${one.inbox.id},${two.inbox.id}`), [
      of(one)[1],
      of(two)[1],
    ])
    assert.deepEqual(await found('inbox=inb_0,nobody@shop.example'), [])
    for (const bad of ['type=', 'type=note.created,', 'type=nothing', 'inbox=', 'inbox=a', 'inbox=a@b,'])
      assert.equal((await spool.get(`/api/v1/events?${bad}`, { token })).status, 400, bad)
  })

  test(`${database}: the id of a thread that was merged into another says in Content-Location which it is now`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const [first, second] = [await desk.receive(), await desk.receive()]
    await joinThreads(spool.spool, desk.actor, first.threadId, second.threadId)
    const at = async (path: string) => (await desk.get(`/api/v1${path}`)).headers.get('content-location')
    assert.equal(await at(`/threads/${first.threadId}`), null)
    for (const query of ['', '?historyOrder=desc'])
      assert.equal(
        await at(`/threads/${second.threadId}${query}`),
        `${spool.url}/api/v1/threads/${first.threadId}${query}`,
      )
    assert.equal(
      await at(`/threads/${second.threadId}/notes`),
      `${spool.url}/api/v1/threads/${first.threadId}/notes`,
    )
    assert.equal((await read<Message>(desk, `/messages/${second.messageId}`)).threadId, first.threadId)
  })
}

async function checkRanges(
  ask: (headers: Record<string, string>, method?: string) => Promise<Response>,
  content: Buffer,
  etag: string,
): Promise<void> {
  const size = content.length
  const parts: [range: string, start: number, end: number][] = [
    ['bytes=0-0', 0, 1],
    ['bytes=10-19', 10, 20],
    [`bytes=${size - 5}-`, size - 5, size],
    ['bytes=-5', size - 5, size],
    [`bytes=262140-${size * 2}`, 262_140, size],
    [`bytes=-${size * 2}`, 0, size],
  ]
  for (const [range, start, end] of parts) {
    const part = await ask({ range })
    assert.equal(part.status, 206, range)
    assert.equal(part.headers.get('content-range'), `bytes ${start}-${end - 1}/${size}`)
    assert.equal(part.headers.get('etag'), etag)
    const bytes = Buffer.from(await part.arrayBuffer())
    assert.equal(Buffer.compare(bytes, content.subarray(start, end)), 0, range)
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0']) {
    const none = await ask({ range })
    assert.equal(none.status, 416, range)
    assert.equal(none.headers.get('content-range'), `bytes */${size}`)
    assert.match(((await none.json()) as { message: string }).message, /no such bytes/)
  }
  for (const range of ['bytes=0-1,4-5', 'bytes=5-1', 'bytes=-', 'lines=1-2', 'bytes=a-b'])
    assert.equal((await ask({ range })).status, 200, range)
  assert.equal((await ask({ range: 'bytes=0-1', 'if-range': etag })).status, 206)
  assert.equal((await ask({ range: 'bytes=0-1', 'if-range': '"other"' })).status, 200)
  assert.equal((await ask({ range: 'bytes=0-1', 'if-none-match': etag })).status, 304)
  const head = await ask({ range: 'bytes=0-1' }, 'HEAD')
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(size)])
}
