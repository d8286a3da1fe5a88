import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { toUtf8 } from '../src/model/utf8.ts'

test('a text of any length has the bytes that Buffer.from gives it', () => {
  const parts = fc.array(
    fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '–', '😀', 'é')),
  )
  fc.assert(
    fc.property(parts, fc.constantFrom(1, 2_000, 60_000), (some, times) => {
      const text = some.join('').repeat(times).slice(0, 200_000)
      assert.ok(toUtf8(text).equals(Buffer.from(text)))
    }),
    { numRuns: 60 },
  )
})
