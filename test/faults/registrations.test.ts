import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { connect, discover, look, register, TestClient } from '../support/oauth.ts'
import { startSpool } from '../support/spool.ts'
import { signInAs } from '../support/web-client.ts'

const redirect = 'https://agent.example/back'

function exposeGc(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

test('registrations are limited by address, forgotten when there are too many, and take no memory', async () => {
  await using spool = await startSpool('sqlite', {
    SPOOL_TRUST_PROXY: '1',
    SPOOL_RATE_LIMIT_ANONYMOUS: '30/60',
  })
  const at = await discover(`${spool.url}/mcp`)
  const wanted = {
    redirect_uris: [redirect],
    client_name: 'x'.repeat(5_000),
    token_endpoint_auth_method: 'client_secret_post',
  }
  const from = (address: string) => register(at, wanted, { 'x-forwarded-for': address })
  const statuses: number[] = []
  for (let count = 0; count < 20; count++) statuses.push((await from('192.0.2.1')).status)
  assert.deepEqual(new Set(statuses), new Set([201]))
  const refused = await from('192.0.2.1')
  assert.deepEqual([refused.status, refused.body['statusCode']], [429, 429])
  for (let count = 0; count < 10; count++) await from('192.0.2.1')
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  for (const path of ['/oauth/authorize', '/oauth/token', '/oauth/revoke'])
    assert.equal(
      (await spool.get(path, { token: null, method: path.endsWith('authorize') ? 'GET' : 'POST', headers }))
        .status,
      429,
      `${path} counts`,
    )

  // One that somebody uses outlives the flood.
  const { body: kept } = await from('192.0.2.2')
  assert.equal(kept['token_endpoint_auth_method'], 'none')
  assert.equal(kept['client_secret'], undefined)
  const page = await signInAs(spool, spool.ada)
  const client = new TestClient(at, kept.client_id, redirect)
  await connect(client, page, { inboxes: [spool.inbox.id] })
  const flood = process.env['SPOOL_TEST_LONG'] === '1' ? 10_000 : 1_000
  const gc = exposeGc()
  gc()
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < flood; count += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => from(`10.${(count + n) >> 8}.${(count + n) & 255}.1`)),
    )
  gc()
  const { db } = spool.spool
  const rows = await db.all(db.build.selectFrom('oauth_clients').select('id'))
  assert.ok(rows.length <= 1_001, `${rows.length} clients are kept`)
  assert.ok(process.memoryUsage().heapUsed - before < 50_000_000)
  assert.equal((await look(page, client.query())).status, 200)
})
