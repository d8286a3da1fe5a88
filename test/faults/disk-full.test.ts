import assert from 'node:assert/strict'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { addNote } from '../../src/core/threads/notes.ts'
import { StoreUnavailable } from '../../src/model/errors.ts'
import { runCommand, runCommands } from '../support/command.ts'
import { freshDatabase } from '../support/databases.ts'
import { mountDisk } from '../support/disk.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSpool } from '../support/spool.ts'
import { checkWhole } from '../support/wholeness.ts'

test('sqlite: on a full disk writing fails with a clear word, reading goes on, and so does writing when there is room', async (t) => {
  const mounted = mountDisk('6m')
  if (typeof mounted === 'string') return t.skip(mounted)
  using disk = mounted
  const ballast = join(disk.folder, 'ballast')
  writeFileSync(ballast, Buffer.alloc(2_500_000))
  await using spool = await startSpool('sqlite', { SPOOL_DATA: disk.folder })
  const { threadId } = await spool.receive({ subject: 'first' })

  let stored = 1
  let failure: unknown
  for (let n = 0; failure === undefined && n < 500; n++) {
    try {
      await spool.receive({ subject: `fill${n}`, text: 'Words that take up room. '.repeat(2000) })
      stored++
    } catch (error) {
      failure = error
    }
  }
  t.diagnostic(`${stored} messages found room`)
  assert.ok(failure instanceof StoreUnavailable, String(failure))
  assert.match(failure.message, /^The store cannot be written \(SQLITE_(FULL|IOERR\w*)\): its disk is full/)

  for (let round = 0; round < 3; round++) {
    assert.equal((await spool.threads('?limit=100')).length, Math.min(stored, 100))
    assert.equal((await spool.thread(threadId)).messageCount, 1)
    assert.equal((await spool.threads('?q=first')).length, 1)
    assert.equal((await spool.get('/healthz')).status, 200)
    const ready = await spool.get('/readyz')
    assert.deepEqual([ready.status, ready.json()['message']], [503, failure.message])
    await assert.rejects(
      spool.receive({ subject: `no${round}`, text: 'x y z '.repeat(9000) }),
      StoreUnavailable,
    )
  }

  rmSync(ballast)
  await addNote(spool.spool, spool.actor, threadId, 'There is room again')
  await spool.receive({ subject: 'last' })
  assert.equal((await spool.thread(threadId)).noteCount, 1)
  assert.equal(await checkWhole({ ...spool.database, folder: disk.folder }), stored + 1)
})

test('sqlite: a backup or restore that finds no room says which disk is full', async (t) => {
  const mounted = mountDisk('300k')
  if (typeof mounted === 'string') return t.skip(mounted)
  using disk = mounted
  await using database = await freshDatabase('sqlite')
  const { env } = database
  const backup = join(scratchFolder('backup'), 'copy.db')
  const small = { ...env, SPOOL_DATA: disk.folder }
  const [added, made, full, unmade] = await runCommands([
    { words: ['inbox', 'add', 'support@shop.example'], env },
    { words: ['backup', backup], env },
    { words: ['backup', join(disk.folder, 'copy.db')], env },
    { words: ['restore', backup], env: small },
  ])
  assert.deepEqual([added!.code, made!.code, full!.code, unmade!.code], [0, 0, 1, 1])
  assert.match(full!.stderr, /^No backup was made, because the disk of \S+\/copy\.db is full/)
  assert.ok(unmade!.stderr.startsWith(`${disk.folder}/restoring/spool.db cannot be written`), unmade!.stderr)
  assert.deepEqual(readdirSync(disk.folder), [])
  disk.remount('ro')
  const [unwritable, doctor] = await runCommands([
    { words: ['restore', backup], env: small },
    { words: ['doctor'], env: small },
  ])
  assert.match(unwritable!.stderr, /restoring cannot be written: its disk is mounted read-only/)
  assert.match(doctor!.stdout, /^MEND {2}data folder: \S+ cannot be written: its disk is mounted read-only/m)
})

test('sqlite: a first start that finds no room leaves no piece of a secret', async (t) => {
  const mounted = mountDisk('64k')
  if (typeof mounted === 'string') return t.skip(mounted)
  using disk = mounted
  assert.throws(() => writeFileSync(join(disk.folder, 'ballast'), Buffer.alloc(100_000)), { code: 'ENOSPC' })
  const ran = await runCommand({ SPOOL_DATA: disk.folder }, ['inbox', 'add', 'support@shop.example'])
  assert.equal(ran.stderr, `${disk.folder}/secret cannot be written: its disk is full.\n`)
  assert.deepEqual(readdirSync(disk.folder), ['ballast'])
})

test('sqlite: a server that finds no room for its store says so and does not start', async (t) => {
  const mounted = mountDisk('4m')
  if (typeof mounted === 'string') return t.skip(mounted)
  using disk = mounted
  const env = { SPOOL_DATA: disk.folder, SPOOL_PORT: '0' }
  await runCommand(env, ['inbox', 'add', 'support@shop.example'])
  assert.throws(() => writeFileSync(join(disk.folder, 'ballast'), Buffer.alloc(5_000_000)), {
    code: 'ENOSPC',
  })
  const ran = await runCommand(env, ['serve'])
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /^The store cannot be written \(SQLITE_\w+\): its disk is full/)
})
