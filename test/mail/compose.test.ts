import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeMail, wireEnvelope } from '../../src/mail/compose.ts'
import { referencesTo } from '../../src/mail/compose/references.ts'
import { simpleHtml } from '../../src/mail/compose/simple-html.ts'
import { handOver } from '../../src/mail/smtp/client.ts'
import { parseMail } from '../../src/mail/parse.ts'
import type { Letter } from '../../src/model/mail/letter.ts'
import { makeRandom } from '../support/random.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { writeMail } from '../support/letter.ts'

const plain: Letter = {
  from: { name: 'Support', address: 'support@shop.example' },
  to: [{ name: 'Carla Brandt', address: 'carla@brandt.example' }],
  cc: [],
  bcc: [],
  subject: 'Re: Order 4711',
  body: 'Hello',
  attachments: [],
  newestMessageId: null,
}

function compose(letter: Partial<Letter>): Promise<Buffer> {
  return composeMail({
    letter: { ...plain, ...letter },
    messageId: '<one@shop.example>',
    date: Date.UTC(2026, 10, 14),
    inReplyTo: null,
    references: [],
    contents: (letter.attachments ?? []).map(() => Buffer.from('bytes')),
  })
}

const bodies = [
  'One line',
  'ends with a break\n',
  '.\n..\n.leading dot\nFrom the start\n',
  'a'.repeat(5000),
  'word '.repeat(2000).trim(),
  'Grüße, ñandú, Ελλάδα, 日本語のメール、 עברית, 🎉👩‍👩‍👧',
  '日本語'.repeat(800),
  '  indented\n\ttabbed\n\n\n> quoted\n>> deeper\n\n-- \nPia',
  'trailing space \nand another  \n=3D =?UTF-8?Q?no?= & <b>not bold</b> "quoted"',
]

test('what is written arrives, whatever the lines look like, over a real connection', async () => {
  await using sink = await startSmtpSink()
  const server = {
    kind: 'smtp',
    host: '127.0.0.1',
    port: sink.port,
    security: 'none',
    user: null,
    password: null,
    options: {},
  } as const
  const never = new AbortController().signal
  for (const body of bodies) {
    const source = await compose({ body })
    assert.ok(!/[^\r]\n|\r[^\n]/.test(source.toString('latin1')), 'only whole line ends')
    assert.ok(
      source
        .toString('latin1')
        .split('\r\n')
        .every((line) => line.length <= 998),
    )
    const parcel = { ...wireEnvelope(plain), source }
    const { result } = await handOver(server, parcel, async () => undefined, { stop: never, cut: never })
    assert.equal(result, 'accepted')
    const { source: arrived } = sink.mails.at(-1)!
    assert.equal(arrived.trimEnd(), source.toString('utf8').trimEnd(), 'byte for byte')
    const text = plainPart(arrived)
    assert.equal(text.trimEnd(), body.trimEnd())
    assert.deepEqual(parseMail(source).warnings, [], 'the HTML says the same')
  }
})

/** The decoded text/plain part. */
function plainPart(source: string): string {
  const part = /Content-Type: text\/plain[^]*?\r\n\r\n([^]*?)\r\n----_NmP/.exec(source)!
  const encoded = part[1]!
  if (part[0].includes('Encoding: 7bit')) return encoded.replaceAll('\r\n', '\n')
  const bytes = part[0].includes('base64')
    ? Buffer.from(encoded, 'base64')
    : Buffer.from(
        encoded
          .replace(/=\r\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      )
  return bytes.toString('utf8').replaceAll('\r\n', '\n')
}

test('an attached mail arrives as a file: it must not be encoded as a message', async () => {
  for (const contentType of ['message/rfc822', 'Multipart/Mixed', 'text/calendar']) {
    const attachments = [{ id: 'att_1', filename: 'a.eml', contentType, size: 5, hash: '' }]
    const source = await compose({ attachments })
    const [file] = parseMail(source).attachments
    const expected = contentType.startsWith('text/') ? contentType : 'application/octet-stream'
    assert.equal(file!.contentType, expected)
    assert.equal(file!.filename, 'a.eml')
    assert.equal(Buffer.from(file!.content).toString(), 'bytes')
  }
})

test('no field can add a header, whatever it holds', async () => {
  const random = makeRandom(7)
  const pieces = [
    '\r\n',
    '\n',
    '\r',
    '\u0000',
    '\u2028',
    '\u0085',
    'Bcc: mallory@evil.example',
    ' ',
    '"',
    '<',
    '>',
    'ä',
    ',',
    ';',
    '=?utf-8?Q?=0D=0A?=',
  ]
  const noise = (): string =>
    Array.from({ length: 8 }, () => pieces[Math.floor(random() * pieces.length)]).join('')
  for (let n = 0; n < 200; n++) {
    // The core refuses these; the writer must not depend on that.
    const source = await compose({
      subject: noise(),
      from: { name: noise(), address: 'support@shop.example' },
      to: [{ name: noise(), address: 'carla@brandt.example' }],
      attachments: [{ id: 'att_1', filename: noise() || 'a', contentType: 'text/plain', size: 5, hash: '' }],
    })
    const head = source.toString('latin1').split('\r\n\r\n')[0]!
    const names = [...head.matchAll(/^([^\s:]+):/gm)].map((match) => match[1]!.toLowerCase())
    assert.deepEqual(
      names.toSorted(),
      ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].toSorted(),
      JSON.stringify(head),
    )
  }
})

test('the chain of references is whole, and only what can stand in a header gets in', () => {
  const source = Buffer.from(
    writeMail({ messageId: '<c@x>', inReplyTo: '<b@x>', references: ['<a@x>', '<b@x>'] }),
  )
  const answered = { messageId: '<c@x>', source, ancestors: [], threadIds: [] }
  assert.deepEqual(referencesTo(answered), { inReplyTo: '<c@x>', references: ['<a@x>', '<b@x>', '<c@x>'] })
  const parent = Buffer.from(writeMail({ messageId: '<c@x>', inReplyTo: '<b@x>' }))
  assert.deepEqual(referencesTo({ ...answered, source: parent }).references, ['<b@x>', '<c@x>'])
  assert.deepEqual(
    referencesTo({ ...answered, source: parent, ancestors: ['<a@x>', '<b@x>'] }).references,
    ['<a@x>', '<b@x>', '<c@x>'],
    'what the thread knows fills the gap',
  )
  const nameless = {
    messageId: null,
    source,
    ancestors: [],
    threadIds: ['<a@x>', '<q\r\nBcc: z@y>', '<b@x>'],
  }
  assert.deepEqual(referencesTo(nameless), { inReplyTo: null, references: ['<a@x>', '<b@x>'] })
  const long = writeMail({ references: Array.from({ length: 300 }, (_, n) => `<${n}@x>`) })
  const { references } = referencesTo({ ...answered, source: Buffer.from(long) })
  assert.equal(references.length, 100)
  assert.deepEqual([references[0], references.at(-1)], ['<0@x>', '<c@x>'])
})

test('the HTML is the text, with links and quotes and nothing that runs', () => {
  const html = simpleHtml(
    'See https://shop.example/a?b=1&c="x". <script>alert(1)</script>\n> quoted\n>> deeper',
  )
  assert.match(html, /<a href="https:\/\/shop\.example\/a\?b=1&amp;c=">/)
  assert.ok(!html.includes('<script'))
  assert.equal(html.match(/<blockquote/g)?.length, 2)
  assert.ok(simpleHtml(`${'>'.repeat(5000)} deep`).length < 40_000)
})
