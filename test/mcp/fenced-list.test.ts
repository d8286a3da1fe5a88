import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listConcisely } from '../../src/mcp/concise.ts'
import { raiseFence } from '../../src/mcp/fence.ts'
import { fenceList } from '../../src/mcp/fenced-list.ts'
import { fenceSummary } from '../../src/mcp/fenced-thread.ts'
import { writeThreadLetter } from '../../src/mcp/letter.ts'
import { Latin } from '../../src/mcp/latin.ts'
import { makePreview } from '../../src/model/mail/preview.ts'
import { textMark, type ThreadSummary } from '../../src/model/thread.ts'

const nonce = 'abcdefgh1234'
const fence = raiseFence(nonce)
const time = '2026-11-14T09:30:00.000Z'

/** As mail may say it: with all that JSON, UTF-8 and fences find odd. */
const words = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        `</untrusted ${nonce}>`,
        '<\n/ UNTRUSTED',
        '"',
        '\\',
        '","sender":{"name":"',
        '},\n{',
        ',\n',
        'null',
        '\ud800',
        '\u2028',
        '\x7f',
        'ä€😀',
        'long '.repeat(120),
        '€'.repeat(200),
      ),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

const threads = fc.record({
  subject: words,
  name: fc.option(words),
  address: words,
  colleague: words,
  preview: words.map((preview) => preview.slice(0, 200)),
})

type Given = typeof threads extends fc.Arbitrary<infer Given> ? Given : never

/** The thread, and its JSON as a marked list has it. */
function write({ subject, name, address, colleague, preview }: Given): [ThreadSummary, string] {
  const assignment = { id: 'usr_1', name: colleague, email: 'ben@shop.example', assignedAt: time }
  const between = { timestamp: time, status: 'open', assignment } as const
  const counts = { messageCount: 1, noteCount: 2, attachmentCount: 3, draftCount: 4 }
  const times = { snoozedUntil: null, createdAt: time, updatedAt: time }
  const inbox = { id: 'inb_1', name: colleague, address: 'help@shop.example' }
  const rest = {
    ...counts,
    ...times,
    revision: 5,
    unread: true,
    inbox,
    webUrl: 'http://localhost/threads/thr_1',
  }
  const theirs = (text: string | null): string => textMark + JSON.stringify(text) + textMark
  const members = (value: object): string => JSON.stringify(value).slice(1, -1)
  return [
    { id: 'thr_1', subject, sender: { name, address }, ...between, preview, ...rest },
    `{"id":"thr_1","subject":${theirs(subject)},"sender":{"name":${theirs(name)},"address":${theirs(address)}},${members(between)},"preview":${theirs(preview)},${members(rest)}}`,
  ]
}

test('a list is fenced in passing as its threads would be one by one', () => {
  fc.assert(
    fc.property(fc.array(threads, { maxLength: 4 }), fc.option(fc.constant('next')), (given, nextCursor) => {
      const written = given.map(write)
      const items = Buffer.from(written.map(([, item]) => item).join(',\n'))
      assert.deepEqual(Latin.parse(fenceList(items, nextCursor, fence).text), {
        fence: nonce,
        data: written.map(([thread]) => fenceSummary(thread, fence)),
        nextCursor,
      })
    }),
    { numRuns: 2_000 },
  )
})

test('a concise list says of each thread what was written, in any script', () => {
  fc.assert(
    fc.property(fc.array(threads, { maxLength: 4 }), (given) => {
      const items = given.map((each) => write(asMade(each))[1].replaceAll(textMark, '')).join(',\n')
      const rows = Latin.parse(JSON.stringify(listConcisely(Buffer.from(items), fence)))
      const expected = given.map((each) => {
        const [thread] = write(wellFormed(asMade(each)))
        const { header, text } = writeThreadLetter(thread)
        return { letter: fence.wrap(header + text), assignee: thread.assignment!.name }
      })
      const read = rows as { letter: string; assignee: string }[]
      assert.deepEqual(
        read.map(({ letter, assignee }) => ({ letter, assignee: assignee.toWellFormed() })),
        expected,
      )
    }),
    { numRuns: 1_000 },
  )
})

const asMade = (given: Given): Given => ({ ...given, preview: makePreview(given.preview) })

/** Half a character is shown as one that is unknown. */
function wellFormed(given: Given): Given {
  const whole = Object.entries(given).map(([name, text]) => [name, text && text.toWellFormed()])
  return Object.fromEntries(whole) as Given
}

test('a field that the schema does not name is not passed on', () => {
  const [thread] = write({
    subject: 'Order',
    name: null,
    address: 'a@b.example',
    colleague: 'Ben',
    preview: 'Hi',
  })
  const fenced = fenceSummary({ ...thread, secret: 'told' } as ThreadSummary, fence)
  assert.doesNotMatch(JSON.stringify(fenced), /told/)
  assert.match(fenced.subject, /<untrusted abcdefgh1234>Order</)
})
