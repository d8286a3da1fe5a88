import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { receiveMail } from '../../src/core/receiving/receive.ts'
import { parseMail } from '../../src/mail/parse.ts'
import type { AttachmentReference, MessageEntry } from '../../src/model/history.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'

const encoded = (name: string): string => `=?utf-8?B?${Buffer.from(name).toString('base64')}?=`

async function filesOf(desk: Desk, threadId: string): Promise<AttachmentReference[]> {
  return ((await desk.thread(threadId)).history as MessageEntry[])[0]!.attachments
}

test('a picture that is drawn too small to see is listed with the attachments, unless it is a spacer', () => {
  const isInline = (image: string, bytes: number): boolean => {
    const html = `--r\nContent-Type: text/html\n\n<p>Hello <img src="cid:a" ${image}></p>`
    const picture = `--r\nContent-Type: image/gif\nContent-ID: <a>\n\n${'GIF89a'.padEnd(bytes, '.')}\n--r--\n`
    const raw = `From: a@example.com\nContent-Type: multipart/related; boundary=r\n\n${html}\n${picture}`
    return parseMail(Buffer.from(raw)).attachments[0]!.inline
  }
  assert.equal(isInline('width="1" height="1"', 5000), false)
  assert.equal(isInline('style="width:2px"', 5000), false)
  assert.equal(isInline('width="1" height="1"', 43), true)
  assert.equal(isInline('width="12"', 5000), true)
  assert.equal(isInline('height="1"', 5000), true, 'the height follows from the width')
  assert.equal(isInline('width="1"><img src="cid:a"', 5000), true, 'large at another place')
})

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: an attachment comes as the bytes that were sent, as a download that is not sniffed`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const content = 'Zeile eins\r\n\u0000\u0001 ünï <script>alert(1)</script>\n'
    const { threadId } = await desk.receive({
      attachments: [{ filename: 'page.html', type: 'text/html', content }],
    })
    const [file] = await filesOf(desk, threadId)
    assert.deepEqual(file, {
      id: file!.id,
      filename: 'page.html',
      contentType: 'text/html',
      size: Buffer.byteLength(content),
      inline: false,
      contentId: null,
      url: `/api/v1/attachments/${file!.id}`,
    })
    assert.equal((await desk.thread(threadId)).attachmentCount, 1)
    const response = await fetch(spool.url + file!.url, {
      headers: { authorization: `Bearer ${desk.token}` },
    })
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from(content))
    assert.equal(response.headers.get('content-type'), 'text/html')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.match(response.headers.get('content-disposition')!, /^attachment;/)
    assert.match(response.headers.get('content-security-policy')!, /default-src 'none'/)
    assert.match(response.headers.get('cache-control')!, /private/)
    const head = await desk.get(file!.url, { method: 'HEAD' })
    assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(content)))
  })

  test(`${database}: file names of all kinds arrive in Content-Disposition, plain and in UTF-8`, async () => {
    const desk = await openDesk(await shared())
    const names: [sent: string, name: string][] = [
      ['invoice 2026.pdf', 'invoice 2026.pdf'],
      [encoded('Größe (neu).pdf'), 'Größe (neu).pdf'],
      [encoded('発注書.pdf'), '発注書.pdf'],
      [encoded('party 🎉.png'), 'party 🎉.png'],
      [encoded("it's 100%; \u0022quoted\u0022.txt"), "it's 100%; \u0022quoted\u0022.txt"],
      [encoded('a\r\nSet-Cookie: x=1.txt'), ''],
      ['../../etc/passwd', 'passwd'],
    ]
    const { threadId } = await desk.receive({
      attachments: names.map(([filename], index) => ({
        filename,
        type: 'application/pdf',
        content: String(index),
      })),
    })
    for (const [index, file] of (await filesOf(desk, threadId)).entries()) {
      const { headers, text } = await desk.get(file.url)
      const header = headers.get('content-disposition')!
      const match =
        /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]*)$/.exec(header)
      assert.ok(match, header)
      assert.doesNotMatch(match[1]!, /["\\]/)
      const name = decodeURIComponent(match[2]!)
      assert.equal(name, file.filename)
      if (names[index]![1] !== '') assert.equal(name, names[index]![1])
      assert.doesNotMatch(name, /[\r\n/]/)
      assert.equal(headers.get('set-cookie'), null)
      assert.equal(text, String(index))
    }
  })

  test(`${database}: a type that is no well-formed one comes as plain bytes`, async () => {
    const desk = await openDesk(await shared())
    const { threadId } = await desk.receive({
      attachments: [{ filename: 'x', type: 'text/<script>', content: 'x' }],
    })
    const [file] = await filesOf(desk, threadId)
    assert.match((await desk.get(file!.url)).headers.get('content-type')!, /^[a-z]+\/[a-z0-9.+-]+$/)
  })

  test(`${database}: an attachment is in the view of its thread: the same bytes in another inbox are another's`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    const attachments = [{ filename: 'logo.png', type: 'image/png', content: 'the same logo' }]
    const mine = await filesOf(desk, (await desk.receive({ attachments })).threadId)
    const theirs = await filesOf(other, (await other.receive({ attachments })).threadId)
    assert.equal((await desk.get(mine[0]!.url)).status, 200)
    assert.equal((await desk.get(theirs[0]!.url)).status, 404)
    assert.equal((await other.get(mine[0]!.url)).status, 404)
    assert.equal((await spool.get(theirs[0]!.url)).status, 200, 'an admin sees all')
    assert.equal((await spool.get(mine[0]!.url, { token: null })).status, 401)
    const notes = await spool.makeToken(desk.user, { scopes: ['notes:read'] })
    assert.equal((await spool.get(mine[0]!.url, { token: notes })).status, 403)
  })

  test(`${database}: an inline image is an attachment that the html points to; any other file is listed`, async () => {
    const desk = await openDesk(await shared())
    const boundary = 'related'
    const body = [
      `--${boundary}\r\nContent-Type: text/html\r\n\r\n<p>Logo: <img src="cid:logo@a" alt="L"><img src="cid:note@a" alt="N"></p>`,
      `--${boundary}\r\nContent-Type: image/png\r\nContent-ID: <logo@a>\r\nContent-Disposition: inline; filename="logo.png"\r\n\r\nGIF89a`,
      `--${boundary}\r\nContent-Type: text/plain\r\nContent-ID: <note@a>\r\nContent-Disposition: inline; filename="note.txt"\r\n\r\nnote`,
      `--${boundary}--\r\n`,
    ].join('\r\n')
    const raw = `From: a@example.com\r\nSubject: Inline\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=${boundary}\r\n\r\n${body}`
    const spool = await shared()
    const mail = await parseMail(Buffer.from(raw))
    const [received] = await receiveMail(spool.spool, desk.inbox, [
      { mail, direction: 'inbound', envelopeDate: null, seen: false, quiet: false },
    ])
    const [message] = (await desk.thread(received!.threadId)).history as MessageEntry[]
    const [file, note] = message!.attachments
    assert.deepEqual([file!.inline, file!.contentId], [true, 'logo@a'])
    assert.ok(message!.html!.includes(`/api/v1/attachments/${file!.id}`), message!.html!)
    assert.equal((await desk.get(file!.url)).text, 'GIF89a')
    assert.deepEqual([note!.inline, note!.contentId], [false, 'note@a'])
    assert.ok(!message!.html!.includes(note!.id), message!.html!)
    assert.match(message!.text, /\[picture: N\]/)
  })

  test(`${database}: downloads that nobody reads hold no memory, and a large file arrives whole`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const content = Buffer.alloc(12_000_000, 'Spool holds what is sent, byte for byte.\n').toString('latin1')
    const { threadId } = await desk.receive({
      attachments: [{ filename: 'large.txt', type: 'application/octet-stream', content }],
    })
    const [file] = await filesOf(desk, threadId)
    const headers = { authorization: `Bearer ${desk.token}` }
    const ask = () => fetch(spool.url + file!.url, { headers })
    assert.equal(Buffer.compare(Buffer.from(await (await ask()).arrayBuffer()), Buffer.from(content)), 0)

    const before = process.memoryUsage()
    const stalled = await Promise.all(
      Array.from({ length: 40 }, () => openStalled(spool.url, file!.url, headers)),
    )
    await sleep(300)
    const after = process.memoryUsage()
    for (const socket of stalled) socket.destroy()
    const held = after.external + after.heapUsed - before.external - before.heapUsed
    assert.ok(held < 100_000_000, `40 unread downloads of 12 MB hold ${Math.round(held / 1e6)} MB`)
  })
}

/** Asks, and then never reads. */
async function openStalled(origin: string, path: string, headers: Record<string, string>): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.pause()
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${lines.join('')}\r\n`)
  return socket
}
