import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textQuery } from '../../src/store/statement.ts'
import { databases } from '../support/databases.ts'
import { startSpool } from '../support/spool.ts'
import { signInAs } from '../support/web-client.ts'

const day = 86_400_000

for (const database of databases) {
  test(`${database}: a session that is used every day ends after three months all the same`, async () => {
    await using spool = await startSpool(database)
    const page = await signInAs(spool, spool.ada)
    const began = Date.now()
    for (let days = 10; days <= 80; days += 10) {
      spool.spool.now = () => began + days * day
      assert.equal((await page.ask('GET', '/session')).status, 200, `after ${days} days`)
    }
    spool.spool.now = () => began + 91 * day
    assert.equal((await page.ask('GET', '/session')).status, 401)
  })

  test(`${database}: the store knows a session by the hash of its cookie`, async () => {
    await using spool = await startSpool(database)
    const { cookie } = await signInAs(spool, spool.ada)
    const rows = await spool.spool.db.all(textQuery('SELECT * FROM sessions', []))
    const written = rows
      .flatMap((row) => Object.values(row as object) as unknown[])
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
    assert.ok(written.includes(spool.ada.id), 'the rows were read')
    assert.equal(written.join('\n').includes(cookie.split('=')[1]!), false)
  })
}
