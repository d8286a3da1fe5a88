import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeInbox } from '../../src/core/inboxes/inboxes.ts'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { statuses, type Status, type ThreadSummary } from '../../src/model/thread.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, walkPages, type Desk } from '../support/desk.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

const start = Date.UTC(2026, 0, 5, 9)
const minute = 60_000

interface Made {
  id: string
  unread: boolean
  status: Status
  mine: boolean
  invoice: boolean
}

/** Threads of every status, read and unread, mine and nobody's, about two things, oldest first. */
async function fillDesk(spool: TestSpool, desk: Desk): Promise<Made[]> {
  const made: Made[] = []
  for (let index = 0; index < 40; index++) {
    const status = statuses[index % 5]!
    const unread = index % 2 === 0
    const mine = index % 3 === 0
    const invoice = index % 4 < 2
    const { threadId: id } = await desk.receive(
      { date: start + index * minute, subject: invoice ? `Invoice ${index}` : `Parcel ${index}` },
      { seen: !unread },
    )
    const until = status === 'snoozed' ? Date.now() + 1e8 : null
    await changeStatus(spool.spool, desk.actor, id, status, until)
    if (mine) await assignThread(spool.spool, desk.actor, id, desk.user)
    made.push({ id, unread, status, mine, invoice })
  }
  return made.toReversed()
}

for (const database of databases) {
  const shared = shareSpool(database)
  const filled = (() => {
    let desk: Promise<Desk & { made: Made[] }> | undefined
    return () =>
      (desk ??= (async () => {
        const spool = await shared()
        const desk = await openDesk(spool)
        return { ...desk, made: await fillDesk(spool, desk) }
      })())
  })()

  const filters: [query: string, keeps: (thread: Made) => boolean][] = [
    ['unread=1', ({ unread }) => unread],
    ['unread=true', ({ unread }) => unread],
    ['unread=0', () => true],
    ['unread=false', () => true],
    ...statuses.map((status): [string, (thread: Made) => boolean] => [
      `status=${status}`,
      (thread) => thread.status === status,
    ]),
    ['status=open,closed', ({ status }) => status === 'open' || status === 'closed'],
    ['status=open%2Cclosed,open', ({ status }) => status === 'open' || status === 'closed'],
    [`status=${statuses.join(',')}`, () => true],
    ['assignee=me', ({ mine }) => mine],
    ['assignee=none', ({ mine }) => !mine],
    ['assignee=usr_00000000000000000', () => false],
    ['q=invoice', ({ invoice }) => invoice],
    ['q=INVOICE+carla', ({ invoice }) => invoice],
    ['inbox=nobody@shop.example', () => false],
    ['inbox=inb_0000000000000', () => false],
    ['updatedSince=2999-01-01T00:00:00Z', () => false],
    ['updatedSince=2001-01-01T00:00:00%2B02:00', () => true],
  ]

  /** One of each, for pairs. */
  const common = filters.filter(([query]) =>
    /^(unread=1|status=open,closed|assignee=(me|none)|q=invoice|updatedSince=2001.*)$/.test(query),
  )

  test(`${database}: each filter keeps what it names, and any two of them what both name`, async () => {
    const desk = await filled()
    const find = async (query: string): Promise<string[]> =>
      (await desk.threads(`?limit=100&${query}`)).map(({ id }) => id)
    for (const [one, keepsOne] of filters) {
      assert.deepEqual(
        await find(one),
        desk.made.filter(keepsOne).map(({ id }) => id),
        one,
      )
    }
    for (const [one, keepsOne] of common) {
      for (const [two, keepsTwo] of common) {
        if (one.split('=')[0]! >= two.split('=')[0]!) continue
        const both = desk.made.filter((thread) => keepsOne(thread) && keepsTwo(thread))
        assert.deepEqual(
          await find(`${one}&${two}`),
          both.map(({ id }) => id),
          `${one}&${two}`,
        )
      }
    }
  })

  test(`${database}: all filters at once, page by page`, async () => {
    const desk = await filled()
    const query = `unread=1&status=open,closed,waiting&assignee=none&q=invoice&inbox=${desk.inbox.address.toUpperCase()}&updatedSince=2001-01-01T00:00:00Z`
    const wanted = desk.made.filter(
      ({ unread, status, mine, invoice }) =>
        unread && ['open', 'closed', 'waiting'].includes(status) && !mine && invoice,
    )
    const found = await walkPages<ThreadSummary>(desk.get, `/api/v1/threads?limit=1&${query}`)
    assert.ok(wanted.length > 1)
    assert.deepEqual(
      found.map(({ id }) => id),
      wanted.map(({ id }) => id),
    )
  })

  test(`${database}: assignee takes a user's id, inbox an id or an address`, async () => {
    const spool = await shared()
    const desk = await filled()
    const mine = desk.made.filter(({ mine }) => mine).length
    const admin = (query: string) => spool.threads(`?limit=100&inbox=${desk.inbox.id}${query}`)
    assert.equal((await admin('')).length, desk.made.length)
    assert.equal((await admin(`&assignee=${desk.user.id}`)).length, mine)
    assert.equal((await admin('&assignee=me')).length, 0, 'me is the person of the token')
    assert.equal((await spool.threads(`?limit=100&inbox=${desk.inbox.address}`)).length, desk.made.length)
  })

  test(`${database}: a list writes an inbox's name as JSON does, whatever it contains`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    await desk.receive()
    const name = `"Käse" \\ 'n' 😀`
    await changeInbox(spool.spool, desk.inbox.id, { name })
    const { text } = await desk.get('/api/v1/threads')
    const { id, address } = desk.inbox
    assert.ok(text.includes(JSON.stringify({ id, name, address })), text)
  })

  test(`${database}: updatedSince includes the moment itself`, async () => {
    const desk = await filled()
    const [newest] = [...(await desk.threads('?limit=100'))].sort((a, b) =>
      a.updatedAt < b.updatedAt ? 1 : -1,
    )
    const at = (time: number) => desk.threads(`?limit=100&updatedSince=${new Date(time).toISOString()}`)
    const time = Date.parse(newest!.updatedAt)
    assert.ok((await at(time)).some(({ id }) => id === newest!.id))
    assert.deepEqual(await at(time + 1), [])
  })

  test(`${database}: threads are sorted by timestamp, newest first, ties by id`, async () => {
    const desk = await openDesk(await shared())
    for (const offset of [5, 1, 3, 3, 3, 2, 5]) await desk.receive({ date: start + offset * minute })
    const expected = (threads: ThreadSummary[]) =>
      [...threads].sort((a, b) => (a.timestamp + a.id < b.timestamp + b.id ? 1 : -1)).map(({ id }) => id)
    for (const query of ['', '?unread=1', '?status=open', '?q=order', '?assignee=none']) {
      const threads = await desk.threads(query)
      assert.equal(threads.length, 7)
      assert.deepEqual(
        threads.map(({ id }) => id),
        expected(threads),
        query,
      )
      const walked = await walkPages(desk.get, `/api/v1/threads${query || '?'}&limit=2`)
      assert.deepEqual(
        walked.map(({ id }) => id),
        expected(threads),
        `${query} in pages of 2`,
      )
    }
  })

  test(`${database}: a reply moves its thread to the front of every list`, async () => {
    const desk = await openDesk(await shared())
    const first = await desk.receive({ date: start, messageId: '<first@a.example>' })
    await desk.receive({ date: start + minute })
    await desk.receive(
      { date: start + 2 * minute, inReplyTo: '<first@a.example>' },
      { direction: 'outbound' },
    )
    for (const query of ['', '?unread=1', '?status=open', '?q=order'])
      assert.equal((await desk.threads(query))[0]!.id, first.threadId, query)
  })

  test(`${database}: limit is 1 to 100, 50 without it, and Link leads to the next page`, async () => {
    const desk = await openDesk(await shared())
    await desk.receiveAll(Array.from({ length: 51 }, (_, count) => ({ date: start + count * minute })))
    const first = await desk.get('/api/v1/threads?status=open')
    const page = first.json<{ data: ThreadSummary[]; nextCursor: string }>()
    assert.equal(page.data.length, 50)
    const [, url, rel] = /^<([^>]+)>; rel="(\w+)"$/.exec(first.headers.get('link')!)!
    assert.equal(rel, 'next')
    assert.equal(new URL(url!).searchParams.get('cursor'), page.nextCursor)
    assert.equal(new URL(url!).searchParams.get('status'), 'open')
    const response = await fetch(url!, { headers: { authorization: `Bearer ${desk.token}` } })
    const second = (await response.json()) as { data: ThreadSummary[]; nextCursor: null }
    assert.deepEqual([second.data.length, second.nextCursor], [1, null])
    assert.equal(response.headers.get('link'), null)
    assert.equal((await desk.threads('?limit=100')).length, 51)
    assert.equal((await desk.get('/api/v1/threads?limit=51')).headers.get('link'), null)
  })

  test(`${database}: Link and webUrl begin with the public address, its path included`, async () => {
    await using spool = await startSpool(database, { SPOOL_URL: 'https://desk.example.com/spool/' })
    for (let count = 0; count < 2; count++) await spool.receive({})
    const answer = await spool.get('/api/v1/threads?limit=1')
    assert.match(
      answer.headers.get('link')!,
      /^<https:\/\/desk\.example\.com\/spool\/api\/v1\/threads\?limit=1&cursor=/,
    )
    const [thread] = answer.json<{ data: ThreadSummary[] }>().data
    assert.equal(thread!.webUrl, `https://desk.example.com/spool/threads/${thread!.id}`)
  })

  test(`${database}: a cursor is for the list and the filters it was made with, and cannot be altered`, async () => {
    const spool = await shared()
    const desk = await filled()
    const nextOf = async (path: string, token = desk.token) =>
      (await spool.get(`/api/v1${path}`, { token })).json<{ nextCursor: string }>().nextCursor
    const cursor = await nextOf('/threads?limit=2&status=open')
    const flip = (at: number) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
    const bad = [
      ...Array.from(cursor, (_, at) => `status=open&cursor=${flip(at)}`),
      ...[0, 5, 16, cursor.length - 1].map((end) => `status=open&cursor=${cursor.slice(0, end)}`),
      `status=open&cursor=${cursor}AA`,
      `status=open&cursor=${'A'.repeat(200)}`,
      `status=open&cursor=${'A'.repeat(5000)}`,
      'status=open&cursor=%F0%9F%93%AE',
      `status=closed&cursor=${cursor}`,
      `cursor=${cursor}`,
      `status=open&unread=1&cursor=${cursor}`,
      `status=open&q=order&cursor=${cursor}`,
      `status=open&cursor=${await nextOf('/threads?limit=2')}`,
      `status=open&cursor=${await nextOf('/threads?limit=2&status=open', spool.token)}`,
    ]
    for (const query of bad) {
      const answer = await desk.get(`/api/v1/threads?${query}`)
      assert.equal(answer.status, 400, query)
      assert.match(answer.json<{ message: string }>().message, /cursor/)
    }
    for (const path of [
      `/threads/${desk.made[0]!.id}/notes?cursor=`,
      `/threads/${desk.made[0]!.id}?historyCursor=`,
    ])
      assert.equal((await desk.get(`/api/v1${path}${cursor}`)).status, 400, path)
    assert.equal((await desk.get(`/api/v1/threads?limit=9&status=open&cursor=${cursor}`)).status, 200)
  })

  test(`${database}: an unknown parameter, a repeated one or a bad value is a 400 that names it`, async () => {
    const desk = await filled()
    const thread = `/threads/${desk.made[0]!.id}`
    const bad: [path: string, name: string][] = [
      ...['Unread=1', 'stat=open', 'page=2', '__proto__=1', 'constructor=1', 'toString', '=1', '%20=1'].map(
        (query): [string, string] => [`/threads?${query}`, decodeURIComponent(query.split('=')[0]!)],
      ),
      ...['', '2', 'yes', 'TRUE', '1,0', '%001'].map((value): [string, string] => [
        `/threads?unread=${value}`,
        'unread',
      ]),
      ...['', 'opened', 'Open', 'open,', ',open', 'open;closed', 'open closed'].map(
        (value): [string, string] => [`/threads?status=${value}`, 'status'],
      ),
      ...['', 'ME', 'nobody', 'me,none', 'ada@', 'usr_', 'thr_1'].map((value): [string, string] => [
        `/threads?assignee=${value}`,
        'assignee',
      ]),
      ...['', 'support', 'inb_', 'a b@c', `${'a'.repeat(400)}@b`].map((value): [string, string] => [
        `/threads?inbox=${value}`,
        'inbox',
      ]),
      ...['', '%20', '+', 'x'.repeat(1001), '%ff', '%00', 'a%00b'].map((value): [string, string] => [
        `/threads?q=${value}`,
        'q',
      ]),
      ...[
        '',
        'yesterday',
        '2026-01-01',
        '2026-02-30T00:00:00Z',
        '2026-01-01T00:00:00',
        '2026-01-01T00:00:00+02:00',
        '1767225600',
      ].map((value): [string, string] => [`/threads?updatedSince=${value}`, 'updatedSince']),
      ...['', '0', '101', '-1', '1.5', '1e1', '0x5', '05', 'ten', ' 5'].map((value): [string, string] => [
        `/threads?limit=${value}`,
        'limit',
      ]),
      ['/threads?unread=1&unread=1', 'unread'],
      ['/threads?q=a&limit=5&q=a', 'q'],
      ['/threads?limit=5&%6Cimit=5', 'limit'],
      ['/threads?unread', 'unread'],
      ['/threads?cursor=', 'cursor'],
      [`${thread}?historyOrder=down`, 'historyOrder'],
      [`${thread}?historyCursor=`, 'historyCursor'],
      [`${thread}?limit=5`, 'limit'],
      [`${thread}/notes?limit=0`, 'limit'],
      [`${thread}/notes?historyOrder=asc`, 'historyOrder'],
      ['/events?after=-1', 'after'],
      ['/events?after=1e3', 'after'],
      ['/events?wait=31', 'wait'],
      ['/events?wait=1.5', 'wait'],
      ['/events?type=thread.exploded', 'type'],
      ['/events?type=', 'type'],
      ['/events?cursor=1', 'cursor'],
      ['/me?x=1', 'x'],
      ['/attachments/att_0?download=1', 'download'],
    ]
    for (const [path, name] of bad) {
      const answer = await desk.get(`/api/v1${path}`)
      assert.equal(answer.status, 400, path.slice(0, 80))
      const { message, details } = answer.json<{ message: string; details: { parameter: string } }>()
      assert.equal(details.parameter, name, path)
      assert.ok(message.includes(name), `${path}: ${message}`)
    }
  })
}
