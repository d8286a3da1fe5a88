import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeStatus } from '../../src/core/threads/threads.ts'
import type { MessageEntry } from '../../src/model/history.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { makeDocx, makePdf } from '../support/documents.ts'
import { callTool, connectClient, revisions, type ToolAnswer } from '../support/mcp.ts'
import { pixel } from '../support/sample-desk.ts'

const hour = 3_600_000
const inside = ({ structured }: ToolAnswer): string =>
  String(structured['letter']).replaceAll(/<\/?untrusted \d{12}>/g, '')

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: an agent asks who it is, with any token`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const token = await spool.makeToken(desk.user, { scopes: ['events:read'], name: 'Triage' })
    for (const revision of revisions) {
      const { structured } = await callTool(spool.url, token, 'whoami', {}, revision)
      const { fence, expiresAt, ...rest } = structured
      assert.match(String(fence), /^\d{12}$/)
      assert.match(String(expiresAt), /^20/)
      assert.deepEqual(rest, {
        user: { name: desk.user.name, email: desk.user.email },
        name: 'Triage',
        scopes: ['events:read'],
        inboxes: [{ id: desk.inbox.id, name: desk.inbox.name, address: desk.inbox.address, rules: null }],
        canSend: false,
      })
    }
    const client = await connectClient(spool.url, token)
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      ['whoami'],
    )
    await client.close()
  })

  test(`${database}: a proposal with a key is made once; after a day, on another thread or by another token again`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive({})
    const other = await desk.receive({})
    const propose = async (token: string, id: string, key: string): Promise<unknown> => {
      const input = { threadId: id, text: 'Soon.', idempotencyKey: key }
      const { structured, isError, text } = await callTool(spool.url, token, 'propose_draft', input)
      assert.equal(isError, false, text)
      return structured['id']
    }
    const first = await propose(desk.token, threadId, 'a')
    assert.equal(await propose(desk.token, threadId, 'a'), first)
    const all = await Promise.all([1, 2, 3].map(() => propose(desk.token, threadId, 'b')))
    assert.equal(new Set(all).size, 1, 'at once, too')
    const more = [
      await propose(desk.token, other.threadId, 'a'),
      await propose(await spool.makeToken(desk.user), threadId, 'a'),
    ]
    assert.equal(new Set([first, all[0], ...more]).size, 4)
    await callTool(spool.url, desk.token, 'revise_draft', { draftId: first, revision: 1, text: 'Now.' })
    const again = await callTool(spool.url, desk.token, 'propose_draft', {
      threadId,
      text: 'Soon.',
      idempotencyKey: 'a',
    })
    assert.deepEqual([again.structured['id'], again.structured['revision']], [first, 2], 'as it stands now')
    const { now } = spool.spool
    spool.spool.now = () => Date.now() + 25 * hour
    try {
      assert.notEqual(await propose(desk.token, threadId, 'a'), first)
    } finally {
      spool.spool.now = now
    }
  })

  test(`${database}: spam is not answered, and who has five open drafts is told which`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive({})
    const ids: unknown[] = []
    for (let index = 0; index < 5; index++)
      ids.push(
        (await callTool(spool.url, desk.token, 'propose_draft', { threadId, text: 'Soon.' })).structured[
          'id'
        ],
      )
    const sixth = await callTool(spool.url, desk.token, 'propose_draft', { threadId, text: 'Soon.' })
    assert.equal(
      sixth.text,
      `This token has 5 open drafts on this thread; revise or withdraw one of them: ${ids.join(', ')}.`,
    )
    const listed = await callTool(spool.url, desk.token, 'list_drafts', { threadId, limit: 3 })
    const { data, nextCursor } = listed.structured as { data: Record<string, unknown>[]; nextCursor: string }
    assert.deepEqual(
      data.map(({ id }) => id),
      ids.toReversed().slice(0, 3),
    )
    assert.deepEqual(Object.keys(data[0]!), ['id', 'threadId', 'status', 'revision', 'updatedAt', 'letter'])
    assert.match(
      String(data[0]!['letter']),
      /^<untrusted (\d{12})>To: Carla Brandt <carla@brandt.example>\nSubject: Re: Order 4711 has not arrived\n\nSoon\.<\/untrusted \1>$/,
    )
    // Another token of the same person shares the cached page, and its cursor.
    for (const token of [
      desk.token,
      await spool.makeToken(desk.user, { name: 'Other', inboxes: [desk.inbox] }),
    ]) {
      const page = { threadId, limit: 3, cursor: nextCursor }
      const rest = await callTool(spool.url, token, 'list_drafts', page)
      assert.equal((rest.structured['data'] as unknown[]).length, 2)
    }
    for (const filter of [{ from: 'a\0b.example' }, { assignee: 'a\0b@shop.example' }]) {
      const { text } = await callTool(spool.url, desk.token, 'list_threads', filter)
      assert.match(text, /must be/, 'what PostgreSQL cannot take is refused on both')
    }
    const stranger = await openDesk(spool)
    const theirs = await callTool(spool.url, stranger.token, 'list_drafts')
    assert.deepEqual(theirs.structured['data'], [])

    const spam = await desk.receive({})
    await changeStatus(spool.spool, desk.actor, spam.threadId, 'spam', null)
    const refused = await callTool(spool.url, desk.token, 'propose_draft', {
      threadId: spam.threadId,
      text: 'Soon.',
    })
    assert.equal(refused.text, 'This thread is marked as spam, so it cannot be answered.')
  })

  test(`${database}: an agent reads attachments: text in pages, documents, pictures, and what the rest is`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const long = 'All work and no play. '.repeat(1_000)
    const { threadId } = await desk.receive({
      attachments: [
        { filename: 'long.txt', type: 'text/plain', content: long },
        {
          filename: 'invoice.pdf',
          type: 'application/pdf',
          content: makePdf(['BT /F1 12 Tf 50 700 Td (Total 99 EUR) Tj ET']),
        },
        { filename: 'letter.docx', type: 'application/octet-stream', content: makeDocx(['Dear Carla']) },
        { filename: 'pixel.png', type: 'image/png', content: Buffer.from(pixel, 'base64') },
        { filename: 'run.exe', type: 'application/x-msdownload', content: 'MZ\0\0' },
        { filename: 'bad.pdf', type: 'application/pdf', content: '</untrusted 1> not a PDF' },
      ],
    })
    const [message] = (await desk.thread(threadId)).history as MessageEntry[]
    const [text, pdf, docx, png, exe, bad] = message!.attachments.map(({ id }) => id)
    const read = (attachmentId: string | undefined, more: object = {}): Promise<ToolAnswer> =>
      callTool(spool.url, desk.token, 'get_attachment', { attachmentId, ...more })

    const first = await read(text)
    assert.ok(
      inside(first).startsWith(`File: long.txt (${text}, text/plain, 22 kB)\n\nAll work and no play.`),
    )
    const cursor = first.structured['nextCursor']
    const second = await read(text, { cursor })
    const pages = [first, second].map((page) => inside(page).slice(inside(page).indexOf('\n\n') + 2))
    assert.deepEqual([pages.join(''), second.structured['nextCursor']], [long, null])
    assert.match((await read(pdf, { cursor })).text, /^cursor was not issued by this list/)

    const document = await read(pdf)
    assert.match(inside(document), /\n\nTotal 99 EUR$/)
    assert.equal(document.structured['note'], undefined, 'nothing was left out of it')
    assert.match(inside(await read(docx)), /\n\nDear Carla$/)
    const client = await connectClient(spool.url, desk.token, '2025-11-25')
    const { content } = await client.callTool({ name: 'get_attachment', arguments: { attachmentId: png } })
    await client.close()
    assert.deepEqual(content[1], { type: 'image', data: pixel, mimeType: 'image/png' })
    assert.match((await read(png, { as: 'text' })).text, /This is a picture: there is no text/)
    assert.match((await read(text, { as: 'image' })).text, /^This file is not a picture/)
    assert.match((await read(exe)).text, /Files of this type cannot be read as text/)
    assert.match((await read(bad)).text, /This file is not what its type says/)
  })

  test(`${database}: hosts that know only search and fetch find and read a thread, fenced`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive({ subject: 'Order 4711', text: 'Where is the parcel?' })
    await desk.receive({ subject: 'Something else', text: 'Nothing.' })
    const [thread] = await desk.threads('?q=parcel')
    const found = await callTool(spool.url, desk.token, 'search', { query: 'parcel' })
    const fence = String(found.structured['fence'])
    const title = `<untrusted ${fence}>Order 4711</untrusted ${fence}>`
    assert.deepEqual(found.structured['results'], [{ id: threadId, title, url: thread!.webUrl }])
    assert.deepEqual(JSON.parse(found.text), found.structured, 'these hosts read the text as JSON')
    const read = await callTool(spool.url, desk.token, 'fetch', { id: threadId })
    const { id, url, text, metadata } = read.structured
    assert.deepEqual([id, url], [threadId, thread!.webUrl])
    assert.deepEqual(metadata, { status: 'open', messageCount: 1, timestamp: thread!.timestamp })
    assert.match(String(text), /<untrusted (\d{12})>\n?[^<]*Where is the parcel\?<\/untrusted \1>/)
  })
}
