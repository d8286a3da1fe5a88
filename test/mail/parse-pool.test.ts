import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openParsePool } from '../../src/mail/parse-pool.ts'
import { notice, parseMail } from '../../src/mail/parse.ts'
import type { ParsedMail } from '../../src/model/mail/mail.ts'
import { eml } from '../support/eml.ts'
import { hostileHtml } from '../support/hostile-mail.ts'

const workerUrl = new URL('../support/misbehaving-worker.ts', import.meta.url)
const mail = (text: string) =>
  Buffer.from(
    `Subject: ${text}\nMessage-ID: <${text.replaceAll(' ', '-')}@example.com>\n\nThis is the text: ${text}.\n`,
  )

/** Ids of attachments are given anew each time. */
function comparable({ attachments, html, ...rest }: ParsedMail): unknown {
  const files = attachments.map(({ content, ...file }) => ({
    ...file,
    id: 'att_',
    content: Buffer.from(content).toString('base64'),
  }))
  return { ...rest, files, html: html?.replace(/att_\w+/g, 'att_') ?? null }
}

test('the pool gives what parseMail gives, and the caller keeps its bytes', async () => {
  await using pool = openParsePool({ size: 2 })
  for (const name of ['inline-image', 'file-names', 'bounce-postfix', 'nested-message', 'empty']) {
    const raw = eml(name)
    const copy = Buffer.from(raw)
    const parsed = await pool.parse(raw)
    assert.equal(parsed.raw, raw)
    assert.ok(copy.equals(raw))
    assert.deepEqual(comparable(parsed), comparable(parseMail(raw)))
  }
})

test('each promise gets its own message, however many are asked for at once', async () => {
  await using pool = openParsePool({ size: 3 })
  const numbers = Array.from({ length: 500 }, (_, i) => i)
  const parsed = await Promise.all(numbers.map((i) => pool.parse(mail(`number ${i}`))))
  assert.deepEqual(
    parsed.map(({ subject }) => subject),
    numbers.map((i) => `number ${i}`),
  )
})

test('a slice of a larger buffer is parsed alone and leaves the rest whole', async () => {
  await using pool = openParsePool({ size: 1 })
  const whole = Buffer.concat([mail('first'), mail('second'), mail('third')])
  const start = mail('first').length
  const parsed = await pool.parse(whole.subarray(start, start + mail('second').length))
  assert.equal(parsed.subject, 'second')
  assert.ok(whole.includes('first') && whole.includes('third'))
})

for (const evil of ['please throw', 'please exit', 'please hang']) {
  test(`a message that makes its worker ${evil.slice(7)} is kept whole, the others come through`, async () => {
    await using pool = openParsePool({
      size: 1,
      timeLimitMs: evil === 'please hang' ? 2000 : 60_000,
      workerUrl,
    })
    const subjects = ['before', 'also before', evil, 'after', 'also after', 'last', 'very last']
    const parsed = await Promise.all(subjects.map((subject) => pool.parse(mail(subject))))
    assert.deepEqual(
      parsed.map(({ subject }) => subject),
      subjects,
    )
    assert.deepEqual(
      parsed.map(({ warnings }) => warnings),
      subjects.map((subject) => (subject === evil ? ['unparsable'] : [])),
    )
    const kept = parsed[2]!
    assert.equal(kept.messageId, `<please-${evil.slice(7)}@example.com>`)
    assert.deepEqual([kept.text, kept.newText, kept.html], [notice, notice, null])
    assert.ok(!kept.searchTerms.includes('text'))
    assert.ok(mail(evil).equals(kept.raw))
  })
}

const hostile = (html: string) => Buffer.from(`Subject: hostile\nContent-Type: text/html\n\n${html}`)

test('ordinary mail does not wait for hostile mail that came before it', async () => {
  await using pool = openParsePool({ size: 2 })
  const html = hostileHtml['places among siblings']!
  let read = 0
  const asked = Array.from({ length: 10 }, async () => {
    const parsed = await pool.parse(hostile(html))
    read++
    return parsed
  })
  assert.equal((await pool.parse(mail('ordinary'))).subject, 'ordinary')
  assert.ok(read < 5, `${read} of 10 were read first`)
  for (const { text, warnings } of await Promise.all(asked))
    assert.deepEqual([text, warnings], [notice, ['unparsable']])
})

test('a worker that cannot be started is no fault of the mail', async () => {
  await using pool = openParsePool({ size: 1, workerUrl: new URL('no-such-worker.ts', import.meta.url) })
  const asked = ['one', 'two', 'three'].map((text) => pool.parse(mail(text)))
  for (const answer of await Promise.allSettled(asked)) {
    assert.equal(answer.status, 'rejected')
    assert.match(String(answer.reason), /cannot be started/)
  }
})

test('a closed pool refuses what it was asked and did not do, and takes no more', async () => {
  const pool = openParsePool({ size: 1, workerUrl })
  const asked = ['please hang', 'second', 'third', 'fourth', 'fifth', 'sixth'].map((text) =>
    pool.parse(mail(text)),
  )
  const answers = Promise.allSettled(asked)
  await pool[Symbol.asyncDispose]()
  for (const { status } of await answers) assert.equal(status, 'rejected')
  await assert.rejects(pool.parse(mail('late')), /closed/)
})
