import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databases, freshDatabase } from '../support/databases.ts'
import { openStore } from '../support/desk-opener.ts'
import { openDesk } from '../support/desk.ts'
import { writeMail } from '../support/letter.ts'
import { mustHold } from '../support/must-hold.ts'
import { skipWithout } from '../support/parts/install.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { Serving } from '../support/serving.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { storedSources, sum } from '../support/sources.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { checkWhole } from '../support/wholeness.ts'

const listening = { SPOOL_SMTP_LISTEN: '127.0.0.1:0', SPOOL_NAME_SERVERS: '127.0.0.1:9' }
const noTrace = skipWithout('strace')

test('sqlite: a trace shows each 250 after the sync of its commit', { skip: noTrace }, async (t) => {
  await using database = await freshDatabase('sqlite')
  await using store = await openStore(database)
  await using server = await Serving.start({ ...database.env, ...listening })
  using client = await SmtpClient.connect(server.smtpPort)
  await client.hello()
  const deliver = (subject: string) => client.deliver(writeMail({ subject }), [store.inbox.address])
  await deliver('before the trace')

  const file = join(scratchFolder('trace'), 'trace')
  const calls = 'trace=fsync,fdatasync,write,writev,pwrite64,sendto,sendmsg'
  const tracer = spawn(
    'strace',
    ['-f', '-yy', '-ttt', '-s', '64', '-e', calls, '-o', file, '-p', String(server.pid)],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  await once(tracer.stderr, 'data')
  await sleep(200)
  const mails = 10
  for (let n = 0; n < mails; n++) assert.match((await deliver(`traced ${n}`)).at(-1)!, /^250/)
  tracer.kill('SIGINT')
  await once(tracer, 'exit')

  // A call that takes long is told in two lines; it is over with the second.
  const lines = readFileSync(file, 'utf8').split('\n')
  const isSync = (line: string): boolean =>
    /(fsync|fdatasync)(\(\d+<[^>]*spool\.db-wal>\)| resumed>).*= 0$/.test(line)
  const order = lines.flatMap((line) =>
    isSync(line)
      ? ['sync']
      : /pwrite64\(\d+<[^>]*spool\.db-wal>/.test(line)
        ? ['write']
        : line.includes('250 2.0.0 Stored')
          ? ['250']
          : [],
  )
  const told = order.join(' ').replaceAll(/write( write)*/g, 'write')
  t.diagnostic(told)
  assert.equal(order.filter((call) => call === '250').length, mails)
  let isSynced = false
  for (const call of order) {
    if (call === '250') mustHold.ok(isSynced, `a 250 before the sync: ${told}`)
    isSynced = call === 'sync' || (call === '250' ? false : isSynced && call !== 'write')
  }
})

for (const database of databases)
  test(`${database}: while the commit hangs no 250 is said; when it fails, a 4xx`, async () => {
    await using spool = await startSpool(database, listening)
    const desk = await openDesk(spool)
    using client = await SmtpClient.connect(Number(spool.app.smtp!.split(':').at(-1)))
    await client.hello()
    const { db } = spool.spool
    const transaction = db.transaction.bind(db)
    const held = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    // Everything is written, and the commit itself is held back.
    db.transaction = (work) =>
      transaction(async (tx) => {
        const result = await work(tx)
        reached.resolve()
        await held.promise
        return result
      })
    const answer = client.deliver(writeMail({ subject: 'held' }), [desk.inbox.address])
    await reached.promise
    const early = await Promise.race([answer, sleep(300)])
    mustHold.equal(early, undefined, 'nothing is said yet')
    held.resolve()
    assert.match((await answer).at(-1)!, /^250/)
    db.transaction = (work) =>
      transaction(async (tx) => {
        await work(tx)
        throw new Error('a fault just before the commit')
      })
    assert.match(
      (await client.deliver(writeMail({ subject: 'lost' }), [desk.inbox.address])).at(-1)!,
      /^451 4/,
    )
    db.transaction = transaction
    assert.match(
      (await client.deliver(writeMail({ subject: 'after' }), [desk.inbox.address])).at(-1)!,
      /^250/,
    )
    assert.deepEqual((await desk.threads()).map(({ subject }) => subject).sort(), ['after', 'held'])
  })

test('sqlite: a full disk is a 4xx, and mail goes on when there is room', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root may mount a small disk')
  const folder = scratchFolder('disk')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'none', folder], { stdio: 'pipe' })
  } catch {
    return t.skip('a small disk cannot be mounted here')
  }
  using _disk = { [Symbol.dispose]: () => void execFileSync('umount', ['-l', folder]) }
  const ballast = join(folder, 'ballast')
  writeFileSync(ballast, Buffer.alloc(2_500_000))
  await using spool = await startSpool('sqlite', { ...listening, SPOOL_DATA: folder })
  using client = await SmtpClient.connect(Number(spool.app.smtp!.split(':').at(-1)))
  await client.hello()
  const acknowledged: string[] = []
  const deliver = async (subject: string): Promise<string> => {
    const raw = writeMail({ subject, text: 'Words that take up room. '.repeat(2000) })
    const answer = (await client.deliver(raw, [spool.inbox.address])).at(-1)!
    if (answer.startsWith('250')) acknowledged.push(sum(raw))
    return answer
  }
  let answer = ''
  for (let n = 0; n < 200 && !answer.startsWith('4'); n++) answer = await deliver(`fill${n}`)
  assert.match(answer, /^451 4\.3\.0 /)
  t.diagnostic(`${acknowledged.length} found room`)
  assert.match(await deliver('stillfull'), /^451/)
  assert.match(
    (await spool.get('/metrics')).text,
    /spool_mail_refused_total\{reason="store_unavailable"\} [2-9]/,
  )
  rmSync(ballast)
  await until('there is room', async () =>
    (await deliver(`room${Math.random()}`.replace('.', ''))).startsWith('250'),
  )
  mustHold.deepEqual(await storedSources(spool.spool, spool.inbox.number), acknowledged.sort())
  mustHold.equal(await checkWhole({ ...spool.database, folder }), acknowledged.length)
})
