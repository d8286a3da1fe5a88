import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { MessageEntry } from '../../src/model/history.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { PictureHost, png } from '../support/picture-host.ts'
import { startSpool } from '../support/spool.ts'
import { askWeb, signInAs } from '../support/web-client.ts'

let host: PictureHost
before(async () => {
  host = await PictureHost.start({
    '/a.png?x=1&y=2': png(3, 2),
    '/page.png': Buffer.from('<!doctype html><script>alert(1)</script>'),
    '/b.gif': (response) => void response.writeHead(302, { location: '/c.gif' }).end(),
    '/c.gif': (response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b', 'x-from': 'outside' })
        .end('GIF89a, and so on'),
  })
})
after(() => host[Symbol.asyncDispose]())

for (const database of databases) {
  const shared = shareSpool(database, { SPOOL_FETCH_ALLOW: '127.0.0.1' })

  test(`${database}: a remote picture is asked for by message and number, and fetched once`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const { messageId, threadId } = await desk.receive({
      html:
        `<p>Words like &lt;img data-remote-src="${host.url}/no"&gt; are no picture.</p>` +
        `<p title="<img data-remote-src='x'>"><img src="${host.url}/a.png?x=1&amp;y=2" alt="a">` +
        `<img src="cid:gone"><img src="${host.url}/b.gif"></p><img src="${host.url}/page.png" width="9">`,
    })
    const [message] = (await desk.thread(threadId)).history as [MessageEntry]
    assert.ok(!message.html!.includes(' src='), 'nothing is loaded before')
    const ask = (number: number | string) => page.ask('GET', `/messages/${messageId}/pictures/${number}`)
    host.asked.length = 0

    const first = await ask(0)
    assert.equal(first.status, 200, first.text)
    assert.equal(first.headers.get('content-type'), 'image/png')
    assert.equal(Number(first.headers.get('content-length')), png(3, 2).length)
    assert.equal(first.headers.get('x-content-type-options'), 'nosniff')
    assert.match(first.headers.get('content-disposition')!, /^attachment; filename="picture.png"/)
    assert.match(first.headers.get('content-security-policy')!, /^default-src 'none'; sandbox; /)
    assert.equal(first.headers.get('cross-origin-resource-policy'), 'same-origin')
    assert.deepEqual(
      host.asked.map(({ path }) => path),
      ['/a.png?x=1&y=2'],
    )
    // Of the reader nothing is told.
    assert.deepEqual(Object.keys(host.asked[0]!.headers).toSorted(), [
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
    assert.equal(host.asked[0]!.headers['user-agent'], 'Mozilla/5.0 (compatible; Spool)')

    const second = await ask(1)
    assert.equal(second.headers.get('content-type'), 'image/gif', 'by its bytes')
    assert.equal(second.text, 'GIF89a, and so on')
    for (const name of ['set-cookie', 'x-from']) assert.equal(second.headers.get(name), null)
    assert.deepEqual([(await ask(0)).status, (await ask(1)).status], [200, 200])
    assert.deepEqual(
      host.asked.map(({ path }) => path),
      ['/a.png?x=1&y=2', '/b.gif', '/c.gif'],
      'the second time they are at hand',
    )

    const other = await ask(2)
    assert.equal(other.status, 404)
    assert.match(other.text, /not a PNG, JPEG, GIF, WebP or AVIF picture/)
    for (const number of [3, -1, '00', '1e0', 'a', `${host.url}/a.png`])
      assert.equal((await ask(encodeURIComponent(number))).status, 404, String(number))
    // The whole mail with its remote addresses is no longer offered to a frame.
    assert.equal((await page.ask('GET', `/messages/${messageId}/pictures`)).status, 404)
  })

  test(`${database}: only who sees the mail gets its pictures`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const strange = await signInAs(spool, (await openDesk(spool)).user)
    const { messageId } = await desk.receive({ html: `<img src="${host.url}/a.png?x=1&amp;y=2">` })
    const path = `/messages/${messageId}/pictures/0`
    assert.equal((await strange.ask('GET', path)).status, 404)
    assert.equal((await askWeb(spool.url, 'GET', path)).status, 401)
    const withToken = { authorization: `Bearer ${desk.token}` }
    assert.equal((await askWeb(spool.url, 'GET', path, undefined, withToken)).status, 401)
    assert.equal((await (await signInAs(spool, desk.user)).ask('GET', path)).status, 200)
  })

  test(`${database}: without SPOOL_FETCH_ALLOW no picture comes from a private network`, async () => {
    // What webhooks may reach, pictures may not.
    await using spool = await startSpool(database, { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' })
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const { messageId } = await desk.receive({ html: `<img src="${host.url}/a.png?x=1&amp;y=2">` })
    host.asked.length = 0
    const refused = await page.ask('GET', `/messages/${messageId}/pictures/0`)
    assert.equal(refused.status, 404)
    assert.match(refused.text, /127\.0\.0\.1 is not a public address/)
    assert.deepEqual(host.asked, [])
  })
}
