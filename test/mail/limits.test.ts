import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultLimits } from '../../src/mail/limits.ts'
import { notice, parseMail, unparsableMail } from '../../src/mail/parse.ts'
import { isLongRun } from '../support/corpora.ts'

const head =
  'From: Kim Sample <kim@example.com>\nSubject: Order 4711\nMessage-ID: <1@example.com>\nDate: Tue, 3 Nov 2026 09:15:00 +0100\n'

/** Nothing of its body is shown or found: what could not be read whole cannot be judged. */
function assertWithheld(mail: ReturnType<typeof parseMail>): void {
  assert.deepEqual([mail.text, mail.newText, mail.preview, mail.html], [notice, notice, notice, null])
  assert.equal(mail.searchTerms, 'order 4711 kim sample example com')
  assertHeaderRead(mail)
}

function assertHeaderRead(mail: ReturnType<typeof parseMail>): void {
  assert.equal(mail.subject, 'Order 4711')
  assert.deepEqual(mail.from, { name: 'Kim Sample', address: 'kim@example.com' })
  assert.equal(mail.messageId, '<1@example.com>')
  assert.equal(mail.date, Date.UTC(2026, 10, 3, 8, 15))
}

const partsOf = (count: number) =>
  `${head}Content-Type: multipart/mixed; boundary=b\n\n${Array.from({ length: count }, (_, i) => `--b\n\npart ${i}\n`).join('')}--b--\n`

function depthOf(depth: number): string {
  let mail = head
  for (let i = 0; i < depth; i++) mail += `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`
  return `${mail}\ninnermost\n`
}

test('1,000 parts are read, of more there is a notice', () => {
  const fits = parseMail(Buffer.from(partsOf(999)))
  assert.deepEqual(fits.warnings, [])
  assert.ok(fits.text.endsWith('part 998'))
  const raw = Buffer.from(partsOf(1001))
  const broken = parseMail(raw)
  assert.deepEqual(broken.warnings, ['unparsable', 'too_many_parts'])
  assert.equal(broken.raw, raw)
  assertWithheld(broken)
})

test('100 multiparts inside each other are read, a deeper one is not looked into', () => {
  const fits = parseMail(Buffer.from(depthOf(100)))
  assert.deepEqual(fits.warnings, [])
  assert.equal(fits.text, 'innermost')
  const broken = parseMail(Buffer.from(depthOf(101)))
  assert.deepEqual(broken.warnings, ['unparsable', 'too_deep'])
  assertWithheld(broken)
})

test('a text too long to be read whole is cut between characters, so that its charset is still known', () => {
  for (const [type, size] of [
    ['text/plain', defaultLimits.plainSize],
    ['text/html', defaultLimits.htmlSize],
  ] as const) {
    for (const shift of ['', 'x', 'xx']) {
      const text = `${shift}${'Größe: 10 €\n'.repeat(size / 14)}`
      const { text: read, warnings } = parseMail(Buffer.from(`${head}Content-Type: ${type}\n\n${text}`))
      assert.deepEqual(warnings, ['truncated'], type)
      assert.ok(read.startsWith(`${shift}Größe: 10 €`), `${type}: ${read.slice(0, 20)}`)
    }
  }
})

test('of a header of 300 kB 256 kB are kept, what a mail is known by first', () => {
  const mail = parseMail(
    Buffer.from(`X-Long: ${'x'.repeat(300 * 1024)}\n${head}Cc: lost@example.com\n\nThe text.\n`),
  )
  assert.deepEqual(mail.warnings, [])
  assert.deepEqual(mail.cc, [])
  assert.notEqual(mail.from, null)
  assert.equal(mail.text.trim(), 'The text.')
})

test('of a message that is too large the header is read, and all of it kept', () => {
  const raw = Buffer.from(`${head}\nThe text.\n${'x'.repeat(3000)}`)
  const mail = parseMail(raw, { ...defaultLimits, size: 2000 })
  assert.deepEqual(mail.warnings, ['unparsable'])
  assert.equal(mail.raw, raw)
  assertWithheld(mail)
})

test('what made the parser fail keeps its header, and its source', () => {
  const raw = Buffer.from(`${head}\r\n\r\nThe t\xe9xt.\r\n`, 'latin1')
  const mail = unparsableMail(raw)
  assert.deepEqual(mail.warnings, ['unparsable'])
  assert.equal(mail.raw, raw)
  assertWithheld(mail)
})

test('at most 1,000 addresses and 1,000 references, ids of 998 characters', () => {
  const ids = Array.from({ length: 1500 }, (_, i) => `<${i}@x>`)
  const mail = parseMail(
    Buffer.from(
      `To: ${'a@example.com, '.repeat(1200)}\nReferences: ${ids.join(' ')} <0@x>\nMessage-ID: <${'i'.repeat(2000)}>\n\n`,
    ),
  )
  assert.equal(mail.to.length, 1000)
  assert.deepEqual(mail.references, [ids[0], ...ids.slice(501)])
  assert.equal(mail.messageId, `<${'i'.repeat(996)}>`)
})

/** Input that makes careless parsers slow; `fill` is repeated up to the size. */
const bodies: Record<string, [start: string, fill: string]> = {
  'empty lines': ['\n', '\n'],
  'short lines': ['\n', 'a\n'],
  'DOS lines': ['\n', '\r\n'],
  'carriage returns': ['\n', '\r'],
  'lines of dashes': ['Content-Type: multipart/mixed; boundary=q\n\n', '\n--'],
  'lines that are nearly boundaries': ['Content-Type: multipart/mixed; boundary=q\n\n', '\n--qa'],
  boundaries: ['Content-Type: multipart/mixed; boundary=q\n\n', '\n--q\n'],
  base64: [
    'Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n',
    `${'QUJD'.repeat(19)}\r\n`,
  ],
  'padded base64': ['Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n', 'QQ=='],
  'quoted-printable': [
    'Content-Type: application/pdf\nContent-Transfer-Encoding: quoted-printable\n\n',
    '=C3=A4 =\r\n',
  ],
  'quoted blanks': ['Content-Type: application/pdf\nContent-Transfer-Encoding: quoted-printable\n\n', '= '],
  'uuencoded lines': [
    'Content-Type: application/pdf\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n',
    '\n',
  ],
  'uuencoded beginnings': ['\n', 'begin 644 a\n'],
  'header fields': ['', 'a: b\n'],
  'one long field': ['X: ', 'x'],
  'flowed lines': ['Content-Type: text/plain; format=flowed\n\n', '> a \n'],
  'nested elements': ['Content-Type: text/html\n\n', '<div>'],
  'open comments': ['Content-Type: text/html\n\n', '<!--'],
  'half tags': ['Content-Type: text/html\n\n', '<a <b '],
  'unclosed formatting': ['Content-Type: text/html\n\n', '<p><b><i>'],
  'nearly pictures': ['Content-Type: text/html\n\n', 'data:a/b;base64,'],
  'UTF-7': ['Content-Type: text/plain; charset=utf-7\n\n', '+AGE-'],
}

describe('a hostile body takes less than 2 seconds of work', () => {
  const size = isLongRun ? defaultLimits.size - 1024 : defaultLimits.size / 10
  for (const [name, [start, fill]] of Object.entries(bodies)) {
    test(name, () => assertQuick(Buffer.concat([Buffer.from(head + start), Buffer.alloc(size, fill)])))
  }
})

const fields: [name: string, fill: string][] = [
  ...['a', '<', '(', '"', '\\"', 'a,', 'a:', '=?', '=?utf-8?q?', ' \t', 'a@', '(a)', 'a@ '].map(
    (fill): [string, string] => ['From: ', fill],
  ),
  ...['a', '<', '<a>', ' <'].map((fill): [string, string] => ['References: ', fill]),
  ...['<', 'a', '<a '].map((fill): [string, string] => ['In-Reply-To: ', fill]),
  ...['=?a?q?', ' ', '=?utf-8?q?a?= ', '=?utf-8?b?YQ==?= ', '=?x'].map((fill): [string, string] => [
    'Subject: ',
    fill,
  ]),
  ...[';', '"', '(', 'text/plain; a=b;', 'text/plain; n*0*=a;'].map((fill): [string, string] => [
    'Content-Type: ',
    fill,
  ]),
  ...['\\', ' (', ' ', '=?utf-8?q?a?=', '%'].map((fill): [string, string] => [
    'Content-Type: application/pdf; name=',
    fill,
  ]),
  ...['(', '1', ' ', ':'].map((fill): [string, string] => ['Date: ', fill]),
  ['Received: ', ';'],
  ['X-Failed-Recipients: ', 'a@'],
  ['Content-Transfer-Encoding: ', '('],
  ['Content-Disposition: attachment; filename=', '/'],
]

test('a hostile field takes less than 2 seconds of work', () => {
  for (const [name, fill] of fields) {
    const value = Buffer.alloc(250_000, fill)
    assertQuick(Buffer.concat([Buffer.from(name), value, Buffer.from('\n\nText.\n')]), `${name}${fill}`)
  }
})

/** Work, not time: other programs share the machine. */
function assertQuick(raw: Buffer, name = ''): void {
  const before = process.threadCpuUsage()
  const mail = parseMail(raw)
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 2_000_000, `${name} took ${(user + system) / 1000} ms`)
  assert.equal(mail.raw, raw)
}

test('HTML is read to a depth that no mail has, and given up beyond it', () => {
  // At the deepest that is read, as many tags as fit.
  const deep = (depth: number) =>
    Buffer.from(
      `${head}Content-Type: text/html\n\n${'<div>'.repeat(depth)}${'<div></div>'.repeat(10_000)}The text.\n`,
    )
  assertQuick(deep(1900))
  assert.equal(parseMail(deep(1900)).text, 'The text.')
  for (const tags of ['<div>', '<table><tr><td>']) {
    const raw = Buffer.from(`${head}Content-Type: text/html\n\n${tags.repeat(300_000 / tags.length)}x\n`)
    assertQuick(raw, tags)
    const { text, warnings } = parseMail(raw)
    assert.deepEqual([text, warnings], [notice, ['unparsable']], tags)
  }
})
