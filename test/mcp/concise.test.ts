import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addNote } from '../../src/core/threads/notes.ts'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { callTool, connectClient, revisions, type Revision } from '../support/mcp.ts'
import type { TestSpool } from '../support/spool.ts'

interface Row {
  id: string
  letter: string
  [field: string]: unknown
}
type Read = Row & { fence: string; history: Row[]; historyNextCursor: string | null }

/** With a known nonce, so that answers can be written down. */
async function ask<Value>(
  spool: TestSpool,
  token: string,
  revision: Revision,
  name: string,
  input: Record<string, unknown>,
): Promise<{ text: string; structured: Value }> {
  const client = await connectClient(spool.url, token, revision)
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: input })
  await client.close()
  assert.ok(!isError, JSON.stringify(content))
  const [block] = content
  assert.ok(block?.type === 'text')
  const { fence } = structuredContent as { fence: string }
  const plain = (text: string): string => text.replaceAll(fence, 'NONCE')
  return {
    text: plain(block.text),
    structured: JSON.parse(plain(JSON.stringify(structuredContent))) as Value,
  }
}

const fenced = (text: string): string => `<untrusted NONCE>${text}</untrusted NONCE>`

for (const database of databases) {
  const shared = shareSpool(database)

  for (const revision of revisions)
    test(`${database}: ${revision}: a list says in a row what there is to say, and nothing else`, async () => {
      const spool = await shared()
      const desk = await openDesk(spool)
      const { threadId } = await desk.receive({
        subject: 'Order 4711',
        text: 'It was due on 3 November and the tracking page says the same as last week, every day.',
      })
      const [thread] = await desk.threads()
      const list = await ask<{ data: Row[]; nextCursor: null }>(
        spool,
        desk.token,
        revision,
        'list_threads',
        {},
      )
      const letter = fenced(
        'From: Carla Brandt <carla@brandt.example>\nSubject: Order 4711\n\nIt was due on 3 November and the tracking page says the same as la...',
      )
      const row = {
        id: threadId,
        status: 'open',
        unread: true,
        timestamp: thread!.timestamp,
        messageCount: 1,
        revision: thread!.revision,
      }
      assert.deepEqual(list.structured, { fence: 'NONCE', data: [{ ...row, letter }], nextCursor: null })
      assert.equal(
        list.text,
        `fence=NONCE\n\n${threadId} status=open unread timestamp=${thread!.timestamp} messageCount=1 revision=${thread!.revision}\n${letter}\n\nNo more.`,
      )
      const detailed = await ask<{ data: Row[] }>(spool, desk.token, revision, 'list_threads', {
        format: 'detailed',
      })
      assert.equal(detailed.structured.data[0]!['subject'], fenced('Order 4711'))
      assert.deepEqual(Object.keys(detailed.structured.data[0]!), Object.keys(thread!))
      assert.equal(detailed.text, JSON.stringify(detailed.structured))
    })

  test(`${database}: a thread is its messages as letters: only what the thread does not say already`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const other = await spool.makeInbox(`other-${desk.inbox.address}`)
    const reader = await spool.makeUser(`reader-${desk.inbox.address}`, 'member', [desk.inbox, other])
    const token = await spool.makeToken(reader)
    const first = `<1@${desk.inbox.address}>`
    const more = { references: [first], to: desk.inbox.address }
    const { threadId } = await desk.receive({
      messageId: first,
      to: desk.inbox.address,
      date: Date.UTC(2026, 0, 5, 9),
      text: 'Where is it?',
    })
    await desk.receive({
      ...more,
      subject: 'Re: AW: Order 4711 has not arrived',
      date: Date.UTC(2026, 0, 5, 10),
      text: 'From: The Boss <boss@shop.example>\n\nStill nothing.\n\n> Where is it?',
    })
    await desk.receive({
      ...more,
      from: '"Dan <carla@brandt.example>" <dan@brandt.example>',
      subject: 'Photos',
      date: Date.UTC(2026, 0, 5, 11),
      html: '<p>See <a href="https://brandt.example/a">this</a>.</p>',
      headers: { Cc: 'Eva <eva@brandt.example>', 'Reply-To': 'office@brandt.example' },
      attachments: [
        { filename: 'att_123 (a).pdf', type: 'application/pdf', content: 'a'.repeat(48_213) },
        { filename: 'b.png', type: 'image/png', content: 'b' },
      ],
    })
    await desk.receive(
      {
        from: `Support <${desk.inbox.address}>`,
        references: [first],
        to: 'carla@brandt.example',
        date: Date.UTC(2026, 0, 5, 12),
        text: 'Tomorrow.',
      },
      { direction: 'outbound' },
    )
    await addNote(spool.spool, desk.actor, threadId, 'Ask the carrier.')
    await assignThread(spool.spool, desk.actor, threadId, desk.user)
    await changeStatus(spool.spool, desk.actor, threadId, 'closed', null)

    const { structured, text } = await ask<Read>(spool, token, '2026-07-28', 'get_thread', { threadId })
    const { history, ...summary } = structured
    const thread = await desk.thread(threadId)
    const [pdf, png] = thread.history.flatMap((entry) => (entry.type === 'message' ? entry.attachments : []))
    assert.deepEqual(summary, {
      fence: 'NONCE',
      id: threadId,
      status: 'closed',
      unread: true,
      timestamp: '2026-01-05T12:00:00.000Z',
      messageCount: 4,
      revision: thread.revision,
      noteCount: 1,
      attachmentCount: 2,
      assignee: desk.user.name,
      inbox: desk.inbox.address,
      letter: fenced('From: Carla Brandt <carla@brandt.example>\nSubject: Order 4711 has not arrived'),
      historyNextCursor: null,
    })
    const ids = thread.history.map(({ id, timestamp }) => ({ id, timestamp }))
    const by = `${desk.user.name} (person)`
    assert.deepEqual(history.slice(0, 4), [
      { type: 'message', ...ids[0], direction: 'inbound', letter: fenced('\nWhere is it?') },
      {
        type: 'message',
        ...ids[1],
        direction: 'inbound',
        // It may look like a header, but the blank line above it tells that it is none.
        letter: fenced('\nFrom: The Boss <boss@shop.example>\n\nStill nothing.'),
      },
      {
        type: 'message',
        ...ids[2],
        direction: 'inbound',
        linkCount: 1,
        warnings: ['parts_differ'],
        letter: fenced(
          `From: Dan ‹carla@brandt.example› <dan@brandt.example>\nCc: Eva <eva@brandt.example>\nReply-To: office@brandt.example\nSubject: Photos\nFile: att-123 (a).pdf (${pdf!.id}, application/pdf, 48 kB)\nFile: b.png (${png!.id}, image/png, 1 B)\n\nSee this.`,
        ),
      },
      { type: 'message', ...ids[3], direction: 'outbound', letter: fenced('\nTomorrow.') },
    ])
    assert.deepEqual(
      history.slice(4).map(({ type, to, from, by }) => ({ type, to, from, by })),
      [
        { type: 'assigned', to: desk.user.name, from: undefined, by },
        { type: 'status_changed', to: 'closed', from: 'open', by },
      ],
    )
    assert.ok(
      text.includes(`${ids[3]!.id} message timestamp=${ids[3]!.timestamp} direction=outbound\n`),
      text,
    )
    assert.ok(text.includes(`assigned timestamp=${ids[4]!.timestamp} to=${desk.user.name} by="${by}"`), text)

    const full = await ask<Read>(spool, token, '2025-11-25', 'get_thread', { threadId, full: true })
    assert.equal(
      full.structured.history[1]!.letter,
      fenced('\nFrom: The Boss <boss@shop.example>\n\nStill nothing.\n\n> Where is it?'),
    )
  })

  test(`${database}: long threads come in pages of 50 entries or 30,000 characters, long texts are cut with a mark`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const first = `<1@${desk.inbox.address}>`
    const letters = Array.from({ length: 70 }, (_, index) => ({
      messageId: index === 0 ? first : `<${index + 1}@${desk.inbox.address}>`,
      references: index === 0 ? [] : [first],
      to: desk.inbox.address,
      date: Date.UTC(2026, 0, 5, 9) + index * 60_000,
      text: `Message ${index}${index < 60 ? '' : ` ${'and so on '.repeat(500)}`}`,
    }))
    const { threadId } = (await desk.receiveAll(letters))[0]!
    const pages: number[] = []
    const read: Row[] = []
    for (let cursor: string | null = null; pages.length === 0 || cursor !== null;) {
      const { structured } = await callTool(spool.url, desk.token, 'get_thread', { threadId, cursor })
      const page = structured as unknown as Read
      pages.push(page.history.length)
      read.push(...page.history)
      cursor = page.historyNextCursor
    }
    assert.deepEqual(pages, [50, 17, 3])
    assert.deepEqual(
      read.map(({ letter }) => /^<untrusted \d{12}>\nMessage (\d+)/.exec(letter)?.[1]),
      letters.map((_, index) => String(index)),
    )
    assert.match(
      read.at(-1)!.letter,
      /so on <\/untrusted \d{12}> \[cut: 4000 of \d+ characters; get_thread with full: true has the rest\]$|<\/untrusted \d{12}> \[cut: 4000 of \d+/,
    )
  })
}
