import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { callMcp, connect, discover, look, register, TestClient } from '../support/oauth.ts'
import { startSpool } from '../support/spool.ts'
import { signInAs } from '../support/web-client.ts'

const redirect = 'https://agent.example/back'

function exposeGc(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

test('registrations are limited by address, forgotten when there are too many, and take no memory', async (t) => {
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
  const { access_token: token } = await connect(client, page, { inboxes: [spool.inbox.id] })
  const { body: unused } = await from('192.0.2.2')
  const lost = new TestClient(at, unused.client_id, redirect)
  assert.equal((await look(page, lost.query())).status, 200)

  const flood = process.env['SPOOL_TEST_LONG'] === '1' ? 10_000 : 1_200
  const gc = exposeGc()
  const { heapUsed, rss } = settle(gc)
  let refusals = 0
  for (let count = 0; count < flood; count += 10) {
    // A tenth comes from an address that has had its share.
    const address = (n: number): string =>
      n === 0 ? '192.0.2.1' : `10.${(count + n) >> 8}.${(count + n) & 255}.1`
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => from(address(n))))
    refusals += answers.filter(({ status }) => status === 429).length
  }
  const after = settle(gc)
  const { db } = spool.spool
  const rows = await db.all(db.build.selectFrom('oauth_clients').select('id'))
  const grown = { heap: after.heapUsed - heapUsed, rss: after.rss - rss }
  t.diagnostic(
    `${flood} registrations: ${refusals} refused, ${rows.length} clients kept; heap ${inMegabytes(heapUsed)} → ${inMegabytes(after.heapUsed)}, process ${inMegabytes(rss)} → ${inMegabytes(after.rss)}`,
  )
  assert.equal(refusals, flood / 10, 'whoever had their share gets nothing')
  assert.ok(rows.length <= 1_001, `${rows.length} clients are kept`)
  assert.ok(grown.heap < 50_000_000, `${grown.heap} bytes more`)

  // What was used before goes on, what nobody used is forgotten, and whoever comes now is served as ever.
  assert.equal((await look(page, client.query())).status, 200)
  assert.equal((await callMcp(at.resource, token)).status, 200)
  assert.equal((await look(page, lost.query())).status, 404)
  const { body: late } = await from('192.0.2.3')
  const issued = await connect(new TestClient(at, late.client_id, redirect), page, {
    inboxes: [spool.inbox.id],
    name: 'Late',
  })
  assert.equal((await callMcp(at.resource, issued.access_token)).status, 200)
})

function settle(gc: () => void): NodeJS.MemoryUsage {
  gc()
  return process.memoryUsage()
}

const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
