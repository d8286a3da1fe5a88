import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiveMail } from '../../src/core/receiving/receive.ts'
import { parseMail } from '../../src/mail/parse.ts'
import type { MessageEntry } from '../../src/model/history.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { writeMail } from '../support/letter.ts'

const sent = Date.UTC(2026, 2, 3, 10, 0, 0)
const received = sent + 5_000
const envelope = sent + 9_000
const future = Date.now() + 10 * 86_400_000

const dateLine = (time: number): string => new Date(time).toUTCString().replace('GMT', '+0000')
const receivedLines = (time: number): string =>
  `Received: from mx2 by mx1.example; ${dateLine(time)}\r\nReceived: from client by mx2; ${dateLine(sent - 60_000)}\r\n`

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: a message's timestamp is its Date, else the topmost Received, else the envelope's, else the arrival`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const arrival = 'the arrival'
    const cases: [
      what: string,
      head: string,
      envelopeDate: number | null,
      expected: number | typeof arrival,
    ][] = [
      ['a good Date', `Date: ${dateLine(sent)}\r\n${receivedLines(received)}`, envelope, sent],
      ['no Date', receivedLines(received), envelope, received],
      ['an unreadable Date', `Date: next Tuesday\r\n${receivedLines(received)}`, envelope, received],
      ['an empty Date', `Date:\r\n${receivedLines(received)}`, envelope, received],
      ['a Date to come', `Date: ${dateLine(future)}\r\n${receivedLines(received)}`, envelope, received],
      ['a Received to come too', `Date: ${dateLine(future)}\r\n${receivedLines(future)}`, envelope, envelope],
      ['only the envelope', '', envelope, envelope],
      ['an envelope to come', '', future, arrival],
      ['nothing', '', null, arrival],
    ]
    for (const [what, head, envelopeDate, expected] of cases) {
      const mail = await parseMail(
        Buffer.from(head + writeMail({ subject: what }).replace(/^Date:.*\r\n/m, '')),
      )
      const before = Date.now()
      const [stored] = await receiveMail(spool.spool, desk.inbox, [
        { mail, direction: 'inbound', envelopeDate, seen: false, quiet: false },
      ])
      const { timestamp, createdAt, history } = await desk.thread(stored!.threadId)
      assert.equal(history[0]!.timestamp, timestamp, what)
      assert.equal(createdAt, timestamp, what)
      const time = Date.parse(timestamp)
      if (expected === arrival) assert.ok(time >= before && time <= Date.now(), what)
      else assert.equal(time, expected, what)
    }
  })

  test(`${database}: sender, subject and createdAt follow the earliest message, timestamp and preview the newest, in whatever order they arrive`, async () => {
    const desk = await openDesk(await shared())
    const minute = 60_000
    const letters = [
      { from: 'B <b@example.com>', subject: 'Re: second', date: sent + minute, text: 'second' },
      { from: 'C <c@example.com>', subject: 'Re: third', date: sent + 2 * minute, text: 'third' },
      { from: 'A <a@example.com>', subject: 'first', date: sent, text: 'first' },
    ]
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
      [1, 2, 0],
    ]) {
      const root = `<${order.join('')}@root.example>`
      let threadId = ''
      for (const index of order)
        ({ threadId } = await desk.receive({ ...letters[index]!, references: [root] }))
      const thread = await desk.thread(threadId)
      assert.deepEqual(
        [thread.subject, thread.sender.address, thread.createdAt, thread.timestamp, thread.preview],
        [
          'first',
          'a@example.com',
          new Date(sent).toISOString(),
          new Date(sent + 2 * minute).toISOString(),
          'third',
        ],
        String(order),
      )
      assert.deepEqual(
        (thread.history as MessageEntry[]).map(({ newText }) => newText),
        ['first', 'second', 'third'],
      )
    }
  })

  test(`${database}: unread follows the arrival, never the Date`, async () => {
    const desk = await openDesk(await shared())
    const { threadId } = await desk.receive({ messageId: '<late@a.example>', date: sent }, { seen: true })
    await desk.receive({ inReplyTo: '<late@a.example>', date: sent - 86_400_000, text: 'older and late' })
    const thread = await desk.thread(threadId)
    assert.deepEqual([thread.unread, thread.timestamp], [true, new Date(sent).toISOString()])
  })

  test(`${database}: the same mail twice is one message; the same Message-ID with other content is another`, async () => {
    const spool = await shared()
    const [desk, other] = [await openDesk(spool), await openDesk(spool)]
    const letter = { messageId: '<same@a.example>', date: sent, subject: 'Twice', text: 'The same words' }
    const first = await desk.receive(letter)
    const events = (await desk.events()).length
    const again = await desk.receive(letter)
    assert.deepEqual(
      [again.duplicate, again.threadId, again.messageId],
      [true, first.threadId, first.messageId],
    )
    assert.equal((await desk.events()).length, events, 'nothing happened')
    const crossed = await desk.receive({
      ...letter,
      headers: { Received: 'by mx.example; Tue, 3 Mar 2026 10:00:05 +0000' },
    })
    assert.equal(crossed.duplicate, true, 'another way through the net')
    assert.equal((await desk.thread(first.threadId)).messageCount, 1)
    for (const change of [
      { text: 'Other words' },
      { subject: 'Other' },
      { from: 'x@example.com' },
      { date: sent + 1000 },
    ]) {
      const changed = await desk.receive({ ...letter, ...change })
      assert.deepEqual([changed.duplicate, changed.threadId], [false, first.threadId], JSON.stringify(change))
    }
    assert.equal((await desk.thread(first.threadId)).messageCount, 5)
    const elsewhere = await other.receive(letter)
    assert.equal(elsewhere.duplicate, false, 'another inbox has its own')
    const nameless = { messageId: '', date: sent, text: 'No Message-ID' }
    const one = await desk.receive(nameless)
    assert.equal((await desk.receive(nameless)).duplicate, true)
    assert.notEqual((await desk.receive({ ...nameless, text: 'Other' })).threadId, one.threadId)
  })
}
