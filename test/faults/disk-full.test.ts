import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { addNote } from '../../src/core/threads/notes.ts'
import { StoreUnavailable } from '../../src/model/errors.ts'
import { mountDisk } from '../support/disk.ts'
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
