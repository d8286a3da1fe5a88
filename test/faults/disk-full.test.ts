import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { addNote } from '../../src/core/threads/notes.ts'
import { StoreUnavailable } from '../../src/model/errors.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSpool } from '../support/spool.ts'
import { checkWhole } from '../support/wholeness.ts'

/** A disk of six megabytes, or why there can be none. */
function mountSmallDisk(): (Disposable & { folder: string }) | string {
  if (process.getuid?.() !== 0) return 'only root may mount a small disk'
  const folder = scratchFolder('disk')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'none', folder], { stdio: 'pipe' })
  } catch {
    return 'a small disk cannot be mounted here'
  }
  return { folder, [Symbol.dispose]: () => void execFileSync('umount', ['-l', folder]) }
}

test('sqlite: on a full disk writing fails with a clear word, reading goes on, and so does writing when there is room', async (t) => {
  const mounted = mountSmallDisk()
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
  assert.match(failure.message, /^The store cannot be used right now \(SQLITE_(FULL|IOERR\w*)\)\.$/)

  for (let round = 0; round < 3; round++) {
    assert.equal((await spool.threads('?limit=100')).length, Math.min(stored, 100))
    assert.equal((await spool.thread(threadId)).messageCount, 1)
    assert.equal((await spool.threads('?q=first')).length, 1)
    assert.equal((await spool.get('/healthz')).status, 200)
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
