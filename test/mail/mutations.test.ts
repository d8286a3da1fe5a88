import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseMail } from '../../src/mail/parse.ts'
import type { ParsedMail } from '../../src/model/mail/mail.ts'
import { corpora, isLongRun, needsCorpora } from '../support/corpora.ts'
import { mutate, randomNumbers } from '../support/mutations.ts'

const seed = Number(process.env['SPOOL_TEST_SEED'] ?? 20261115)
const count = isLongRun ? 100_000 : 10_000
const largestSeed = 64 * 1024

test(`${count} broken messages: none throws, takes long, or loses a byte`, () => {
  const seeds = readSeeds()
  const random = randomNumbers(seed)
  let slowest = 0
  let unparsable = 0
  let memoryBefore = 0
  for (let i = 0; i < count; i++) {
    const raw = mutate(seeds, random)
    const copy = Buffer.from(raw)
    const before = process.threadCpuUsage()
    const mail = parseMail(raw)
    const { user, system } = process.threadCpuUsage(before)
    slowest = Math.max(slowest, (user + system) / 1000)
    if (mail.warnings.includes('unparsable')) unparsable++
    assert.ok(copy.equals(mail.raw), `seed ${seed}, message ${i}: bytes changed`)
    assertStorable(mail, `seed ${seed}, message ${i}`)
    if (i === count / 10) memoryBefore = process.memoryUsage().rss
  }
  const growth = (process.memoryUsage().rss - memoryBefore) / 1e6
  console.log(
    `seed ${seed}: ${count} messages of ${seeds.length} seeds, ${unparsable} unparsable, slowest ${slowest.toFixed(0)} ms, memory grew ${growth.toFixed(0)} MB`,
  )
  assert.ok(slowest < 2000, `the slowest took ${slowest} ms`)
  assert.ok(growth < 200, `memory grew by ${growth} MB`)
  assert.equal(unparsable, 0, 'nothing in them is beyond a limit')
})

function readSeeds(): Buffer[] {
  const files = globSync(join(import.meta.dirname, '*.eml'))
  if (!('skip' in needsCorpora)) {
    files.push(
      ...globSync(corpora('mikel-mail', '**', '*.eml')),
      ...globSync(corpora('mime4j', '**', '*.msg')),
    )
  }
  return files
    .sort()
    .map((file) => readFileSync(file))
    .filter(({ length }) => length <= largestSeed)
}

/** PostgreSQL takes no NUL, and no text is well-formed with half a surrogate pair in it. */
function assertStorable(value: unknown, name: string): void {
  if (typeof value === 'string')
    assert.ok(value.isWellFormed() && !value.includes('\0'), `${name}: ${JSON.stringify(value)}`)
  else if (Array.isArray(value)) for (const item of value) assertStorable(item, name)
  else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
    assertStorable(Object.values(value), name)
}

test('the check of storable text finds what it looks for', () => {
  const mail: Pick<ParsedMail, 'subject' | 'to'> = {
    subject: 'fine',
    to: [{ name: 'b\0d', address: 'a@example.com' }],
  }
  assert.throws(() => assertStorable(mail, 'sample'))
})
