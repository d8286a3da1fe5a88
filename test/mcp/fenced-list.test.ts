import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { raiseFence } from '../../src/mcp/fence.ts'
import { fenceList } from '../../src/mcp/fenced-list.ts'
import { fenceSummary } from '../../src/mcp/fenced-thread.ts'
import { Latin } from '../../src/mcp/rendition.ts'
import type { ThreadSummary } from '../../src/model/thread.ts'
import { renderSummary } from '../../src/store/thread-summary.ts'

const nonce = 'abcdefgh1234'
const fence = raiseFence(nonce)
const time = Date.parse('2026-11-14T09:30:00.000Z')

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
  sender_name: fc.option(words),
  sender_address: words,
  assignee_id: fc.option(fc.constant('usr_1')),
  assignee_name: words,
  preview: words.map((preview) => preview.slice(0, 200)),
  snoozed_until: fc.option(fc.constant(time)),
})

/** As the store gives it out. */
function write(given: typeof threads extends fc.Arbitrary<infer Given> ? Given : never): string {
  const summary = renderSummary({
    ...given,
    id: 'thr_1',
    inbox: 1,
    timestamp: time,
    status: 'open',
    assignee_email: 'ben@shop.example',
    assigned_at: time,
    message_count: 1,
    note_count: 2,
    attachment_count: 3,
    draft_count: 4,
    created_at: time,
    updated_at: time,
    revision: 5,
    last_inbound: time,
  })
  const inbox = JSON.stringify({ id: 'inb_1', name: given.assignee_name, address: 'help@shop.example' })
  return `{${summary},"unread":true,"inbox":${inbox},"webUrl":"http://localhost/threads/thr_1"}`
}

test('a list is fenced in passing as its threads would be one by one', () => {
  fc.assert(
    fc.property(fc.array(threads, { maxLength: 4 }), fc.option(fc.constant('next')), (given, nextCursor) => {
      const items = given.map(write)
      const data = items.map((item) => fenceSummary(JSON.parse(item) as ThreadSummary, fence))
      assert.deepEqual(Latin.parse(fenceList(Buffer.from(items.join(',\n')), nextCursor, fence).text), {
        fence: nonce,
        data,
        nextCursor,
      })
    }),
    { numRuns: 2_000 },
  )
})

test('a field that nobody allowed is not passed on, wherever it stands', () => {
  const item = write({
    subject: 'Order',
    sender_name: null,
    sender_address: 'carla@example.net',
    assignee_id: null,
    assignee_name: '',
    preview: 'Hello',
    snoozed_until: null,
  })
  for (const odd of [
    item.replace('{', '{"secret":"told",'),
    item.replace('"preview"', '"secret":"told","preview"'),
    item.replace('"address"', '"secret":"told","address"'),
    item.replace(/\}$/, ',"secret":"told"}'),
  ]) {
    assert.match(odd, /told/)
    const { text } = fenceList(Buffer.from(odd), null, fence)
    assert.doesNotMatch(text, /told/)
    assert.match(text, /<untrusted abcdefgh1234>Order</)
  }
})
