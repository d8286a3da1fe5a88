import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textQuery } from '../../src/store/statement.ts'
import { databases } from '../support/databases.ts'
import { startSpool } from '../support/spool.ts'
import { askWeb, signInAs } from '../support/web-client.ts'

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

  test(`${database}: a page acts only for the person it shows`, async () => {
    await using spool = await startSpool(database)
    const tom = await spool.makeUser('tom@shop.example', 'member', [spool.inbox])
    const { cookie } = await signInAs(spool, tom)
    const { threadId } = await spool.receive({})
    const ask = (method: string, path: string, user?: string) =>
      askWeb(spool.url, method, path, method === 'POST' ? {} : undefined, {
        cookie,
        ...(user === undefined ? {} : { 'spool-user': user }),
      })
    for (const path of ['/session', `/threads/${threadId}/read`]) {
      const method = path === '/session' ? 'GET' : 'POST'
      assert.equal((await ask(method, path, spool.ada.id)).status, 401)
      assert.equal((await ask(method, path, tom.id)).status, 200)
      assert.equal((await ask(method, path)).status, 200)
    }
    assert.equal((await ask('DELETE', '/session', spool.ada.id)).status, 401)
    assert.equal((await ask('GET', '/session')).status, 200, 'and signs nobody else out')
  })
}
