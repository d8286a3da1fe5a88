import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { findNewLines } from '../../src/mail/new-text.ts'
import { countSteps } from '../../src/mail/work.ts'

const replies = new URL('replies/', import.meta.url)
const divider = '\n===== new text =====\n'
const whole = '(all of it)'
const long = process.env['SPOOL_TEST_LONG'] === '1'

/** A fixture is a message, a dividing line, and what of it is new. */
function readReply(file: string): { message: string; expected: string } {
  const content = readFileSync(new URL(file, replies), 'utf8')
  const at = content.indexOf(divider)
  assert.notEqual(at, -1, `${file} has no dividing line`)
  const message = content.slice(0, at)
  const expected = content.slice(at + divider.length).replace(/\n$/, '')
  return { message, expected: expected === whole ? message : expected }
}

const files = readdirSync(replies).filter((file) => file.endsWith('.txt'))

describe('new text', () => {
  for (const file of files) {
    test(file.replace(/\.txt$/, ''), () => {
      const { message, expected } = readReply(file)
      assert.equal(findNewLines(message).text.trim(), expected.trim())
      assert.equal(
        findNewLines(message.replaceAll('\n', '\r\n')).text.replaceAll('\r', '').trim(),
        expected.trim(),
      )
    })
  }

  test('the fixtures are many, and enough of them stay whole', () => {
    const kept = files.filter((file) => file.startsWith('whole-'))
    assert.ok(files.length - kept.length >= 80, `${files.length - kept.length} replies`)
    assert.ok(kept.length >= 20, `${kept.length} that stay whole`)
    for (const file of kept) {
      const { message, expected } = readReply(file)
      assert.equal(expected, message, file)
    }
  })

  test('what is new is not new text twice over: a second look takes nothing more from a reply', () => {
    for (const file of files) {
      const once = findNewLines(readReply(file).message).text
      assert.equal(findNewLines(once).text.trim(), once.trim(), file)
    }
  })
})

describe('new text of any text', () => {
  const building = fc.constantFrom(
    '',
    ' ',
    '>',
    '> quoted words of a mail',
    '>> older words of a mail',
    '-- ',
    '--',
    'On ',
    'wrote:',
    'Yes.',
    'On Mon, 3 Nov 2026 at 10:42, Carla Brandt <carla@brandt.example> wrote:',
    'Am 03.11.26 um 10:42 schrieb Carla Brandt:',
    '-----Original Message-----',
    '________________________________',
    'From: Carla Brandt <carla@brandt.example>',
    'Sent: Monday, 3 November 2026 10:42',
    'To: Support',
    'Subject: Invoice',
    '---------- Forwarded message ---------',
    'Sent from my iPhone',
    'list mailing list',
  )
  const line = fc.oneof(
    { weight: 3, arbitrary: building },
    fc.string({ maxLength: 40 }).map((s) => s.replaceAll('\n', ' ')),
  )

  test('is some of its lines in their order, and never nothing', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const text = lines.join('\n')
        const found = findNewLines(text).text
        if (text.trim() !== '') assert.notEqual(found.trim(), '')
        let at = 0
        for (const kept of found.split('\n')) {
          while (at < lines.length && lines[at] !== kept) at++
          if (found !== '') assert.ok(at++ < lines.length, `not a line of the mail: ${JSON.stringify(kept)}`)
        }
      }),
      { numRuns: long ? 50_000 : 5_000 },
    )
  })

  const hostile: [string, string][] = [
    ['a megabyte of >', '>'.repeat(1_000_000)],
    ['a megabyte of > lines', '>\n'.repeat(500_000)],
    ['100,000 lines "On "', 'On \n'.repeat(100_000)],
    ['100,000 lines "On" that end in a colon', 'On 3.11.26 :\n'.repeat(80_000)],
    ['100,000 lines "wrote:"', 'wrote:\n'.repeat(100_000)],
    ['one line of blanks', ' '.repeat(1_000_000) + 'x'],
    ['one line of dashes', '-'.repeat(1_000_000)],
    ['delimiters', '-- \n'.repeat(250_000)],
    ['rules', '__________\n'.repeat(90_000)],
    ['labels', 'From: a\n'.repeat(120_000)],
    ['labels and blanks', 'From: a\n\n\n'.repeat(100_000)],
    ['answers between quotes', '> Could you say that once more?\nYes\n'.repeat(28_000)],
    ['phone signatures', 'Sent from my iPhone\n'.repeat(50_000)],
    ['colons', ':'.repeat(1_000_000)],
    ['digits', 'a 1'.repeat(300_000) + ':'],
    ['blank lines', '\n'.repeat(1_000_000)],
    ['words in one line', 'On 2026 10:42 wrote '.repeat(50_000) + ':'],
  ]
  for (const [name, text] of hostile) {
    test(`bounded work: ${name}`, () => {
      const half = countSteps(() => findNewLines(text.slice(0, text.length / 2)))
      const whole = countSteps(() => findNewLines(text))
      assert.ok(whole > text.length / 4, `${whole} steps: work that is not counted has no bound`)
      assert.ok(whole < 12 * text.length, `${whole} steps for ${text.length} characters`)
      assert.ok(whole < 3 * half, `${whole} steps, but ${half} for half of it`)
    })
  }
})
