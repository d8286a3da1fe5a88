import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCheckable, isReadTwoWays } from '../../src/mail/sender/signed-header.ts'

const header =
  'From: a@b.example\r\nSubject: one\r\nContent-Type: text/plain\r\nReceived: x\r\nReceived: y\r\n'

test('a field that decides what is seen must stand once, and in one way', () => {
  const twoWays = (before: string, after = ''): boolean =>
    isReadTwoWays(Buffer.from(`${before}${header}${after}\r\nSubject: in the text\r\n\r\nFrom: there too`))
  assert.equal(twoWays(''), false)
  for (const field of ['From: x', 'subject: x', 'SUBJECT : x', 'Content-Type: text/html']) {
    assert.equal(twoWays(`${field}\r\n`), true, field)
    assert.equal(twoWays('', `${field}\r\n`), true, `${field} behind`)
  }
  for (const field of ['Reply-To\r\n : x', 'Reply-To\n\t: x', 'References \r\n \r\n : x'])
    assert.equal(twoWays(`${field}\r\n`), true, JSON.stringify(field))
  assert.equal(twoWays('X-Other: x\r\nX-Other: y\r\n'), false)
})

test('a header without an end, or of thousands of lines, is not looked into', () => {
  assert.equal(isCheckable(Buffer.from(`${header}\r\ntext`)), true)
  assert.equal(isCheckable(Buffer.from(header)), true)
  assert.equal(isCheckable(Buffer.from(`${header}X: ${'x'.repeat(300_000)}\r\n\r\ntext`)), false)
  assert.equal(isCheckable(Buffer.from(`A: b\r\n${' \r\n'.repeat(5_000)}${header}\r\ntext`)), false)
  assert.equal(isCheckable(Buffer.from(`${header}\r\n${'x\r\n'.repeat(200_000)}`)), true)
})

test('nor are many signatures, or a line that nobody could have written', () => {
  const signature = 'DKIM-Signature: v=1; l=10\r\n'
  const line = 'a line of a letter that is long enough to be one\r\n'
  const isChecked = (signatures: number, body: string): boolean =>
    isCheckable(Buffer.from(`${signature.repeat(signatures)}${header}\r\n${body}`))
  assert.deepEqual(
    [20, 21].map((count) => isChecked(count, line)),
    [true, false],
  )
  const tenMegabytes = line.repeat(180_000)
  assert.deepEqual(
    [10, 20].map((count) => isChecked(count, tenMegabytes.repeat(2))),
    [true, false],
  )
  const long = 'x'.repeat(999_000)
  for (const body of [long, `${line}${long}\n${long}`, `${long}\n`.repeat(3)])
    assert.equal(isChecked(1, body), true)
  for (const start of [
    ' DKIM-Signature: v=1',
    'ARC-Message-Signature: i=1',
    'arc-message-signature\r\n : i=1',
  ])
    assert.equal(isCheckable(Buffer.from(`${start}\r\n${header}\r\n${long}${long}`)), false, start)
  for (const body of [`${long}${long}`, `${line}${long}${long}\n`, `${tenMegabytes}${long}${long}`])
    assert.deepEqual([isChecked(1, body), isChecked(0, body)], [false, true])
})

test('nor are long gaps, or very many names for the lines that there are', () => {
  const isChecked = (start: string): boolean => isCheckable(Buffer.from(`${start}\r\n${header}\r\ntext`))
  const gap = ' '.repeat(499)
  assert.equal(isChecked(`DKIM-Signature: v=1;${gap}x;${gap}y`), true)
  assert.equal(isChecked(`DKIM-Signature: v=1;${gap}\tx`), false)
  assert.equal(isChecked(`X${gap} y`), false)
  const names = `DKIM-Signature: h=from${':q'.repeat(100_000)}`
  assert.equal(isChecked(names), true)
  assert.equal(isChecked(`${names}${'\r\na:b'.repeat(3_000)}`), false)
})
