import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { Client } from 'pg'
import { receiveMail, type Incoming } from '../../src/core/receiving/receive.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { databases } from '../support/databases.ts'
import { openDesk } from '../support/desk.ts'
import { writeMail, type Letter } from '../support/letter.ts'
import { startSpool } from '../support/spool.ts'
import { checkWhole } from '../support/wholeness.ts'

/** The statements of the transaction that stores messages while `work` runs; workers beside it have others. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const { query } = Client.prototype
  const open = new Map<Client, string[]>()
  let count = 0
  Client.prototype.query = function (this: Client, ...asked: unknown[]) {
    const [first] = asked as [string | { text: string }]
    const text = typeof first === 'string' ? first : first.text
    if (/^BEGIN/i.test(text)) open.set(this, [])
    const all = open.get(this)
    all?.push(text)
    if (/^COMMIT/i.test(text) && all?.some((each) => /INSERT INTO messages\b/i.test(each)))
      count += all.length
    return Reflect.apply(query, this, asked)
  } as typeof query
  try {
    await work()
    return count
  } finally {
    Client.prototype.query = query
  }
}

async function parseAll(letters: readonly Letter[]): Promise<Incoming[]> {
  const mails = await Promise.all(letters.map((letter) => parseMail(Buffer.from(writeMail(letter)))))
  return mails.map((mail) => ({
    mail,
    direction: 'inbound',
    envelopeDate: null,
    seen: false,
    quiet: false,
  }))
}

/** Enough to be known again. */
const question = (run: string, n: number): string =>
  Array.from({ length: 40 }, (_, at) => `${run}${n}word${at}`).join(' ')

/** A third of them begin a thread, the others say it again below their answer; each has words of its own and a file. */
const letter = (run: string, n: number): Letter => ({
  subject: `${run}${n}`,
  messageId: `<${run}${n}@shop.example>`,
  date: Date.parse('2026-11-16T09:00:00Z') + n * 60_000,
  text: n % 3 === 0 ? question(run, n) : `Answer ${n}.\n\n${question(run, n - (n % 3))}`,
  ...(n % 3 === 0 ? {} : { inReplyTo: `<${run}${n - (n % 3)}@shop.example>` }),
  attachments: [{ filename: 'a.txt', type: 'text/plain', content: `${run} ${n}` }],
})

if (databases.includes('postgres'))
  test('postgres: a batch of mail takes less than one statement a message', async () => {
    await using spool = await startSpool('postgres')
    const desk = await openDesk(spool)
    const [first, second] = await Promise.all(
      ['alpha', 'beta'].map((run) => parseAll(Array.from({ length: 96 }, (_, n) => letter(run, n)))),
    )
    await receiveMail(spool.spool, desk.inbox, first!)
    const statements = await countStatements(() => receiveMail(spool.spool, desk.inbox, second!))
    assert.ok(statements > 0 && statements < 96, `${statements} statements for 96 messages`)
    assert.equal((await desk.threads('?limit=100')).length, 64)
    assert.equal(await checkWhole(spool.database), 192)
  })

test('sqlite: the rows of a batch go to the writing thread together', async () => {
  await using spool = await startSpool('sqlite')
  const desk = await openDesk(spool)
  const batch = await parseAll(Array.from({ length: 96 }, (_, n) => letter('gamma', n)))
  const { postMessage } = Worker.prototype
  let messages = 0
  Worker.prototype.postMessage = function (this: Worker, ...sent: unknown[]) {
    if ('do' in (sent[0] as object)) messages++
    return Reflect.apply(postMessage, this, sent)
  } as typeof postMessage
  try {
    await receiveMail(spool.spool, desk.inbox, batch)
  } finally {
    Worker.prototype.postMessage = postMessage
  }
  assert.ok(messages > 0 && messages < 96, `${messages} messages between threads for 96 mails`)
  assert.equal((await desk.threads('?limit=100')).length, 32)
  assert.equal(await checkWhole(spool.database), 96)
})

for (const database of databases)
  test(`${database}: mail of one batch finds what came before it in the same batch`, async () => {
    await using spool = await startSpool(database)
    const desk = await openDesk(spool)
    const of = (id: string, more: Partial<Letter> = {}): Letter => ({
      subject: id,
      date: Date.parse('2026-11-16T09:00:00Z'),
      messageId: `<${id}@x.example>`,
      text: `the words of ${id}`,
      ...more,
    })
    const [one, two] = [of('one'), of('two')]
    // More than are looked up together, so that some are found in the store and some are not written yet.
    const others = Array.from({ length: 40 }, (_, n) => of(`other${n}`))
    const batch = await parseAll([
      one,
      two,
      one,
      ...others,
      of('joins', { references: ['<one@x.example>', '<two@x.example>'] }),
      two,
      of('after', { inReplyTo: '<two@x.example>' }),
      ...others.slice(0, 3),
    ])
    const received = await receiveMail(spool.spool, desk.inbox, batch)
    const joined = received[0]!.threadId
    const at = (n: number) => ({ threadId: received[n]!.threadId, duplicate: received[n]!.duplicate })
    assert.deepEqual(at(2), { threadId: joined, duplicate: true })
    assert.deepEqual(at(43), { threadId: joined, duplicate: false })
    assert.equal(received[43]!.absorbed.length, 1)
    assert.deepEqual(at(44), { threadId: joined, duplicate: true }, 'its thread was merged meanwhile')
    assert.deepEqual(at(45), { threadId: joined, duplicate: false })
    for (const n of [46, 47, 48]) assert.equal(at(n).duplicate, true)
    const thread = await desk.thread(joined)
    assert.equal(thread.messageCount, 4)
    assert.equal((await desk.threads('?limit=100')).length, 41)
  })
