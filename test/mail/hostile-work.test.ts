import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultLimits } from '../../src/mail/limits.ts'
import { notice, parseMail, tryMail } from '../../src/mail/parse.ts'
import { readHtml } from '../../src/mail/normal-form.ts'
import { refoldHtml } from '../../src/mail/normal-form/refold.ts'
import { countSteps } from '../../src/mail/work.ts'
import { hiddenWords, hostileHtml } from '../support/hostile-mail.ts'
import { writeMail } from '../support/letter.ts'
import { processorTime } from '../support/processor-time.ts'
import { ordinaryMail } from './ordinary-mail.ts'

const mailOf = (html: string) => Buffer.from(writeMail({ subject: 'Order 4711', html, text: 'Plain words.' }))

describe('hostile mail', () => {
  for (const [kind, html] of Object.entries(hostileHtml)) {
    test(`${kind}: is put aside, then given up, and shows its header and a notice`, () => {
      const raw = mailOf(html)
      assert.equal(tryMail(raw, { ...defaultLimits, steps: defaultLimits.stepsInLine }), null)
      const mail = parseMail(raw)
      assert.deepEqual([mail.text, mail.newText, mail.preview, mail.html], [notice, notice, notice, null])
      assert.deepEqual(mail.warnings, ['unparsable'])
      assert.equal(mail.subject, 'Order 4711')
      assert.ok(!hiddenWords.split(' ').some((word) => mail.searchTerms.split(' ').includes(word)))
      assert.ok(
        !mail.searchTerms.includes('plain'),
        'the plain part goes with the HTML that cannot be judged',
      )
      assert.equal(mail.raw, raw)
    })
  }
})

test('the files of a mail that is given up are kept', () => {
  const attachments = [{ filename: 'order.pdf', type: 'application/pdf', content: 'a file' }]
  const html = hostileHtml['places among siblings']!
  const mail = parseMail(Buffer.from(writeMail({ html, attachments })))
  assert.equal(mail.text, notice)
  assert.deepEqual(
    mail.attachments.map(({ filename }) => filename),
    ['order.pdf'],
  )
})

test('a mail of very many made-up charsets is put aside, then given up', () => {
  const attachments = Array.from({ length: 900 }, (_, at) => ({
    filename: Array.from({ length: 40 }, (_, word) => `=?x-${at}_${word}?Q?=FF?=`).join(' '),
    type: 'application/pdf',
    content: 'a file',
  }))
  const raw = Buffer.from(writeMail({ subject: 'Order 4711', attachments }))
  assert.ok(raw.length < 1_000_000)
  assert.equal(tryMail(raw, { ...defaultLimits, steps: defaultLimits.stepsInLine }), null)
  const mail = parseMail(raw)
  assert.deepEqual([mail.subject, mail.text, mail.warnings], ['Order 4711', notice, ['unparsable']])
})

test('plain text, headers and files count as HTML does', () => {
  const header = 'Subject: Order 4711\nFrom: carla@customer.example\n'
  const plain = (size: number) => `${header}\n${'> Could you say that once more?\nYes\n'.repeat(size / 35)}`
  const parts = (size: number) =>
    `${header}Content-Type: multipart/mixed; boundary=b\n\n${`--b\n${'X-Padding: 1\n'.repeat(100)}\nHi\n`.repeat(size / 1_300)}`
  const file = (size: number) =>
    `${header}Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n${'AAAA'.repeat(size / 4)}`
  for (const [make, least] of [
    [plain, 1],
    [parts, 1],
    [file, 1 / 20],
  ] as const) {
    const [some, more] = [100_000, 200_000].map((size) =>
      countSteps(() => parseMail(Buffer.from(make(size)))),
    )
    assert.ok(more! - some! > 100_000 * least, `${make.name}: ${some} and ${more} steps`)
  }
})

test('the count of steps is of the mail alone: the same again, whatever was read in between', () => {
  const all = {
    ...ordinaryMail,
    covers: '<p style="inset:0;position:absolute;color:#fefefe">x</p>'.repeat(50),
  }
  const counts = () => Object.values(all).map((html) => countSteps(() => readHtml(html)))
  assert.deepEqual(counts(), counts())
})

test('ordinary mail takes less than a tenth of what is read in line, or 14 steps a character where it is long', () => {
  for (const [name, html] of Object.entries(ordinaryMail)) {
    const steps = countSteps(() => readHtml(html).writeHtml(() => true))
    assert.ok(steps < Math.max(defaultLimits.stepsInLine / 10, 14 * html.length), `${name}: ${steps}`)
    assert.ok(steps < defaultLimits.stepsInLine / 5, `${name}: ${steps}`)
  }
})

test('folding a mail anew grows with its size, however many siblings it has', () => {
  const measure = (siblings: number): number => {
    const text = '.\n'.repeat(siblings)
    const html = `<div>${'.<br>'.repeat(siblings)}</div>`
    return processorTime(() => {
      const folded = refoldHtml(html, text, (line) => line < siblings / 2)
      assert.equal(folded?.match(/<span class="spool-fold">/g)?.length, siblings / 2)
    }, 0)
  }
  measure(400)
  const [some, many] = [measure(2_000), measure(20_000)]
  assert.ok(many < 40 * some, `${some} ms, and ${many} ms for ten times as many`)
})
