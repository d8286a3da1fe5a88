import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addNote } from '../../src/core/threads/notes.ts'
import { transaction } from '../../src/store/database.ts'
import { Child } from '../support/child.ts'
import { describeTimes, timeWhile } from '../support/latencies.ts'
import { writeMail } from '../support/letter.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

/** Asks for a little of everything; a serving thread that is held up would answer none of it before it is let go. */
async function readAround(t: TestContext, spool: TestSpool): Promise<void> {
  for (const path of ['/api/v1/threads', '/api/v1/threads?q=order', '/healthz']) {
    let left = 10
    const times = await timeWhile(
      () => left-- > 0,
      async () => assert.equal((await spool.get(path)).status, 200),
    )
    t.diagnostic(`${path}: ${describeTimes(times)}`)
  }
}

test('sqlite: while another process holds the write lock, reads go on and writes wait their turn', async (t) => {
  await using spool = await startSpool('sqlite')
  const { threadId } = await spool.receive({ subject: 'First' })
  await using holder = new Child('test/faults/child/hold-lock.ts', [join(spool.database.folder, 'spool.db')])
  await holder.says(/held/)
  let written = false
  const writes = Promise.all([
    spool.receive({ subject: 'Second' }),
    addNote(spool.spool, spool.actor, threadId, 'A note'),
  ]).finally(() => (written = true))
  await readAround(t, spool)
  assert.equal(written, false, 'the lock is in the way')
  assert.doesNotMatch(holder.stdout, /released/)
  holder.process.stdin.end()
  await holder.says(/released/)
  await writes
  assert.deepEqual(
    (await spool.threads()).map(({ subject, noteCount }) => [subject, noteCount]),
    [
      ['Second', 0],
      ['First', 1],
    ],
  )
})

test('sqlite: a long write of the server itself stalls no read', async (t) => {
  await using spool = await startSpool('sqlite')
  await spool.receive({ subject: 'First' })
  let reading = true
  let inserts = 0
  const long = transaction(spool.spool.db, async (db) => {
    for (const going = () => reading; going(); inserts++)
      await db.run(
        db.build.insertInto('settings').values({ name: `long-${inserts}`, value: 'x'.repeat(1000) }),
      )
  })
  await readAround(t, spool)
  reading = false
  await long
  t.diagnostic(`${inserts} rows were written meanwhile`)
  assert.ok(inserts > 10, 'it was writing')
})

test('sqlite: a bulk import lets go of the lock again and again, and the server writes on', async (t) => {
  await using spool = await startSpool('sqlite')
  const { threadId } = await spool.receive({ subject: 'First' })
  const file = join(scratchFolder('mail'), 'bulk.mbox')
  const mails = Array.from(
    { length: 1200 },
    (_, n) =>
      `From a@b.example Thu Jan  1 00:00:00 2026\n${writeMail({ subject: `Bulk ${n}`, text: `Line of text ${n}\n`.repeat(40) }).replaceAll('\r\n', '\n')}\n`,
  )
  await writeFile(file, mails.join(''))
  await using prober = new Child('test/faults/child/probe-lock.ts', [join(spool.database.folder, 'spool.db')])
  await prober.says(/ready/)
  await using importer = new Child(
    'bin/spool.js',
    ['import', file, '--inbox', spool.inbox.address, '--json'],
    spool.database.env,
  )
  let going = true
  void importer.ended.then(() => (going = false))
  const notes = await timeWhile(
    () => going,
    async () => {
      await addNote(spool.spool, spool.actor, threadId, 'In between')
      await sleep(20)
    },
  )
  assert.equal((await importer.ended).code, 0, importer.stderr)
  assert.equal((JSON.parse(importer.stdout) as { messages: number }).messages, 1200)
  prober.process.stdin.end()
  await prober.ended
  const waits = JSON.parse(prober.stdout.split('\n')[1]!) as number[]
  t.diagnostic(
    `waits for the lock: ${describeTimes(waits)}; over 50 ms: ${waits.filter((wait) => wait > 50).length}`,
  )
  t.diagnostic(`the server's own writes: ${describeTimes(notes)}`)
  // How often, not how soon: on a busy machine a process can be set aside with the lock in its hand.
  assert.ok(waits.length > 20, describeTimes(waits))
  assert.ok(notes.length > 5, describeTimes(notes))
})
