import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { startSpool } from '../support/spool.ts'

const secret = 'a-token-for-metrics-alone'

for (const database of oneDatabase(0)) {
  test(`${database}: metrics are for this machine, and not for who comes through its proxy`, async () => {
    await using spool = await startSpool(database)
    assert.equal((await spool.get('/metrics', { token: null })).status, 200)
    for (const mark of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])
      assert.equal(
        (await spool.get('/metrics', { token: null, headers: { [mark]: '203.0.113.9' } })).status,
        403,
        mark,
      )
  })

  test(`${database}: SPOOL_METRICS_TOKEN opens them from elsewhere, and no other token does`, async () => {
    await using spool = await startSpool(database, { SPOOL_METRICS_TOKEN: secret })
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const ask = async (token: string) => (await spool.get('/metrics', { token, headers })).status
    assert.equal(await ask(secret), 200)
    assert.equal(await ask(spool.token), 403)
  })
}
