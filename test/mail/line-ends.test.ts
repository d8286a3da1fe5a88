import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasBareLineEnd } from '../../src/mail/line-ends.ts'
import { processorTime } from '../support/processor-time.ts'

test('a bare line end is found wherever it stands', () => {
  for (const text of ['', 'x', 'x\r\n', '\r\n', '\r\n\r\nx', 'x\r\ny'])
    assert.equal(hasBareLineEnd(Buffer.from(text)), false, JSON.stringify(text))
  for (const text of ['\n', '\r', '\nx', 'x\r', 'x\n', 'x\ry', '\r\r\n', '\r\n\n', '\n\r'])
    assert.equal(hasBareLineEnd(Buffer.from(text)), true, JSON.stringify(text))
})

test('a large mail of empty lines takes no time that others have to wait for', () => {
  const mail = Buffer.alloc(50_000_000, '\r\n')
  const time = processorTime(() => hasBareLineEnd(mail), 800)
  assert.ok(time < 800, `${time} ms`)
})
