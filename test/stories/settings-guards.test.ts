import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { signInAs } from '../support/web-client.ts'

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: only an admin makes tokens that never expire`, async () => {
    const spool = await shared()
    const member = await signInAs(spool, (await openDesk(spool)).user)
    const viewer = await signInAs(spool, (await openDesk(spool, 'viewer')).user)
    const admin = await signInAs(spool, await spool.makeUser('lasting@shop.example', 'admin'))
    const wanted = { name: 'For ever', scopes: ['threads:read'], expires: 'never' }
    for (const path of ['/tokens', '/agents']) {
      for (const page of [member, viewer]) {
        const refused = await page.ask('POST', path, wanted)
        assert.equal(refused.status, 403, path)
        assert.match(refused.text, /Only an admin makes tokens that never expire; choose up to 365 days/)
        await page.do('POST', path, { ...wanted, expires: '365d' })
      }
      assert.equal((await admin.do<{ expiresAt: null }>('POST', path, wanted)).expiresAt, null)
    }
  })
}
