import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiveMail } from '../../src/core/receiving/receive.ts'
import { addNote } from '../../src/core/threads/notes.ts'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { listTokens, revokeToken } from '../../src/core/tokens/tokens.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { textQuery } from '../../src/store/statement.ts'
import { databases, type DatabaseKind } from '../support/databases.ts'
import { openDesk, shareSpool, walkPages, type Desk } from '../support/desk.ts'
import { writeMail, type Letter } from '../support/letter.ts'
import type { TestSpool } from '../support/spool.ts'

/** Threads by a name of their own. */
const mail: Record<string, Letter> = {
  frame: { subject: 'Größe der Rahmen', text: 'Die Straße ist 40 cm breit, sagt Müller.' },
  cafe: { subject: 'Café', text: 'A résumé of naïve façade work, crème brûlée at 12:30.' },
  decomposed: { subject: 'Cafe\u0301 two', text: 'Decomposed E\u0301clair.' },
  istanbul: { subject: 'İstanbul', text: 'IĞDIR and ılık.' },
  tokyo: { subject: '東京タワー', text: '注文番号は４７１２です。' },
  thai: { subject: 'สวัสดี', text: 'ขอบคุณ' },
  seoul: { subject: '서울 주문', text: '안녕하세요' },
  greek: { subject: 'ΟΔΥΣΣΕΥΣ', text: 'Ὀδυσσεύς' },
  cyrillic: { subject: 'ЁЛКА', text: 'Заказ пришёл' },
  arabic: { subject: 'طلب', text: 'مرحبا' },
  hebrew: { subject: 'הזמנה', text: 'שלום' },
  hindi: { subject: 'नमस्ते', text: 'धन्यवाद' },
  cherokee: { subject: 'ᏣᎳᎩ', text: '𞤀𞤣𞤤𞤢𞤥 and 𝔘𝔫𝔦𝔠𝔬𝔡𝔢' },
  emoji: { subject: 'Thanks 👍🏽', text: 'Great 🎉 party👨‍👩‍👧 time' },
  order: { subject: 'Order 4711', text: 'Order no. 4711/22-A costs 1,234.50 EUR (ﬁnal) ① ½' },
  address: {
    subject: 'Hi',
    from: 'Ole Kirk <ole.kirk@toys.example>',
    to: '"Team, The" <team@shop.example>',
    text: 'x',
  },
  operators: {
    subject: 'NOT near',
    text: 'this AND that OR those, a:b c* "quoted phrase" title:zebra ^start',
  },
  html: {
    subject: 'Page',
    text: 'plainonly',
    html: '<p>Shown <b>bold</b>ly</p><script>hiddenscript</script>',
  },
  long: { subject: 'Long', text: `${'x'.repeat(64)}tail ${'word '.repeat(20)}lastword` },
}

/** What is searched for, and which threads it finds. */
const searches: [q: string, found: string[]][] = [
  ['größe', ['frame']],
  ['GROSSE', ['frame']],
  ['grosse', ['frame']],
  ['groesse', []],
  ['strasse', ['frame']],
  ['STRASSE', ['frame']],
  ['straße muller', ['frame']],
  ['Müller 40', ['frame']],
  ['cafe', ['cafe', 'decomposed']],
  ['CAFÉ', ['cafe', 'decomposed']],
  ['cafe\u0301', ['cafe', 'decomposed']],
  ['eclair', ['decomposed']],
  ['resume naive facade creme brulee', ['cafe']],
  ['istanbul', ['istanbul']],
  ['İSTANBUL', ['istanbul']],
  ['ISTANBUL', ['istanbul']],
  ['ılık', ['istanbul']],
  ['東京', ['tokyo']],
  ['京', ['tokyo']],
  ['タワー', ['tokyo']],
  ['大阪', []],
  ['4712', ['tokyo']],
  ['４７１１', ['order']],
  ['สวัสดี', ['thai']],
  ['서울', ['seoul']],
  ['οδυσσευς', ['greek']],
  ['ΟΔΥΣΣΕΥΣ', ['greek']],
  ['ёлка', ['cyrillic']],
  ['ЕЛКА заказ', ['cyrillic']],
  ['طلب', ['arabic']],
  ['שלום', ['hebrew']],
  ['नमस्ते', ['hindi']],
  ['ᏣᎳᎩ', ['cherokee']],
  ['𞤀𞤣𞤤𞤢𞤥', ['cherokee']],
  ['unicode', ['cherokee']],
  ['👍', []],
  ['thanks 👍', ['emoji']],
  ['party', ['emoji']],
  ['🎉 party time', ['emoji']],
  ['4711', ['order']],
  ['order 4711', ['order']],
  ['order 4711 zebra', []],
  ['471', []],
  ['22-a', ['order']],
  ['22 a', ['order']],
  ['1,234.50', ['order']],
  ['final', ['order']],
  ['1 2', ['order']],
  ['ole.kirk@toys.example', ['address']],
  ['OLE.KIRK@TOYS.EXAMPLE', ['address']],
  ['kirk toys', ['address']],
  ['team the', ['address']],
  ['"Ole Kirk" <ole.kirk@toys.example>', ['address']],
  ['NOT', ['operators']],
  ['not near', ['operators']],
  ['NEAR(this that)', ['operators']],
  ['this AND that', ['operators']],
  ['this OR zebra', ['operators']],
  ['this NOT that', ['operators']],
  ['or', ['operators']],
  ['"quoted', ['operators']],
  ['"phrase quoted"', ['operators']],
  ['c*', ['operators']],
  ['zeb*', []],
  ['title:zebra', ['operators']],
  ['words:zebra', []],
  ['^start', ['operators']],
  ["zebra'; DROP TABLE threads; --", []],
  ["'zebra'", ['operators']],
  ['zebra & | ! <-> :*', ['operators']],
  ['zebra\\', ['operators']],
  ['(zebra', ['operators']],
  ['{zebra} -start', ['operators']],
  ['shown boldly', ['html']],
  ['hiddenscript', []],
  ['lastword', ['long']],
  ['***', []],
  ['" " "', []],
  ['%', []],
  ['_', []],
  ['\ue000999', []],
]

async function fill(spool: TestSpool): Promise<{ desk: Desk; names: Map<string, string> }> {
  const desk = await openDesk(spool)
  const received = await desk.receiveAll(Object.values(mail))
  const keys = Object.keys(mail)
  return { desk, names: new Map(received.map(({ threadId }, index) => [threadId, keys[index]!])) }
}

/** What each database found, to be held against the other's. */
const answers = new Map<DatabaseKind, Map<string, string[]>>()

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: q finds plain words with case and accents folded, in all scripts`, async () => {
    const { desk, names } = await fill(await shared())
    const answered = new Map<string, string[]>()
    answers.set(database, answered)
    for (const [q] of searches) {
      const threads = await desk.threads(`?q=${encodeURIComponent(q)}`)
      answered.set(q, threads.map(({ id }) => names.get(id)!).sort())
    }
    assert.deepEqual(answered, new Map(searches.map(([q, found]) => [q, found.toSorted()])))
  })

  test(`${database}: all words must stand in one message; subject, people and text of it count together`, async () => {
    const desk = await openDesk(await shared())
    const { threadId } = await desk.receive({
      messageId: '<q1@a.example>',
      subject: 'Blue lamp',
      text: 'It is broken.',
      from: 'Ida <ida@lamps.example>',
    })
    await desk.receive({ inReplyTo: '<q1@a.example>', subject: 'Re: Green', text: 'Another fuse.' })
    const find = async (q: string) => (await desk.threads(`?q=${q}`)).map(({ id }) => id)
    for (const q of ['lamp', 'fuse', 'lamp+broken+ida', 'green+fuse', 'ida%40lamps.example+blue'])
      assert.deepEqual(await find(q), [threadId], q)
    for (const q of ['lamp+fuse', 'broken+another', 'ida+green']) assert.deepEqual(await find(q), [], q)
  })

  test(`${database}: notes, file names and other people's inboxes are not searched`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    const { threadId } = await desk.receive({
      attachments: [{ filename: 'walrus.txt', type: 'text/plain', content: 'walrus' }],
    })
    await other.receive({ subject: 'Walrus' })
    await addNote(spool.spool, desk.actor, threadId, 'This is a walrus.')
    assert.deepEqual(await desk.threads('?q=walrus'), [])
    assert.equal((await other.threads('?q=walrus')).length, 1)
  })

  test(`${database}: a search is in the order of every list and goes page by page`, async () => {
    const desk = await openDesk(await shared())
    const start = Date.UTC(2026, 3, 1)
    const order = [3, 1, 4, 1, 5, 9, 2, 6]
    await desk.receiveAll(order.map((at) => ({ subject: 'Kite', date: start + at * 60_000 })))
    const listed = (await desk.threads()).map(({ id }) => id)
    const walked = await walkPages(desk.get, '/api/v1/threads?q=kite&limit=3')
    assert.deepEqual(
      walked.map(({ id }) => id),
      listed,
    )
  })

  test(`${database}: a search with thousands of matches answers as one with few does`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const start = Date.UTC(2026, 4, 1)
    const threads = await desk.receiveAll(
      Array.from({ length: 12 }, (_, index) => ({
        subject: index % 4 === 3 ? 'Other' : `Bulk ${index}`,
        text: index % 2 ? 'odd' : 'even',
        date: start + (index % 5) * 60_000,
      })),
    )
    const hidden = await openDesk(spool)
    await hidden.receive({ subject: 'Bulk' })
    for (const { threadId } of threads.slice(0, 4))
      await assignThread(spool.spool, desk.actor, threadId, desk.user)
    for (const { threadId } of threads.slice(2, 7))
      await changeStatus(spool.spool, desk.actor, threadId, 'closed')
    const queries = [
      '',
      '&unread=1',
      '&status=closed',
      '&status=open,closed',
      '&assignee=me',
      '&assignee=none',
    ]
    queries.push('&unread=1&status=open', '&updatedSince=2020-01-01T00:00:00Z', '&assignee=me&status=closed')
    const ask = async (): Promise<string[][]> => {
      const answers: string[][] = []
      for (const q of ['bulk', 'bulk+odd'])
        for (const query of queries)
          answers.push(
            (await walkPages(desk.get, `/api/v1/threads?limit=2&q=${q}${query}`)).map(({ id }) => id),
          )
      return answers
    }
    const few = await ask()
    assert.equal(few[0]!.length, 9)
    for (const [index, word] of ['bulk odd', 'bulk even'].entries())
      await copyMessages(spool, threads[index]!.messageId, 3_000, `${word} ${index}`, desk.inbox.number)
    await spool.makeToken(desk.user, { name: 'Noise' })
    const { id } = (await listTokens(spool.spool, desk.user.email)).find(({ name }) => name === 'Noise')!
    await revokeToken(spool.spool, id)
    // The odd copies hang on an even thread, which now has such a message too.
    const many = await ask()
    assert.deepEqual(many.slice(0, queries.length), few.slice(0, queries.length))
    const odd = new Set([...few[queries.length]!, threads[0]!.threadId])
    assert.deepEqual(
      many.slice(queries.length),
      few.slice(0, queries.length).map((ids) => ids.filter((id) => odd.has(id))),
    )
    assert.deepEqual((await hidden.threads('?q=bulk')).length, 1)
  })

  test(`${database}: mail without a letter or digit is stored and leaves the rest of its batch alone`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const wordless = [
      'Message-ID: <wordless@x.example>',
      'To: undisclosed-recipients:;',
      'Subject: ?',
      '',
      ':-)',
      '',
    ].join('\r\n')
    const usual = { direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
    const batch = await Promise.all(
      [writeMail({ subject: 'Wordy' }), wordless].map(async (raw) => ({
        mail: await parseMail(Buffer.from(raw)),
        ...usual,
      })),
    )
    assert.equal(batch[1]!.mail.searchTerms, '')
    await receiveMail(spool.spool, desk.inbox, batch)
    assert.deepEqual((await desk.threads()).map(({ subject }) => subject).sort(), ['?', 'Wordy'])
    assert.equal((await desk.threads('?q=wordy')).length, 1)
  })
}

/** Copies of a message by SQL, because a search has to have very many to take its other way. */
async function copyMessages(
  { spool }: TestSpool,
  messageId: string,
  count: number,
  words: string,
  inbox: number,
): Promise<void> {
  const columns = `inbox, thread, arrival, timestamp, direction, message_id, in_reply_to, subject, sender, recipients, preview,
    attachment_count, sent_by, authentication, hidden_text_removed, warnings, truncated, kind`
  const sqlite = spool.db.dialect === 'sqlite'
  const identity = sqlite ? `CAST(m.id || n.i AS BLOB)` : `convert_to(m.id || n.i, 'UTF8')`
  const indexed = `\ue000${inbox} ${words}`
  await spool.db.transaction(async (db) => {
    await db.run(
      textQuery(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
         INSERT INTO messages (id, identity, ${columns}) SELECT m.id || 'c' || n.i, ${identity}, ${columns}
         FROM messages m CROSS JOIN n WHERE m.id = ?`,
        [messageId],
      ),
    )
    const target = sqlite
      ? `message_search (rowid, words) SELECT number, ?`
      : `message_search (message, words) SELECT number, array_to_tsvector(string_to_array(?, ' '))`
    await db.run(
      textQuery(`INSERT INTO ${target} FROM messages WHERE id LIKE ?`, [indexed, `${messageId}c%`]),
    )
  })
}

test('both databases find the same for every search', { skip: databases.length < 2 }, () => {
  const [one, two] = databases.map((database) => answers.get(database))
  assert.equal(one!.size, searches.length)
  assert.deepEqual(one, two)
})
