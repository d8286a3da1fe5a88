import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addNote } from '../../src/core/threads/notes.ts'
import { transaction } from '../../src/store/database.ts'
import { Child } from '../support/child.ts'
import { describeTimes, quantile, timeWhile } from '../support/latencies.ts'
import { writeMail } from '../support/letter.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

/** What a held-up serving thread would show: it stands still for as long as the lock is held. */
async function readDuring(t: TestContext, spool: TestSpool, during: Promise<unknown>): Promise<void> {
  let going = true
  void during.finally(() => (going = false))
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const [lists, threads, health] = await Promise.all([
    timeWhile(
      () => going,
      async () => assert.equal((await spool.get('/api/v1/threads')).status, 200),
    ),
    timeWhile(
      () => going,
      async () => assert.equal((await spool.get('/api/v1/threads?q=order')).status, 200),
    ),
    timeWhile(
      () => going,
      async () => {
        assert.equal((await spool.get('/healthz')).status, 200)
        await sleep(5)
      },
    ),
  ])
  delay.disable()
  t.diagnostic(
    `lists: ${describeTimes(lists)}; searches: ${describeTimes(threads)}; /healthz: ${describeTimes(health)}`,
  )
  t.diagnostic(
    `event loop delay: p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, longest ${(delay.max / 1e6).toFixed(1)} ms`,
  )
  for (const times of [lists, threads, health]) {
    assert.ok(times.length > 5, 'reads went on')
    assert.ok(quantile(times, 0.5) < 500 && quantile(times, 1) < 2000, describeTimes(times))
  }
  assert.ok(delay.max / 1e6 < 2000)
}

test('sqlite: while another process holds the write lock for 3 s, reads stay fast and writes wait their turn', async (t) => {
  await using spool = await startSpool('sqlite')
  const { threadId } = await spool.receive({ subject: 'First' })
  await using holder = new Child('test/faults/child/hold-lock.ts', [
    join(spool.database.folder, 'spool.db'),
    '3000',
  ])
  await holder.says(/held/)
  const writes = Promise.all([
    spool.receive({ subject: 'Second' }),
    addNote(spool.spool, spool.actor, threadId, 'A note'),
  ]).then(() => Date.now())
  await readDuring(t, spool, Promise.race([holder.ended, writes]))
  const [, released] = await holder.says(/released (\d+)/)
  assert.ok((await writes) >= Number(released), 'the lock was in the way')
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
  const long = transaction(spool.spool.db, async (db) => {
    const until = performance.now() + 2000
    for (let n = 0; performance.now() < until; n++) {
      await db.run(db.build.insertInto('settings').values({ name: `long-${n}`, value: 'x'.repeat(1000) }))
    }
  })
  await readDuring(t, spool, long)
  await long
})

test('sqlite: beside a bulk import the lock is free again within 50 ms, and the server writes on', async (t) => {
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
  assert.ok(waits.length > 20 && notes.length > 5)
  // Shares, not the longest: on a busy machine a process can be set aside with the lock in its hand.
  assert.ok(quantile(waits, 0.8) < 50, describeTimes(waits))
  assert.ok(quantile(waits, 1) < 2000, describeTimes(waits))
  assert.ok(quantile(notes, 0.9) < 1000, describeTimes(notes))
})
