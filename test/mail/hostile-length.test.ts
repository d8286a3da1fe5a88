import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CitationCheck } from '../../src/core/drafts/citations.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { splitTerms } from '../../src/model/search/terms.ts'
import { writeMail } from '../support/letter.ts'

/** By the processor: a busy machine changes it little. What takes the square of its length takes far longer than this. */
const mostSeconds = 4

function seconds(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000_000
}

/** Marks that stand below and above their letter in turn, which a normal form puts into order. */
const crowd = `a${'\u0301\u0323\u0345'.repeat(40_000)}`
const colons = `[${':'.repeat(240_000)}`

const mails: Record<string, string> = {
  'a From of colons': writeMail({ from: colons }),
  'a Cc of colons': writeMail({ headers: { Cc: `${colons}, Kim <kim@shop.example>` } }),
  'a letter with very many marks': writeMail({ text: crowd }),
  'parts of letters with very many marks': writeMail({ text: crowd, html: `<p>${crowd}</p>` }),
}

for (const [name, raw] of Object.entries(mails))
  test(`${name} is read in a time that grows with its length alone`, () => {
    const took = seconds(() => parseMail(Buffer.from(raw)))
    assert.ok(took < mostSeconds, `${took} s`)
  })

test('a quote of a letter with very many marks is found as quickly', () => {
  const citation = { messageId: 'msg_1', quote: 'Where is it?' }
  const check = new CitationCheck([citation], new Set(['msg_1']))
  const took = seconds(() => check.see('msg_1', `${crowd} Where is it?`))
  check.finish()
  assert.ok(took < mostSeconds, `${took} s`)
})

test('words are the same with few marks and with very many', () => {
  assert.deepEqual(splitTerms(`Caf${crowd}e\u0301 Z\u0308u\u0308rich`), ['cafae', 'zurich'])
})

test('the name of a group is nobody’s, and a colon in an address is no group', () => {
  const mail = parseMail(
    Buffer.from(
      writeMail({ headers: { Cc: 'Team: Kim <kim@shop.example>, tom@[IPv6:::1], "a:b"@c.example;' } }),
    ),
  )
  assert.deepEqual(mail.cc, [
    { name: 'Kim', address: 'kim@shop.example' },
    { name: null, address: 'tom@[IPv6:::1]' },
    { name: null, address: '"a:b"@c.example' },
  ])
})
