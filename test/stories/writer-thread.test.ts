import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesIn } from '../../src/store/drivers/sqlite-thread.ts'
import { withoutPool } from '../../src/store/drivers/sqlite-workers.ts'

test("a small Buffer takes only its own bytes to the writer's thread, not Node's pool", () => {
  const small = Buffer.from('a mail that is short')
  assert.ok(small.buffer.byteLength > 8_000, 'it is a piece of the pool')
  const query = { sql: 'INSERT', parameters: [1, 'text', small, null] }
  const sent = withoutPool({ do: 'run', query, before: [query] })
  const queries = [...sent.before!, ...('query' in sent ? [sent.query] : [])]
  assert.equal(queries.length, 2)
  for (const { sql, parameters } of queries) {
    assert.equal(sql, 'INSERT')
    const [number, text, bytes, nothing] = parameters
    assert.deepEqual([number, text, nothing], [1, 'text', null])
    assert.ok(bytes instanceof Uint8Array && Buffer.from(bytes).equals(small))
    assert.equal(bytes.buffer.byteLength, small.length)
  }
  const large = Buffer.alloc(100_000)
  const kept = withoutPool({ do: 'run', query: { sql: '', parameters: [large] } })
  assert.ok('query' in kept && kept.query.parameters[0] === large, 'what is whole is not copied')
})

test("a page of a list is handed over by the reader's thread and not copied, however it was asked for", () => {
  const items = new Uint8Array(new ArrayBuffer(40_000))
  const row = { items, count: 51 }
  for (const value of [row, [row]]) assert.deepEqual(bytesIn(value), [items.buffer])
  for (const value of [undefined, null, 1, [], [row, row], { items: items.subarray(1) }])
    assert.deepEqual(bytesIn(value), [], 'copied')
})
