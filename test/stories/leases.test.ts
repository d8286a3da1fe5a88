import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { giveUpLease, takeLease } from '../../src/core/leases.ts'
import { databases } from '../support/databases.ts'
import { shareSpool } from '../support/desk.ts'

for (const database of databases) {
  const started = shareSpool(database)

  test(`${database}: of many who want a lease at once one gets it, and it can renew it`, async () => {
    const { spool } = await started()
    const holders = Array.from({ length: 20 }, (_, index) => `node-${index}`)
    const taken = await Promise.all(holders.map((holder) => takeLease(spool, 'one', holder, 60_000)))
    assert.equal(taken.filter(Boolean).length, 1)
    const owner = holders[taken.indexOf(true)]!
    assert.equal(await takeLease(spool, 'one', owner, 60_000), true)
  })

  test(`${database}: a lease that ended or was given up is free again`, async () => {
    const { spool } = await started()
    assert.equal(await takeLease(spool, 'two', 'dead', 150), true)
    assert.equal(await takeLease(spool, 'two', 'next', 60_000), false)
    await sleep(200)
    assert.equal(await takeLease(spool, 'two', 'next', 60_000), true)
    await giveUpLease(spool, 'two', 'dead')
    assert.equal(await takeLease(spool, 'two', 'third', 60_000), false)
    await giveUpLease(spool, 'two', 'next')
    assert.equal(await takeLease(spool, 'two', 'third', 60_000), true)
  })
}
