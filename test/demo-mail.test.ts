import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, inflateSync } from 'node:zlib'
import PostalMime from 'postal-mime'
import { buildDemoMail, type ScriptThread } from '../src/demo/build.ts'
import { composeMessage, type Letter } from '../src/demo/message.ts'

const day = 24 * 60 * 60 * 1000
const now = Date.UTC(2026, 10, 12, 9, 53)
const script = buildDemoMail(now)
const { threads } = script
const messages = threads.flatMap((thread) => thread.messages)
const [support, billing] = script.inboxes.map(({ address }) => address)
const [ada] = script.people.map(({ email }) => email)

function count(matches: (thread: ScriptThread) => boolean): number {
  return threads.filter(matches).length
}

function assertBetween(value: number, least: number, most: number, what: string): void {
  assert.ok(value >= least && value <= most, `${what}: ${value} is not between ${least} and ${most}`)
}

test('the sample mail has the promised mixture', () => {
  assert.deepEqual(
    script.people.map(({ name, role }) => `${name}, ${role}`),
    ['Ada Lindqvist, admin', 'Tom Keller, member', 'Sofia Barros, member'],
  )
  assertBetween(threads.length, 145, 160, 'threads')
  assertBetween(messages.length, 420, 500, 'messages')
  assertBetween(
    count(({ inbox }) => inbox === support),
    95,
    110,
    'support',
  )
  assertBetween(
    count(({ inbox }) => inbox === billing),
    45,
    55,
    'billing',
  )
  for (const [status, least, most] of [
    ['open', 35, 60],
    ['waiting', 20, 45],
    ['closed', 40, 75],
    ['snoozed', 5, 8],
    ['spam', 7, 10],
  ] as const)
    assertBetween(
      count((thread) => thread.status === status),
      least,
      most,
      status,
    )
  assertBetween(
    count(({ assignTo }) => assignTo !== null),
    45,
    60,
    'assigned',
  )
  assertBetween(
    count(({ readBy }) => !readBy.includes(ada!)),
    32,
    44,
    'unread for Ada',
  )
  assertBetween(
    count(({ notes }) => notes.length > 0),
    12,
    40,
    'with notes',
  )
  assert.ok(count(({ notes }) => notes.some(({ text }) => /@(Ada|Tom|Sofia)\b/.test(text))) >= 12)
  assertBetween(
    count((thread) => thread.messages.length >= 12),
    4,
    6,
    'long discussions',
  )
  assert.ok(threads.every((thread) => thread.messages.length <= 25))
  assert.ok(messages.filter(({ letter }) => letter.html !== null).length >= 20)
  assert.ok(messages.filter(({ letter }) => letter.attachments.length > 0).length >= 15)
})

test('every kind of mail occurs', () => {
  const some = (matches: (letter: Letter) => boolean) => messages.some(({ letter }) => matches(letter))
  const types = new Set(
    messages.flatMap(({ letter }) => letter.attachments.map((file) => file.contentType.split(';')[0])),
  )
  assert.deepEqual([...types].sort(), [
    'application/ics',
    'application/pdf',
    'image/png',
    'text/csv',
    'text/plain',
  ])
  assert.ok(
    some((letter) => letter.attachments.some(({ contentId }) => contentId)),
    'inline picture',
  )
  assert.ok(
    some((letter) => letter.report !== null),
    'bounce',
  )
  assert.ok(
    some((letter) => letter.invitation !== null),
    'invitation',
  )
  assert.ok(
    some((letter) => letter.headers['Auto-Submitted'] === 'auto-replied' && !letter.report),
    'auto-reply',
  )
  assert.ok(
    some((letter) => letter.headers['Precedence'] === 'list'),
    'mailing list',
  )
  assert.ok(
    some((letter) => letter.charset === 'iso-8859-1'),
    'old charset',
  )
  assert.ok(
    some((letter) => /display:none[^>]*>AI assistants/.test(letter.html ?? '')),
    'hidden text',
  )
  for (const script of ['Greek', 'Arabic', 'Hiragana', 'Han'])
    assert.ok(
      some((letter) => new RegExp(`\\p{Script=${script}}{2}`, 'u').test(letter.text)),
      script,
    )
  for (const letters of [/ß/, /ś/, /ı/, /ñ/, /\p{Emoji_Presentation}/u])
    assert.ok(
      some(({ text }) => letters.test(text)),
      String(letters),
    )
})

test('the stories of the pictures are there', () => {
  const stories = [
    ['Carla Brandt', 'Order 4711 has not arrived'],
    ['Jonas Weber', 'Invoice 2026-118: wrong VAT id'],
    ['Mara Ionescu', 'Returning the blue one'],
    ['Hotel Adler', 'Bulk order for the season'],
    ['Pavel Novák', 'Damaged on arrival'],
    ['Ines Duarte', 'Question about warranty'],
    ['Lars Holm', 'Change of delivery address'],
  ]
  for (const [name, subject] of stories)
    assert.equal(
      count(
        ({ messages: [first] }) => first!.letter.subject === subject && first!.letter.from.startsWith(name!),
      ),
      1,
      subject,
    )
  const newest = threads
    .flatMap((thread) => thread.messages.map(({ at, letter }) => ({ at, letter })))
    .sort((a, b) => b.at - a.at)[0]!
  assert.equal(newest.letter.subject, 'Re: Order 4711 has not arrived')
})

test('no two threads begin alike, and status, direction and unread agree', () => {
  const beginnings = threads.map(({ messages: [first] }) => `${first!.letter.subject}\n${first!.letter.text}`)
  assert.equal(new Set(beginnings).size, threads.length)
  assert.equal(new Set(messages.map(({ letter }) => letter.text)).size, messages.length)
  for (const thread of threads) {
    const { subject } = thread.messages[0]!.letter
    const last = thread.messages.at(-1)!
    assert.equal(thread.messages[0]!.direction, 'in', subject)
    if (thread.status === 'open' || thread.readBy.length < 3) assert.equal(last.direction, 'in', subject)
    if (thread.status === 'waiting')
      assert.ok(last.direction === 'out' || last.letter.headers['Auto-Submitted'] === 'auto-replied', subject)
    assert.equal(thread.snoozedUntil !== null, thread.status === 'snoozed', subject)
    assert.ok(thread.snoozedUntil === null || thread.snoozedUntil > now, subject)
    for (const message of thread.messages) {
      assert.equal(message.sentBy !== null, message.direction === 'out', subject)
      if (message.direction === 'out') assert.ok(message.letter.from.includes(`<${thread.inbox}>`), subject)
      const named = [message.letter.from, message.letter.to, ...(message.letter.cc?.split(', ') ?? [])]
      assert.equal(new Set(named).size, named.length, subject)
    }
  }
})

test('every message survives a parser without loss', async () => {
  for (const { raw, letter, at } of messages) {
    const parsed = await PostalMime.parse(raw)
    const where = `${letter.subject} ${letter.messageId}`
    assert.equal(parsed.subject, letter.subject, where)
    assert.equal(parsed.messageId, letter.messageId, where)
    assert.equal(formatAddress(parsed.from), letter.from, where)
    assert.deepEqual(parsed.to?.map(formatAddress), [letter.to], where)
    assert.equal((parsed.cc ?? []).map(formatAddress).join(', '), letter.cc ?? '', where)
    assert.equal(parsed.inReplyTo ?? null, letter.inReplyTo, where)
    assert.equal(parsed.references ?? '', letter.references.join(' '), where)
    assert.equal(Date.parse(parsed.date ?? ''), Math.floor(at / 1000) * 1000, where)
    if (!letter.report) assert.equal(sameLines(parsed.text), sameLines(letter.text), where)
    else assert.ok(sameLines(parsed.text).startsWith(sameLines(letter.text)), where)
    if (!letter.report) assert.equal(sameLines(parsed.html), sameLines(letter.html ?? ''), where)
    assert.doesNotMatch(parsed.text ?? '', /\uFFFD|\{[dwticD]\+?\d/, where)
    for (const file of letter.attachments) {
      const found = parsed.attachments.find(({ filename }) => filename === file.filename)
      assert.ok(found, `${where}: ${file.filename}`)
      assert.equal(found.disposition, file.contentId ? 'inline' : 'attachment', where)
      assert.equal(found.contentId, file.contentId && `<${file.contentId}>`, where)
      // postal-mime gives calendars LF line ends.
      const written = Buffer.from(file.content)
      const expected = file.filename.endsWith('.ics')
        ? Buffer.from(written.toString().replaceAll('\r\n', '\n'))
        : written
      assert.deepEqual(Buffer.from(found.content as ArrayBuffer), expected, where)
    }
    if (letter.invitation)
      assert.ok(
        parsed.attachments.some(
          ({ mimeType, method }) => mimeType === 'text/calendar' && method === 'REQUEST',
        ),
      )
  }
})

test('the bounce names the message that did not arrive', async () => {
  const thread = threads.find((thread) => thread.messages.some(({ letter }) => letter.report))!
  const bounced = thread.messages.findIndex(({ letter }) => letter.report)
  const raw = thread.messages[bounced]!.raw
  assert.match(raw, /^Content-Type: multipart\/report; report-type=delivery-status;/m)
  assert.match(raw, /^Content-Type: message\/delivery-status\r\n[^]*^Action: failed\r\nStatus: 5\.2\.2\r\n/m)
  assert.ok(raw.includes(`Message-ID: ${thread.messages[bounced - 1]!.letter.messageId}`))
})

test('headers are ASCII, line ends are CRLF, and no line is too long', () => {
  for (const { raw, letter } of messages) {
    assert.match(raw, /^[\t\r\n -~]*$/, letter.subject)
    assert.doesNotMatch(raw, /[^\r]\n|\r(?!\n)/, letter.subject)
    const longest = Math.max(...raw.split('\r\n').map((line) => line.length))
    assert.ok(longest <= 998, `${letter.subject}: ${longest}`)
    const words = raw.split('\r\n\r\n', 1)[0]!.match(/=\?[^?]+\?[BQ]\?[^?]*\?=/g) ?? []
    assert.ok(
      words.every((word) => word.length <= 75),
      letter.subject,
    )
  }
})

test('threads hang together by their own Message-IDs', () => {
  assert.equal(new Set(messages.map(({ letter }) => letter.messageId)).size, messages.length)
  for (const thread of threads) {
    const earlier = new Set<string>()
    for (const { letter } of thread.messages) {
      assert.ok(
        [...letter.references, ...(letter.inReplyTo ? [letter.inReplyTo] : [])].every((id) =>
          earlier.has(id),
        ),
      )
      assert.equal(letter.references.length > 0, earlier.size > 0, letter.subject)
      earlier.add(letter.messageId)
    }
  }
})

test('whenever the demo starts, its dates lie in the five weeks before', () => {
  const startsPerDay = process.env['SPOOL_TEST_LONG'] === '1' ? 24 : 2
  for (let start = 0; start < 7 * startsPerDay; start++) {
    const from = Date.UTC(2026, 11, 28, 0, 20) + start * (day / startsPerDay)
    for (const thread of buildDemoMail(from).threads) {
      const { subject } = thread.messages[0]!.letter
      const moments = thread.messages.map(({ at }) => at)
      assert.deepEqual(
        moments,
        moments.toSorted((a, b) => a - b),
        `${subject}, ${new Date(from).toISOString()}`,
      )
      const all = [...moments, ...thread.notes.map(({ at }) => at)]
      assert.ok(Math.max(...all) <= from && Math.min(...all) > from - 38 * day, subject)
      assert.ok(
        thread.notes.every(({ at }) => at >= moments[0]!),
        subject,
      )
    }
  }
})

test('most mail comes in working hours, the newest minutes ago', () => {
  const hours = messages.map(({ at }) => new Date(at).getUTCHours())
  assert.ok(hours.filter((hour) => hour >= 7 && hour < 18).length > messages.length * 0.75)
  assert.ok(now - Math.max(...messages.map(({ at }) => at)) < 15 * 60 * 1000)
  const sentOnWeekends = messages.filter(
    ({ direction, at }) => direction === 'out' && new Date(at).getUTCDay() % 6 === 0,
  )
  assert.equal(sentOnWeekends.length, 0)
})

test('the same now gives the same mail, another now another', () => {
  assert.deepEqual(buildDemoMail(now), script)
  assert.notDeepEqual(buildDemoMail(now + day), script)
})

test('every picture is a sound PNG', () => {
  const pictures = filesOf('image/png')
  assert.ok(pictures.length >= 10)
  for (const png of pictures) {
    assert.equal(png.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n')
    const chunks = new Map<string, Buffer>()
    for (let at = 8; at < png.length;) {
      const length = png.readUInt32BE(at)
      const body = png.subarray(at + 4, at + 8 + length)
      assert.equal(png.readUInt32BE(at + 8 + length), crc32(body))
      chunks.set(body.toString('latin1', 0, 4), body.subarray(4))
      at += 12 + length
    }
    assert.deepEqual([...chunks.keys()], ['IHDR', 'IDAT', 'IEND'])
    const header = chunks.get('IHDR')!
    const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
    const pixels = inflateSync(chunks.get('IDAT')!)
    assert.equal(pixels.length, height * (1 + width * 3))
    assert.ok(new Set(pixels).size > 10, 'more than one flat colour')
  }
})

test('every PDF has a cross-reference table that points at its objects', () => {
  const documents = filesOf('application/pdf')
  assert.ok(documents.length >= 10)
  for (const pdf of documents) {
    const text = pdf.toString('latin1')
    assert.match(text, /^%PDF-1\.4\n[^]*\n%%EOF\n$/)
    const table = Number(/startxref\n(\d+)\n/.exec(text)![1])
    assert.equal(text.slice(table, table + 5), 'xref\n')
    const entries = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)]
    assert.equal(entries.length, 5)
    entries.forEach((entry, index) => assert.ok(text.startsWith(`${index + 1} 0 obj\n`, Number(entry[1]))))
    const stream = /\/Length (\d+) >>\nstream\n([^]*)\nendstream/.exec(text)!
    assert.equal(stream[2]!.length, Number(stream[1]))
    assert.match(stream[2]!, /\([^)]{5,}\) Tj/)
    assert.doesNotMatch(stream[2]!, /\{[dwticD]\+?\d/)
  }
})

test('the writer keeps awkward text whole', async () => {
  const letter: Letter = {
    ...messages[0]!.letter,
    from: '"Quoted", Name (shop) <a@b.example>',
    subject: `${'ein sehr langer Betreff über Rahmen '.repeat(6)}👩‍👩‍👧 日本`,
    text: `From here\n.\n= equals =3D\ntrailing space \n${'x'.repeat(300)}\n${'äöü'.repeat(15)}\n\ttab`,
    charset: 'utf-8',
    html: null,
    attachments: [
      { filename: 'Größe & Maß.txt', contentType: 'text/plain', content: Buffer.from([0, 1, 255, 13, 10]) },
    ],
  }
  const raw = composeMessage(letter)
  assert.match(raw, /^Content-Transfer-Encoding: quoted-printable\r$/m)
  assert.ok(raw.split('\r\n').every((line) => line.length <= 78 && !line.endsWith(' ')))
  const parsed = await PostalMime.parse(raw)
  assert.equal(parsed.subject, letter.subject)
  assert.equal(sameLines(parsed.text), sameLines(letter.text))
  assert.equal(parsed.attachments[0]!.filename, 'Größe & Maß.txt')
  assert.deepEqual([...new Uint8Array(parsed.attachments[0]!.content as ArrayBuffer)], [0, 1, 255, 13, 10])
})

function filesOf(type: string): Buffer[] {
  const files = messages.flatMap(({ letter }) => letter.attachments)
  return files.filter(({ contentType }) => contentType === type).map(({ content }) => Buffer.from(content))
}

function formatAddress(address: { name: string; address?: string | undefined } | undefined): string {
  return address?.name ? `${address.name} <${address.address}>` : `<${address?.address}>`
}

/** Line ends, and blank lines at the end, are the carrier's. */
function sameLines(text: string | undefined): string {
  return (text ?? '').replaceAll('\r\n', '\n').replace(/\n+$/, '')
}
