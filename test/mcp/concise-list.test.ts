import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { writeCompactText } from '../../src/mcp/compact-text.ts'
import { writeConciseList } from '../../src/mcp/concise-list.ts'
import { trustedFields } from '../../src/mcp/concise.ts'
import { raiseFence } from '../../src/mcp/fence.ts'
import { fenceSummary } from '../../src/mcp/fenced-thread.ts'
import { writeThreadLetter } from '../../src/mcp/letter.ts'
import { Latin } from '../../src/mcp/latin.ts'
import { makePreview } from '../../src/model/mail/preview.ts'
import type { ThreadSummary } from '../../src/model/thread.ts'

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

/** As most mail says it, or nearly so. */
const usual = fc
  .array(fc.constantFrom('Order 7', ' ', 'ready', "it's", 'a.b@c.example', 'word '.repeat(40), '…', '>'), {
    maxLength: 5,
  })
  .map((parts) => parts.join(''))

function threadsOf(text: fc.Arbitrary<string>) {
  return fc.record({
    subject: text,
    name: fc.option(text),
    address: text,
    colleague: fc.option(text),
    preview: text.map((preview) => preview.slice(0, 200)),
    noteCount: fc.nat(1),
    unread: fc.boolean(),
  })
}
const plain = fc.stringMatching(/^[ !#-;=?-[\]-~]{0,90}$/)
const threads = fc.oneof(threadsOf(words), threadsOf(usual), threadsOf(plain))

type Given = typeof threads extends fc.Arbitrary<infer Given> ? Given : never

function write(given: Given): ThreadSummary {
  const { subject, name, address, colleague, preview, noteCount, unread } = given
  const assignment =
    colleague === null ? null : { id: 'usr_1', name: colleague, email: address, assignedAt: time }
  const between = { timestamp: time, status: 'open', assignment } as const
  const counts = { messageCount: 1, noteCount, attachmentCount: 3, draftCount: 0 }
  const times = { snoozedUntil: unread ? null : time, createdAt: time, updatedAt: time }
  const inbox = { id: 'inb_1', name: colleague ?? '', address: 'help@shop.example' }
  const rest = {
    ...counts,
    ...times,
    revision: 5,
    unread,
    inbox,
    webUrl: 'http://localhost/threads/thr_1',
  }
  return { id: 'thr_1', subject, sender: { name, address }, ...between, preview, ...rest }
}

test('a concise list says of each thread what was written, in any script, as JSON and as text', () => {
  fc.assert(
    fc.property(fc.array(threads, { maxLength: 4 }), fc.option(fc.constant('next')), (given, nextCursor) => {
      const items = given.map((each) => JSON.stringify(write(asMade(each)))).join(',\n')
      const { structured, text } = writeConciseList({ items: Buffer.from(items), nextCursor }, fence)
      const data = given.map((each) => {
        const wellWritten = write(wellFormed(asMade(each)))
        return { ...trustedFields(write(asMade(each))), letter: fence.wrap(writeThreadLetter(wellWritten)) }
      })
      assert.deepEqual(Latin.parse((structured as Latin).text), { fence: nonce, data, nextCursor })
      assert.equal(Latin.parse((text as Latin).text), writeCompactText({ fence: nonce }, data, nextCursor))
    }),
    { numRuns: 2_000 },
  )
})

const asMade = (given: Given): Given => ({ ...given, preview: makePreview(given.preview) })

/** Half a character is shown as one that is unknown. */
function wellFormed(given: Given): Given {
  const whole = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : value,
  ])
  return Object.fromEntries(whole) as Given
}

test('a field that the schema does not name is not passed on', () => {
  const thread = write({
    subject: 'Order',
    name: null,
    address: 'a@b.example',
    colleague: 'Ben',
    preview: 'Hi',
    noteCount: 0,
    unread: true,
  })
  const fenced = fenceSummary({ ...thread, secret: 'told' } as ThreadSummary, fence)
  assert.doesNotMatch(JSON.stringify(fenced), /told/)
  assert.match(fenced.subject, /<untrusted abcdefgh1234>Order</)
})
