import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { orderedTerms } from '../../src/model/search/terms.ts'
import type { SavedView, ThreadRow } from '../../src/model/work.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import type { Letter } from '../support/letter.ts'
import { makeRandom } from '../support/random.ts'
import { signInAs, type WebClient } from '../support/web-client.ts'

type Page = { data: ThreadRow[]; nextCursor: string | null }

async function count(page: WebClient, q: string, more = ''): Promise<[number, boolean]> {
  const path = `/search/count?q=${encodeURIComponent(q)}${more}`
  const { count, isAll } = await page.do<{ count: number; isAll: boolean }>('GET', path)
  return [count, isAll]
}

async function search(page: WebClient, q: string, more = ''): Promise<ThreadRow[]> {
  const rows: ThreadRow[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const at: string = cursor === '' ? '' : `&cursor=${cursor}`
    const found: Page = await page.do('GET', `/search?q=${encodeURIComponent(q)}${more}${at}`)
    rows.push(...found.data)
    cursor = found.nextCursor
  }
  return rows
}

const day = 86_400_000
const march = Date.UTC(2026, 2, 10, 12)

const mail: Record<string, Letter> = {
  anna: {
    from: 'Anna Lind <anna@brandt.example>',
    subject: 'Invoice 4711',
    text: 'The oak table has arrived.',
    date: march,
  },
  bert: {
    from: 'Bert <bert@oak.example>',
    headers: { Cc: 'Anna Lind <anna@brandt.example>' },
    subject: 'Chairs',
    text: 'The table is oak. An invoice please.',
    date: march + day,
    attachments: [{ filename: 'Größe-plan.PDF', type: 'application/pdf', content: 'x' }],
  },
  cleo: {
    from: 'Cleo <cleo@b.example>',
    to: 'Orders <orders@shop.example>, ben@shop.example',
    subject: 'Re: oak table',
    text: 'Nothing new.',
    date: march + 30 * day,
  },
}

/** What is typed, and which of the threads it finds. */
const searches: [q: string, found: string[]][] = [
  ['oak table', ['anna', 'bert', 'cleo']],
  ['"oak table"', ['anna', 'cleo']],
  ['"TABLE is oak"', ['bert']],
  ['-"oak table"', ['bert']],
  ['oak -invoice', ['cleo']],
  ['-invoice', ['cleo']],
  ['-invoice -new', []],
  ['from:anna', ['anna']],
  ['from:brandt.example', ['anna']],
  ['from:"anna lind"', ['anna']],
  ['from:"lind anna"', []],
  ['from:ann', []],
  ['-from:anna', ['bert', 'cleo']],
  ['cc:anna', ['bert']],
  ['to:orders', ['cleo']],
  ['to:ben@shop.example', ['cleo']],
  ['subject:invoice', ['anna']],
  ['subject:oak invoice', []],
  ['subject:oak', ['cleo']],
  ['from:bert invoice', ['bert']],
  ['has:attachment', ['bert']],
  ['has:attachment from:anna', []],
  ['filename:grosse', ['bert']],
  ['filename:pdf oak', ['bert']],
  ['filename:other', []],
  ['after:2026-03-11', ['bert', 'cleo']],
  ['before:2026-03-11', ['anna']],
  ['on:2026-03-10', ['anna']],
  ['on:2026-03', ['anna', 'bert']],
  ['on:2026/4', ['cleo']],
  ['on:2026 oak', ['anna', 'bert', 'cleo']],
  ['before:2026', []],
  ['older_than:1d', ['anna', 'bert', 'cleo']],
  ['newer_than:1d', []],
  ['on:today', []],
  ['is:open', ['anna', 'bert']],
  ['is:closed is:spam', ['cleo']],
  ['is:unread', ['anna', 'bert', 'cleo']],
  ['status:closed', ['cleo']],
  ['assignee:me', ['bert']],
  ['assignee:none', ['anna', 'cleo']],
  ['assignee:nobody@shop.example', []],
  ['oak is:open from:brandt.example before:2027 "oak table"', ['anna']],
  ['oak colour:red', []],
  ['', ['anna', 'bert', 'cleo']],
  ['from:', ['anna', 'bert', 'cleo']],
  ["oak'; DROP TABLE threads; --", []],
  ['"oak" & | ! <-> :* ( NEAR(a b)', []],
]

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: each operator of the search field finds what it says, alone and with others`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const received = await desk.receiveAll(Object.values(mail))
    const names = new Map(received.map(({ threadId }, at) => [threadId, Object.keys(mail)[at]!]))
    const [, bert, cleo] = received
    await assignThread(spool.spool, desk.actor, bert!.threadId, desk.user)
    await changeStatus(spool.spool, desk.actor, cleo!.threadId, 'closed')
    for (const [q, found] of searches) {
      const rows = await search(page, q)
      assert.deepEqual(rows.map(({ id }) => names.get(id)).sort(), found, q)
      assert.deepEqual(await count(page, q), [found.length, true], q)
    }
    assert.equal((await search(page, `in:${desk.inbox.address}`)).length, 3)
    assert.equal((await search(page, 'in:elsewhere')).length, 0)
    // Midnight in Auckland is eleven hours before that in London.
    const there = '&zone=Pacific/Auckland'
    assert.deepEqual(
      (await search(page, 'on:2026-03-11', there)).map(({ id }) => names.get(id)),
      ['anna'],
    )
    assert.equal((await page.ask('GET', '/search?q=oak&zone=Nowhere')).status, 400)
    assert.equal((await page.ask('GET', `/search?q=${'x'.repeat(1001)}`)).status, 400)
    // For programs q is what it was: plain words.
    assert.equal((await desk.threads('?q=from%3Aanna')).length, 0)
    assert.equal((await desk.threads('?q=-oak')).length, 3)
  })

  test(`${database}: while a word is typed, its beginning finds it`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    await desk.receiveAll([
      { subject: 'Invoice', from: 'Ida <ida@x.example>' },
      { subject: 'Invoicing and größen', from: 'Ole <ole@x.example>' },
      { subject: 'Other' },
    ])
    const typed = async (q: string): Promise<number> => (await search(page, q, '&typing=1')).length
    const counts = [
      ['invoic', 2],
      ['INVOICI', 1],
      ['from:ole invoic', 1],
      ['subject:gröss', 1],
      ['gros invoicing', 0],
      ['invoice gro', 0],
    ]
    for (const [q, count] of counts) assert.equal(await typed(q as string), count, q as string)
    for (const q of ['in', 'invoic ', '"invoic', '-invoic'])
      assert.equal(await typed(q), q === '-invoic' ? 3 : 0, q)
    assert.equal((await search(page, 'invoic')).length, 0)
    assert.deepEqual(await count(page, 'invoic', '&typing=1'), [2, true])
  })

  test(`${database}: while a word is typed, mail is found by every word that it may become`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const numbers = Array.from({ length: 120 }, (_, n) => `inv${1000 + n}`)
    await desk.receiveAll([
      { subject: 'All numbers', text: numbers.join(' ') },
      { subject: 'Invoice', text: 'For oak and elm.' },
      { subject: 'Inventory', text: 'Of oak.' },
      { subject: 'Invitation', text: 'To a walk.' },
      { subject: 'Oak', text: 'Nothing to pay.' },
    ])
    const typed = async (q: string): Promise<string[]> =>
      (await search(page, q, '&typing=1')).map(({ subject }) => subject).sort()
    assert.deepEqual(await typed('inv'), ['All numbers', 'Inventory', 'Invitation', 'Invoice'])
    assert.deepEqual(await typed('oak inv'), ['Inventory', 'Invoice'])
    assert.deepEqual(await typed('-elm oak inv'), ['Inventory'])
    assert.deepEqual(await typed('subject:oak inv'), [])
    assert.deepEqual(await count(page, 'inv', '&typing=1'), [4, true])
    assert.deepEqual(await count(page, 'oak inv', '&typing=1'), [2, true])
  })

  test(`${database}: common and rare words, met or collected, answer as a plain look at all mail does`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const { letters, threads } = await fill(desk)
    const random = makeRandom(7)
    const word = (): string => `w${Math.floor(40 * random() ** 3)}`
    for (let round = 0; round < 40; round++) {
      const wanted = [word(), ...(random() < 0.5 ? [word()] : [])]
      const not = random() < 0.3 ? word() : null
      const from = random() < 0.2 ? `p${Math.floor(random() * 5)}` : null
      const q = [...wanted, ...(not ? [`-${not}`] : []), ...(from ? [`from:${from}`] : [])].join(' ')
      const matching = letters.filter(({ text, from: sender }) => {
        const terms = orderedTerms(text!)
        const isFrom = from === null || sender!.startsWith(`${from} `)
        return wanted.every((each) => terms.includes(each)) && !(not && terms.includes(not)) && isFrom
      })
      const ids = new Set(matching.map(({ messageId }) => threads.get(messageId!)!.id))
      const newest = [...new Set(threads.values())].filter(({ id }) => ids.has(id))
      const expected = newest
        .toSorted((a, b) => b.date - a.date || (a.id < b.id ? 1 : -1))
        .map(({ id }) => id)
      const rows = await search(page, q, '&limit=7')
      assert.deepEqual(
        rows.map(({ id }) => id),
        expected,
        q,
      )
      assert.deepEqual(await count(page, q), [expected.length, true], q)
    }
  })

  test(`${database}: a person's saved views are theirs alone`, async () => {
    const spool = await shared()
    const [one, two] = [await openDesk(spool), await openDesk(spool, 'viewer')]
    const [ann, ben] = [await signInAs(spool, one.user), await signInAs(spool, two.user)]
    const made = await ann.do<SavedView>('POST', '/views', {
      name: ' Invoices ',
      search: 'subject:invoice is:open',
    })
    await ben.do('POST', '/views', { name: 'B', search: 'b' })
    assert.deepEqual(await ann.do('GET', '/views'), {
      data: [{ id: made.id, name: 'Invoices', search: 'subject:invoice is:open' }],
    })
    for (const body of [
      { name: '', search: 'a' },
      { name: 'a', search: ' ' },
      { name: 'x'.repeat(81), search: 'a' },
    ])
      assert.equal((await ann.ask('POST', '/views', body)).status, 400)
    assert.equal((await ben.ask('DELETE', `/views/${made.id}`)).status, 404)
    assert.deepEqual(await ann.do('DELETE', `/views/${made.id}`), { removed: made.id })
    assert.deepEqual(await ann.do('GET', '/views'), { data: [] })
    for (let index = 1; index < 50; index++) await ben.do('POST', '/views', { name: `${index}`, search: 'x' })
    assert.equal((await ben.ask('POST', '/views', { name: 'One more', search: 'x' })).status, 409)
  })
}

/** 400 messages in 320 threads, in another order than that of their dates. */
async function fill(
  desk: Desk,
): Promise<{ letters: Letter[]; threads: Map<string, { id: string; date: number }> }> {
  const random = makeRandom(3)
  const letters: Letter[] = []
  for (let index = 0; index < 400; index++) {
    const words = Array.from({ length: 8 }, () => `w${Math.floor(40 * random() ** 3)}`)
    letters.push({
      messageId: `<s${index}@x.example>`,
      subject: 'S',
      text: words.join(' '),
      from: `p${index % 5} <p${index % 5}@x.example>`,
      date: march + ((Math.floor(random() * 1e9) * 1_000) % (100 * day)),
      ...(index % 5 === 4 ? { inReplyTo: `<s${Math.floor(random() * index)}@x.example>` } : {}),
    })
  }
  const received = await desk.receiveAll(letters)
  const dates = new Map<string, number>()
  for (const [at, { threadId }] of received.entries())
    dates.set(threadId, Math.max(dates.get(threadId) ?? 0, letters[at]!.date!))
  const ofThread = new Map([...dates].map(([id, date]) => [id, { id, date }]))
  const threads = new Map(
    received.map(({ threadId }, at) => [letters[at]!.messageId!, ofThread.get(threadId)!]),
  )
  return { letters, threads }
}
