import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import { parseMail } from '../../src/mail/parse.ts'
import type { ParsedMail } from '../../src/model/mail/mail.ts'
import { eml } from '../support/eml.ts'

/** What a fixture should give; keys that are not named are not looked at. */
type Expected = Partial<Omit<ParsedMail, 'attachments' | 'html'>> & {
  files?: [name: string, start: string][]
  html?: RegExp | null
}

const kim = { name: 'Kim Sample', address: 'kim@example.com' }
const joerg = { name: 'Jörg Müller', address: 'joerg@example.com' }

const expected: Record<string, Expected> = {
  'charset-koi8-r': { text: 'Здравствуйте, где мой заказ?' },
  'charset-iso-8859-2': { text: 'Gdzie jest zamówienie? Dziękuję.' },
  'charset-gb2312': { text: '我的订单在哪里？' },
  'charset-big5': { text: '我的訂單在哪裡？' },
  'charset-shift-jis': { text: '注文はどこですか？' },
  'charset-iso-2022-jp': { text: '注文はどこですか？' },
  'charset-iso-2022-jp-2': { text: 'Jörg fragt: 注文' },
  'charset-euc-kr': { text: '주문은 어디에 있나요?' },
  'charset-utf-7': { text: 'Wo ist meine Bestellung? Grüße, 1 + 1 = 2' },
  'charset-unknown-utf-8': { text: 'Größe — €' },
  'charset-unknown-8bit': { text: 'Größe: 10 €' },
  'charset-ascii-8bit': { text: 'Größe: 10 €' },
  'charset-not-utf-8': { text: 'Größe: 10 cm' },
  'header-raw-utf-8': { subject: 'Größe für Jörg', from: joerg },
  'header-raw-8bit': { subject: 'Größe für Jörg', from: joerg },
  'header-raw-koi8-r': {
    subject: 'Заказ',
    from: { name: 'Иван', address: 'ivan@example.com' },
    text: 'Привет.',
  },
  'header-encoded-words': {
    subject: '€uro and café naïve',
    from: { name: 'Müller, Jörg', address: 'joerg@example.com' },
    cc: [
      { name: 'André', address: 'andre@example.com' },
      { name: 'Zoë', address: 'zoe@example.com' },
    ],
  },
  'header-broken-words': { subject: '=?utf-8?Q?open end and spaces inside hereGrößeGröß =?utf-8?X?no?=' },
  'parameter-continuations': {
    text: 'See the files.',
    files: [
      ['Übersicht €%20final.pdf', '%PDF'],
      ['Größe.png', '\x89PNG'],
      ['précis.csv', 'a;b'],
    ],
  },
  flowed: {
    text: 'This paragraph was wrapped in three lines.\nA line of its own.\n\n> Quoted text that goes on,\n>> and an older one.\nFrom here on stuffed.\n-- \nKim',
  },
  'flowed-delsp': { text: '注文はどこですか？\nNext.' },
  'nested-message': {
    subject: 'Fwd: see below',
    text: 'Please read the mail below.',
    files: [['Größe A B.eml', 'From: Lee Sample <lee@example.net>']],
  },
  'inline-image': {
    text: 'Here is the picture.',
    html: /src="\/api\/v1\/attachments\/att_[0-9a-z]+"/,
    files: [
      ['pic.png', '\x89PNG'],
      ['image.gif', 'GIF87a'],
    ],
  },
  calendar: { text: 'We meet at ten.', files: [['attachment.ics', 'BEGIN:VCALENDAR\nEND:VCALENDAR']] },
  signed: { text: 'A signed text.', files: [['smime.p7s', '0\x82\x01']] },
  encrypted: {
    text: 'This message is encrypted with PGP. Only its recipient’s key opens it; the encrypted file is attached.',
    files: [
      ['attachment.pgp', 'Version: 1'],
      ['encrypted.asc', '-----BEGIN PGP MESSAGE-----'],
    ],
  },
  winmail: { text: 'The sheet is attached.', files: [['winmail.dat', 'x\x9f>"']] },
  'alternative-two-html': {
    text: 'Blue or green?',
    html: /<p class="m0">Blue or green\?<\/p>/,
    files: [],
    warnings: [],
  },
  'parts-differ': { text: 'Thank you for your order, it will arrive on Friday.', warnings: ['parts_differ'] },
  'hidden-text': { text: 'Please answer.', hiddenTextRemoved: 2, warnings: ['hidden_text'] },
  'mixed-texts': {
    text: 'First part.\n\nSecond <part>.\n\nThird <b>part</b>, grüße.',
    html: /First part\.[^]*Second &lt;part&gt;\.[^]*Third &lt;b&gt;part&lt;\/b&gt;, grüße\./,
    files: [['between.png', '\x89PNG']],
  },
  'text-attachment': {
    text: 'The body, though it has a name.',
    html: null,
    files: [
      ['notes.txt', 'These notes are a file.'],
      ['log.txt', 'So is this log.'],
    ],
  },
  'file-names': {
    files: [
      ['passwd', '0'],
      ['report.pdf', '1'],
      ['invoicefdp.exe', '2'],
      ['same.pdf', '3'],
      ['same.pdf', '4'],
      ['attachment.pdf', '5'],
      ['image.jpg', '6'],
      ['attachment.bin', '7'],
      ['unquoted name.pdf', '8'],
      [`${'x'.repeat(196)}.pdf`, '9'],
      ['tabhere.pdf', '10'],
    ],
  },
  uuencode: {
    text: 'The table is below.\n\n\nbegin 644 is only how this sentence starts, no file.',
    files: [['table.csv', 'name,count\na,']],
  },
  'quoted-printable-broken': { text: 'Größe is 100 % = all, =ZZ and =4 stay.\nsoft ly joined, end' },
  'base64-broken': { text: 'Each line is paded. And cut of' },
  'nul-bytes': { subject: 'Nul subject', from: { name: 'Kim', address: 'kim@example.com' } },
  'no-header': { subject: '', from: null, text: 'Only a text,\nwithout any header.' },
  'header-only': { subject: 'Order 4711', from: kim, text: '' },
  empty: { subject: '', from: null, text: '', messageId: null, date: null },
  'cr-only': { subject: 'Order 4711', from: kim, text: 'Line one.\nLine two.' },
  'broken-everything': {
    from: { name: null, address: 'kim@example.com' },
    to: [{ name: 'unclosed', address: 'a@example.com' }],
    date: null,
    inReplyTo: '<first@x>',
    references: ['<a@x>', '<cd@x>'],
    text: 'Still readable.\n--y\n\nAnd this',
  },
  addresses: {
    from: { name: 'Sample, Kim', address: 'kim@example.com' },
    to: [
      { name: 'Lee Sample', address: 'lee@example.com' },
      { name: null, address: 'max@example.com' },
      { name: 'quoted "inner" name', address: 'q@example.com' },
    ],
    cc: [
      { name: 'Pat Sample', address: 'pat@example.com' },
      { name: null, address: 'bare@example.com' },
      { name: 'No Address', address: '' },
      { name: 'Comma, Here', address: 'comma@example.com' },
      { name: null, address: '"a@b"@example.com' },
      { name: 'Kim', address: 'routed@example.com' },
    ],
    replyTo: [{ name: null, address: 'help+4711@Example.ORG' }],
  },
}

/** Those of `machine-mail.test.ts`. */
const elsewhere = /^(?:bounce|auto-|list-|report-|receipt-|forwarded-|person-|notice-|unsubscribe-)/

describe('parseMail', () => {
  for (const [name, { files, html, ...fields }] of Object.entries(expected)) {
    test(name, () => {
      const raw = eml(name)
      const mail = parseMail(raw)
      assert.deepEqual(pick(mail, Object.keys(fields)), fields)
      if (files !== undefined)
        assert.deepEqual(
          mail.attachments.map(({ filename }) => filename),
          files.map(([name]) => name),
        )
      for (const [index, [, start]] of (files ?? []).entries()) {
        assert.equal(Buffer.from(mail.attachments[index]!.content).toString('latin1', 0, start.length), start)
      }
      if (html instanceof RegExp) assert.match(mail.html ?? '', html)
      else if (html === null) assert.equal(mail.html, null)
      assert.equal(mail.raw, raw)
    })
  }

  test('every fixture has an expectation', () => {
    const names = globSync(join(import.meta.dirname, '*.eml')).map((file) => basename(file, '.eml'))
    assert.deepEqual(
      names.filter((name) => !(name in expected) && !elsewhere.test(name)),
      [],
    )
  })
})

test('text in the code pages of DOS is read by their names', () => {
  for (const [charset, bytes, text] of [
    ['cp850', [0x8a, 0x94, 0xe1, 0x9b, 0xb5, 0xf8], 'èößøÁ°'],
    ['"IBM850"', [0x84, 0x9e, 0xfd], 'ä×²'],
    ['ibm437', [0x81, 0xe1, 0xe3, 0xc9, 0xb8], 'üßπ╔╕'],
    ['x-cp437', [0x80, 0xa4, 0xfe], 'Çñ■'],
    ['cp852', [0xa5, 0x88, 0xfd], 'ąłř'],
    ['ibm00858', [0x94, 0xd5], 'ö€'],
    ['cp866', [0x8f, 0xe0, 0xa8], 'При'],
  ] as const) {
    const header = `Content-Type: text/plain; charset=${charset}\n\n`
    assert.equal(parseMail(Buffer.from([...Buffer.from(header), ...bytes])).text, text, charset)
  }
})

test('an image is inline when the HTML shows it, and points to its attachment', () => {
  const { attachments, html } = parseMail(eml('inline-image'))
  assert.deepEqual(
    attachments.map(({ inline }) => inline),
    [true, false],
  )
  assert.deepEqual(
    attachments.map(({ contentId }) => contentId),
    ['pic@example.com', 'other@example.com'],
  )
  assert.ok(html!.includes(`/api/v1/attachments/${attachments[0]!.id}`))
})

test('the identity overlooks line ends and trailing blank lines, and nothing else', () => {
  const source = eml('mixed-texts').toString('latin1')
  const identity = (text: string) =>
    Buffer.from(parseMail(Buffer.from(text, 'latin1')).identity).toString('hex')
  const own = identity(source)
  assert.equal(own.length, 64)
  assert.equal(identity(source.replaceAll('\n', '\r\n')), own)
  assert.equal(identity(`${source}\n\n`), own)
  assert.equal(identity(source.trimEnd()), own)
  assert.equal(identity(`Received: by mx.example.org\n${source}`), own)
  for (const [from, to] of [
    ['First part', 'First  part'],
    ['Order 4711', 'Order 4712'],
    ['kim@', 'tim@'],
    ['09:15', '09:16'],
    ['fixture-1', 'fixture-2'],
  ] as const) {
    assert.notEqual(identity(source.replace(from, to)), own, `${from} → ${to}`)
  }
  assert.notEqual(identity('The pump stands still'), identity('The pump runs'), 'without a header')
  const mac = source.replaceAll('\n', '\r')
  assert.notEqual(identity(mac.replace('First part', 'Second part')), identity(mac))
})

test('long text and HTML are cut at a character, and say so', () => {
  const header = 'Subject: long\nContent-Type: text/plain; charset=utf-8\n\n'
  const mail = parseMail(Buffer.from(`${header}${'€'.repeat(100_000)}`))
  assert.equal(mail.text, '€'.repeat(Math.floor((256 * 1024) / 3)))
  assert.ok(mail.truncated)
  assert.deepEqual(mail.warnings, ['truncated'])
  const html = parseMail(
    Buffer.from(
      `Content-Type: text/html\n\n${`<p style="margin:0 0 12px;color:#222222;font-family:Arial,Helvetica,sans-serif">${'word '.repeat(20)}</p>`.repeat(8000)}`,
    ),
  )
  assert.ok(html.truncated)
  assert.ok(Buffer.byteLength(html.html!) <= 1024 * 1024 + 1024)
})

test('pictures written into long HTML do not use up what is read of it', () => {
  const picture = `<img src="data:image/png;base64,${'iVBORw0K'.repeat(200_000)}">`
  const mail = parseMail(Buffer.from(`Content-Type: text/html\n\n<p>Before</p>${picture}<p>After</p>`))
  assert.match(mail.text, /^Before\s+After$/)
  assert.ok(!mail.truncated)
})

function pick(mail: ParsedMail, keys: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(mail).filter(([key]) => keys.includes(key)))
}

test('fixtures with NUL and lone surrogates give storable text', () => {
  const { subject, text, from } = parseMail(readFileSync(join(import.meta.dirname, 'nul-bytes.eml')))
  for (const value of [subject, text, from!.name!]) assert.ok(!value.includes('\0') && value.isWellFormed())
})
