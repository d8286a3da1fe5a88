import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Prints } from '../../src/core/forms/thread-prints.ts'
import { makeRandom } from '../support/random.ts'

test('a print is found in the message it was last seen in, as in a Map', () => {
  const random = makeRandom(20)
  const [prints, expected] = [new Prints<string>(), new Map<number, string>()]
  for (let message = 0; message < 200; message++) {
    // Few enough that many come again; 0, negative ones and the least of all among them.
    const some = Int32Array.from({ length: 50 }, () => (Math.floor(random() * 4096) - 2048) << 20)
    some.set([0, -(2 ** 31)])
    prints.add(some, `m${message}`)
    for (const print of some) expected.set(print, `m${message}`)
  }
  assert.equal(prints.size, expected.size)
  assert.ok(expected.size > 1000)
  for (let print = -3000; print < 3000; print++)
    assert.equal(prints.get(print << 20), expected.get(print << 20))
})
