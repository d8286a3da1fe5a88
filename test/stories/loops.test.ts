import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { startLoop } from '../../src/workers/loop.ts'

test('the housekeeping of every hour begins a minute after the start, and goes on after a failure', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  // What was imported by name keeps the real one otherwise.
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.timers.reset()
    syncBuiltinESMExports()
  })
  let runs = 0
  const failures: unknown[] = []
  const work = async (): Promise<void> => {
    if (++runs === 1) throw new Error('once')
  }
  await using loop = startLoop('sweep', 3_600_000, work, (error) => failures.push(error), 60_000)
  const pass = async (time: number): Promise<void> => {
    t.mock.timers.tick(time)
    await turn()
  }
  await pass(59_999)
  assert.equal(runs, 0)
  await pass(1)
  assert.deepEqual([runs, failures.length, loop.inOrder()], [1, 1, true])
  await pass(3_599_999)
  assert.equal(runs, 1)
  await pass(1)
  assert.deepEqual([runs, failures.length], [2, 1])
})
