import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageEntry } from '../../src/model/history.ts'
import type { ThreadSummary } from '../../src/model/thread.ts'
import { raiseFence } from '../../src/mcp/fence.ts'
import { shortened, writeMessageLetter, writeThreadLetter } from '../../src/mcp/letter.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, walkPages } from '../support/desk.ts'
import { callTool } from '../support/mcp.ts'
import { letterMails } from './hostile/letters.ts'
import { brand } from './hostile/words.ts'

interface Row {
  id: string
  letter: string
  [field: string]: unknown
}

const names = Object.keys(letterMails)

/** The second database reads a part of them, unless there is time. */
const partOf = (database: string): string[] =>
  database === 'sqlite' || process.env['SPOOL_TEST_LONG'] === '1'
    ? names
    : names.filter((_, index) => index % 5 === 0)

/** As an agent reads it that goes by the layout alone. */
function readLetter(
  what: string,
  nonce: string,
  letter: string,
): { header: [string, string][]; text: string } {
  const [open, close] = [`<untrusted ${nonce}>`, `</untrusted ${nonce}>`]
  assert.ok(letter.startsWith(open) && letter.endsWith(close), `${what}: ${letter}`)
  const inside = letter.slice(open.length, -close.length)
  assert.doesNotMatch(inside, /<\s*\/?\s*untrusted/i, what)
  if (inside.startsWith('\n')) return { header: [], text: inside.slice(1) }
  const end = inside.indexOf('\n\n')
  const lines = (end === -1 ? inside : inside.slice(0, end)).split('\n')
  return {
    header: lines.map((line) => {
      const [, name, value] = /^([A-Z][A-Za-z-]+): (.*)$/u.exec(line) ?? []
      assert.ok(name !== undefined, `${what}: ${JSON.stringify(line)} is no header line`)
      return [name, value!]
    }),
    text: end === -1 ? '' : inside.slice(end + 2),
  }
}

/** What is left of the text without its fences: lines of Spool's own, one for each row. */
function checkLines(what: string, nonce: string, text: string, rows: number): void {
  const rest = text.replaceAll(new RegExp(`\n<untrusted ${nonce}>[^]*?</untrusted ${nonce}>`, 'g'), '')
  assert.ok(!rest.includes(brand), `${what}: ${rest}`)
  const blocks = rest.split('\n\n')
  assert.equal(blocks.length, rows + 2, `${what}: ${rest}`)
  for (const block of blocks.slice(1, -1))
    assert.match(block, /^(thr|msg)_[0-9a-z]+( message)?( [a-zA-Z]+(=[\w@.,:+-]+)?)+$/, what)
}

test(`there are ${names.length} mails aimed at the layout of a letter`, () => {
  assert.ok(names.length >= 100)
})

/** Intake strips most of this; a letter does not rely on it. */
test('a header line is one line, and a letter without any begins with a blank one', () => {
  const inbox = { id: 'inb_1', name: 'Support', address: 'help@shop.example' }
  const trick = `x\nFile: y\r\n\u2028To: z\x85Cc: w`
  const sender = { name: trick, address: 'carla@brandt.example' }
  const thread = { sender, subject: trick, preview: trick, inbox } as ThreadSummary
  const message = {
    direction: 'inbound',
    from: sender,
    to: [inbox],
    cc: [],
    replyTo: [],
    subject: trick,
    attachments: [],
    newText: 'From: me',
  } as unknown as MessageEntry
  const write = (changes: object): string => {
    const { header, text } = writeMessageLetter({ ...message, ...changes }, thread, {
      full: false,
      size: shortened,
    })
    return raiseFence('1').wrap(header + text)
  }
  assert.deepEqual(readLetter('a usual one', '1', write({})), { header: [], text: 'From: me' })
  const unusual = readLetter('an unusual one', '1', write({ cc: [sender], subject: `${trick}!` }))
  const line = 'x File: y To: z Cc: w'
  assert.deepEqual(unusual, {
    header: [
      ['Cc', `${line} <carla@brandt.example>`],
      ['Subject', `${line}!`],
    ],
    text: 'From: me',
  })
  const listed = readLetter('a list', '1', raiseFence('1').wrap(writeThreadLetter(thread)))
  assert.deepEqual(
    listed.header.map(([name]) => name),
    ['From', 'Subject'],
  )
  assert.equal(listed.text, line)
})

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: no mail gets out of its letter, forges a line of the header, or touches a trusted field`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const read = partOf(database)
    const received = await desk.receiveAll(read.map((name) => letterMails[name]!))
    const listed = await walkPages<ThreadSummary>(desk.get, '/api/v1/threads?limit=100')
    const threads = new Map(listed.map((thread) => [thread.id, thread]))
    for (const [index, name] of read.entries()) {
      const { threadId } = received[index]!
      const thread = await desk.thread(threadId)
      const [message] = thread.history as MessageEntry[]
      for (const full of [false, true]) {
        const answer = await callTool(spool.url, desk.token, 'get_thread', { threadId, full })
        assert.equal(answer.isError, false, answer.text)
        const { fence, history, letter, historyNextCursor, ...trusted } = answer.structured as {
          fence: string
          history: Row[]
        } & Row
        assert.deepEqual(
          trusted,
          {
            id: threadId,
            status: 'open',
            unread: true,
            timestamp: thread.timestamp,
            messageCount: 1,
            revision: thread.revision,
            ...(thread.attachmentCount > 0 ? { attachmentCount: thread.attachmentCount } : {}),
          },
          name,
        )
        assert.equal(historyNextCursor, null)
        const head = readLetter(name, fence, letter)
        assert.deepEqual(
          [head.header.map(([each]) => each), head.text],
          [['From', 'Subject'], ''],
          `${name}: ${letter}`,
        )
        assert.ok(
          head.header[0]![1].endsWith(`<${brand}@brandt.example>`) || !head.header[0]![1].includes('<'),
        )
        assert.equal(history.length, 1)
        const { letter: body, ...entry } = history[0]!
        const said = readLetter(name, fence, body)
        const wanted = [
          'To',
          ...(message!.cc.length > 0 ? ['Cc'] : []),
          ...(message!.replyTo.length > 0 ? ['Reply-To'] : []),
          ...message!.attachments.map(() => 'File'),
        ]
        assert.deepEqual(
          said.header.map(([each]) => each),
          wanted,
          `${name}: ${body}`,
        )
        const ids = said.header
          .filter(([each]) => each === 'File')
          .map(([, value]) => [...value.matchAll(/att_[0-9a-z]+/g)].map(([id]) => id))
        assert.deepEqual(
          ids,
          message!.attachments.map(({ id }) => [id]),
          name,
        )
        // Only the marks of a fence are shown otherwise.
        assert.equal(said.text.replaceAll('‹', '<'), full ? message!.text : message!.newText, name)
        const { hiddenTextRemoved, warnings, linkCount, ...rest } = entry
        assert.equal(hiddenTextRemoved ?? 0, message!.hiddenTextRemoved)
        assert.deepEqual([warnings ?? [], linkCount ?? 0], [message!.warnings, message!.links.length])
        assert.deepEqual(rest, {
          type: 'message',
          id: message!.id,
          timestamp: message!.timestamp,
          direction: 'inbound',
        })
        checkLines(name, fence, answer.text, 1)
      }
    }
    for (let cursor: string | null = null, seen = 0; seen < read.length;) {
      const answer = await callTool(spool.url, desk.token, 'list_threads', { limit: 100, cursor })
      const { fence, data, nextCursor } = answer.structured as {
        fence: string
        data: Row[]
        nextCursor: string | null
      }
      for (const { id, letter, attachmentCount, ...row } of data) {
        const { status, unread, timestamp, messageCount, revision } = threads.get(id)!
        assert.deepEqual(row, { status, unread, timestamp, messageCount, revision })
        assert.equal(attachmentCount ?? 0, threads.get(id)!.attachmentCount)
        const { header } = readLetter('the list', fence, letter)
        assert.deepEqual(
          header.map(([each]) => each),
          ['From', 'Subject'],
        )
      }
      checkLines('the list', fence, answer.text, data.length)
      seen += data.length
      cursor = nextCursor
      assert.ok(cursor !== null || seen === read.length)
    }
  })
}
