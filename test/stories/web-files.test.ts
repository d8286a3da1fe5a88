import assert from 'node:assert/strict'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { preparePage } from '../../src/cli/page.ts'
import { registerPage } from '../../src/http/routes/page.ts'
import type { MessageEntry, Thread } from '../../src/model/history.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { signInAs, type WebClient } from '../support/web-client.ts'

/** As much of a picture as anybody looks at before a browser does. */
const gif = 'GIF89a, and so on'

async function onlyMessage(page: WebClient, threadId: string): Promise<MessageEntry> {
  const [message] = (await page.do<Thread>('GET', `/threads/${threadId}`)).history
  assert.ok(message?.type === 'message')
  return message
}

async function names(page: WebClient, q: string): Promise<string[]> {
  const { data } = await page.do<{ data: { address: string }[] }>(
    'GET',
    `/addresses?q=${encodeURIComponent(q)}`,
  )
  return data.map(({ address }) => address)
}

for (const database of databases) {
  const shared = shareSpool(database)
  const sitDown = async (): Promise<{ desk: Desk; page: WebClient; strange: WebClient }> => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const strange = await signInAs(spool, (await openDesk(spool)).user)
    return { desk, page: await signInAs(spool, desk.user), strange }
  }

  test(`${database}: files are downloads; a picture can be looked at, whatever the sender calls it`, async () => {
    const { desk, page, strange } = await sitDown()
    const { threadId } = await desk.receive({
      attachments: [
        { filename: 'Überblick.html', type: 'text/html', content: '<script>alert(1)</script>' },
        { filename: 'dot.gif', type: 'text/html', content: gif },
        { filename: 'fake.png', type: 'image/png', content: '<svg onload=alert(1)>' },
        { filename: 'empty.png', type: 'image/png', content: '' },
      ],
    })
    const { attachments } = await onlyMessage(page, threadId)
    const at = (filename: string): string =>
      `/attachments/${attachments.find((file) => file.filename === filename)!.id}`
    const file = await page.ask('GET', at('Überblick.html'))
    assert.equal(file.text, '<script>alert(1)</script>')
    assert.equal(file.headers.get('content-type'), 'application/octet-stream')
    assert.match(
      file.headers.get('content-disposition')!,
      /^attachment; .*filename\*=UTF-8''%C3%9Cberblick\.html$/,
    )
    assert.match(file.headers.get('content-security-policy')!, /default-src 'none'; sandbox/)
    assert.equal(file.headers.get('x-content-type-options'), 'nosniff')

    const shown = await page.ask('GET', `${at('dot.gif')}?inline=1`)
    assert.equal(shown.headers.get('content-type'), 'image/gif')
    assert.equal(shown.headers.get('content-disposition'), 'inline')
    assert.equal(Number(shown.headers.get('content-length')), gif.length)
    for (const refused of ['Überblick.html', 'fake.png', 'empty.png'])
      assert.equal((await page.ask('GET', `${at(refused)}?inline=1`)).status, 400, refused)
    for (const query of ['', '?inline=1'])
      assert.equal((await strange.ask('GET', at('dot.gif') + query)).status, 404)
    assert.equal((await page.ask('GET', `${at('dot.gif')}?inline=yes`)).status, 400)
  })

  test(`${database}: the source is what came, byte for byte, and only for who sees the mail`, async () => {
    const { desk, page, strange } = await sitDown()
    const { threadId, messageId } = await desk.receive({ subject: 'a/b "c"', text: 'Where is it?' })
    await onlyMessage(page, threadId)
    const source = await page.ask('GET', `/messages/${messageId}/source`)
    assert.match(source.text, /^From: [^]*\r\n\r\nV2hlcmUgaXMgaXQ\/\r\n$/)
    const long = await desk.receive({ subject: `${'a'.repeat(99)}😀` })
    const named = await page.ask('GET', `/messages/${long.messageId}/source`)
    assert.equal(named.status, 200, 'a name that is cut in the middle of a character')
    assert.match(source.headers.get('content-type')!, /^text\/plain/)
    assert.match(source.headers.get('content-disposition')!, /^attachment; filename="a b _c_.eml"/)
    assert.equal((await strange.ask('GET', `/messages/${messageId}/source`)).status, 404)
    assert.equal((await page.ask('GET', '/messages/msg_nothing/source')).status, 404)
  })

  test(`${database}: who writes here is offered by the beginning of address or name, and nobody else`, async () => {
    const { desk, page, strange } = await sitDown()
    await desk.receive({
      from: 'Carla Brandt <Carla@brandt.example>',
      headers: { Cc: 'Mallory <m@evil.example>' },
    })
    await desk.receive({ from: 'Jürgen Österreich <j@oe.example>', subject: 'two' })
    await desk.receive({ from: 'nobody@plain.example', subject: 'three' })
    for (const [typed, found] of [
      ['car', ['carla@brandt.example']],
      ['BRAN', ['carla@brandt.example']],
      ['carla b', ['carla@brandt.example']],
      ['Carla@br', ['carla@brandt.example']],
      ['jür', ['j@oe.example']],
      ['oster', ['j@oe.example']],
      ['nobody', ['nobody@plain.example']],
      ['mall', []],
      ['rla', []],
      ["' OR 1=1 --", []],
      ['%', []],
      ['', []],
    ] as const)
      assert.deepEqual(await names(page, typed), found, typed)
    assert.deepEqual(await names(strange, 'car'), [])
    await desk.receive({ to: 'Written To <written@to.example>', subject: 'four' }, { direction: 'outbound' })
    assert.deepEqual(await names(page, 'writ'), ['written@to.example'], 'whom we wrote to')
    await desk.receive({ from: 'Carla Weber <carla@brandt.example>', subject: 'five' })
    const { data } = await page.do<{ data: object[] }>('GET', '/addresses?q=carla%40')
    assert.deepEqual(data, [{ address: 'carla@brandt.example', name: 'Carla Weber' }], 'the newest name')
    // Both in one mail, in either order: between two mails PostgreSQL may write what it has so far.
    for (const [to, Cc] of [
      ['Bob Miller <bob@x.example>', 'bob@x.example'],
      ['eve@x.example', 'Eve Miller <eve@x.example>'],
    ] as const)
      await desk.receive({ to, subject: 'six', headers: { Cc } }, { direction: 'outbound', quiet: true })
    for (const name of ['Bob', 'Eve']) {
      // Not by a part of the name, which has a row of its own.
      const found = await page.do<{ data: object[] }>('GET', `/addresses?q=${name}%40x`)
      assert.deepEqual(found.data, [{ address: `${name.toLowerCase()}@x.example`, name: `${name} Miller` }])
    }
    await desk.receiveAll(
      Array.from({ length: 15 }, (_, n) => ({ from: `many${n}@many.example`, subject: `m${n}` })),
    )
    assert.equal((await names(page, 'many')).length, 10)
    assert.equal((await page.ask('GET', '/addresses')).status, 400)
  })
}

test('the page is one document for all its addresses, with parts that are kept for good', async () => {
  const folder = scratchFolder('page')
  const app = Fastify()
  registerPage(app, folder)
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  const missing = await get('/')
  assert.equal(missing.statusCode, 503)
  assert.match(missing.body, /npm run build/)

  mkdirSync(join(folder, 'assets'))
  const script = 'console.log(1)\n'.repeat(100)
  writeFileSync(join(folder, 'assets/index-abc.js'), script)
  writeFileSync(join(folder, 'secret.txt'), 'not a part')
  writeFileSync(join(folder, 'index.html'), '<!doctype html>one')
  for (const address of [
    '/',
    '/threads/thr_1',
    '/mine/thr_1',
    '/inboxes/inb_1/thr_2',
    '/search?q=x',
    '/setup',
    '/invitations',
  ]) {
    const answer = await get(address)
    assert.equal(answer.body, '<!doctype html>one', address)
    const policy = String(answer.headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; script-src 'self'; /)
    assert.doesNotMatch(/script-src[^;]*/.exec(policy)![0], /unsafe|http|\*/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.equal(answer.headers['cache-control'], 'private, no-cache')
    const again = await get(address, { 'if-none-match': String(answer.headers['etag']) })
    assert.equal(again.statusCode, 304)
  }
  const part = await get('/assets/index-abc.js', { 'accept-encoding': 'gzip' })
  assert.equal(gunzipSync(part.rawPayload).toString(), script)
  assert.match(String(part.headers['cache-control']), /immutable/)
  assert.match(String(part.headers['content-type']), /^text\/javascript/)
  assert.equal(
    (await get('/assets/index-abc.js', { 'accept-encoding': 'br, gzip' })).headers['content-encoding'],
    'br',
  )
  assert.equal((await get('/assets/index-abc.js')).body, script)
  for (const outside of [
    '/assets/..%2fsecret.txt',
    '/assets/../secret.txt',
    '/secret.txt',
    '/assets/nothing.js',
    '/nowhere',
  ]) {
    const { statusCode, body } = await get(outside)
    assert.ok(statusCode >= 400 && !body.includes('not a part'), outside)
  }

  writeFileSync(join(folder, 'index.html'), '<!doctype html>two')
  utimesSync(join(folder, 'index.html'), new Date(), new Date(Date.now() + 5_000))
  assert.equal((await get('/')).body, '<!doctype html>two', 'built anew while the server runs')
})

test('the page is built when it is missing or older than its sources, and only then', async () => {
  const root = scratchFolder('web')
  assert.equal(await preparePage(root), 'absent')
  writeFileSync(join(root, 'index.html'), '<!doctype html><script type="module" src="./main.ts"></script>')
  writeFileSync(join(root, 'main.ts'), 'document.title = "one" as string\n')
  assert.equal(await preparePage(root), 'built')
  assert.equal(await preparePage(root), 'fresh')
  utimesSync(join(root, 'main.ts'), new Date(), new Date(Date.now() + 5_000))
  assert.equal(await preparePage(root), 'built')
  writeFileSync(join(root, 'main.ts'), 'this is no program\n')
  utimesSync(join(root, 'main.ts'), new Date(), new Date(Date.now() + 60_000))
  await assert.rejects(preparePage(root))
})
