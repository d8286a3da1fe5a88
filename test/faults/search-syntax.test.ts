import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { databases, type DatabaseKind } from '../support/databases.ts'
import type { Letter } from '../support/letter.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

const letters: Letter[] = [
  { subject: 'The oak desk is near the window', text: 'Not the beech one, or the ash.' },
  { subject: 'NEAR and AND and OR and NOT', text: 'words:subject, a* b^2 -c' },
  { subject: 'Größe & Maße', text: 'ΟΔΟΣ Straße İstanbul naïve 東京 10.5 cm 🙂' },
  { subject: 'A & B | C ! D', text: 'it\'s "quoted" (and bracketed) <-> arrow' },
  { subject: 'Ordnung', text: 'oak' },
  { subject: 'Nul', text: 'before\u0000after' },
]

/** What someone types, and the letters (by number) that hold all of its words. */
const searches: [q: string, found: number[]][] = [
  ['oak', [0, 4]],
  ['OAK desk', [0]],
  ['"oak desk"', [0]],
  ['"desk oak"', [0]],
  ['"oak', [0, 4]],
  ['oak"', [0, 4]],
  ['o*', []],
  ['oak*', [0, 4]],
  ['*', []],
  ['near', [0, 1]],
  ['oak NEAR window', [0]],
  ['NEAR(oak window)', [0]],
  ['NEAR(oak, 5)', []],
  ['oak AND window', []],
  ['oak OR xyzzy', []],
  ['NOT xyzzy', []],
  ['not oak', [0]],
  ['and or not', [1]],
  ['words:subject', [1]],
  ['subject:oak', []],
  ['{words}: oak', []],
  ['words : oak', []],
  ['-oak', [0, 4]],
  ['oak -desk', [0]],
  ['!oak', [0, 4]],
  ['oak & desk', [0]],
  ['oak && desk', [0]],
  ['oak | xyzzy', []],
  ['oak <-> desk', [0]],
  ['desk <2> oak', []],
  ['oak:*', [0, 4]],
  ['oak:ABCD', []],
  ['^the', [0]],
  ['a ^ b', [1, 3]],
  ['(oak', [0, 4]],
  ['oak)', [0, 4]],
  ['((((', []],
  [')(', []],
  ['""', []],
  ["'", []],
  ["''oak''", [0, 4]],
  ["oak'; DROP TABLE threads; --", []],
  ['\\oak\\', [0, 4]],
  ['%oak%', [0, 4]],
  ['oak_desk', [0]],
  ['🙂', []],
  ['🙂 oak', [0, 4]],
  ['&|!', []],
  ['grosse masse', [2]],
  ['GRÖSSE', [2]],
  ['οδος', [2]],
  ['istanbul NAIVE', [2]],
  ['東', [2]],
  ['東京', [2]],
  ['京東', [2]],
  ['10.5', [2]],
  ['it s quoted', [3]],
  ['beforeafter', [5]],
  ['oak\u200bdesk', [0]],
  ['oak\tdesk\n', [0]],
  ['a b c d', [3]],
  ['oak '.repeat(249).trim(), [0, 4]],
  [
    Array.from({ length: 330 }, (_, n) => n.toString(36))
      .join(' ')
      .slice(0, 1000),
    [],
  ],
  ['x'.repeat(1000), []],
]

async function startWithLetters(database: DatabaseKind): Promise<TestSpool> {
  const spool = await startSpool(database)
  for (const letter of letters) await spool.receive(letter)
  return spool
}

for (const database of databases) {
  let spool: TestSpool
  before(async () => (spool = await startWithLetters(database)))
  after(() => spool[Symbol.asyncDispose]())

  test(`${database}: what is syntax elsewhere is plain words in q`, async () => {
    const subjects = letters.map((letter) => letter.subject)
    for (const [q, expected] of searches) {
      const threads = await spool.threads(`?q=${encodeURIComponent(q)}`)
      const found = threads.map(({ subject }) => subjects.indexOf(subject)).sort()
      assert.deepEqual(found, expected, q)
    }
  })

  test(`${database}: a search without any word is refused, one of 1000 characters is not`, async () => {
    for (const q of ['', '%20', '%09%0A', 'x'.repeat(1001), '%00', 'oak%00', '%FF'])
      assert.equal((await spool.get(`/api/v1/threads?q=${q}`)).status, 400, q)
  })

  test(`${database}: searching goes with every other filter`, async () => {
    const all = '&unread=1&status=open,closed&assignee=none&updatedSince=2020-01-01T00:00:00Z&limit=1'
    const inbox = `&inbox=${spool.inbox.address}`
    const first = await spool.get(`/api/v1/threads?q=%22oak%20-*${all}${inbox}`)
    const { data, nextCursor } = first.json<{ data: { subject: string }[]; nextCursor: string }>()
    assert.deepEqual([first.status, data.length], [200, 1])
    const second = await spool.get(`/api/v1/threads?q=%22oak%20-*${all}${inbox}&cursor=${nextCursor}`)
    assert.equal(second.json<{ data: unknown[] }>().data.length, 1)
    // A cursor belongs to its search.
    assert.equal((await spool.get(`/api/v1/threads?q=oak${all}${inbox}&cursor=${nextCursor}`)).status, 400)
  })
}
