import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { readFromLine } from '../../src/mail/mailbox/from-line.ts'
import { readMbox, type MboxFormat, type MboxItem } from '../../src/mail/mailbox/mbox.ts'
import { writeMbox, type WrittenFormat, type WrittenMessage } from '../support/mbox-writer.ts'

const date = new Date('2026-11-03T09:15:00Z')

const awkward: WrittenMessage[] = [
  {
    raw: 'Subject: one\n\nFrom here on it is text.\n>From quoted.\n>>From twice quoted.\n\nFrom again.\n',
    date,
  },
  { raw: 'Subject: two\n\n\n\n\n', date },
  {
    raw: 'Subject: three\n\nFrom kim@example.com Tue Nov  3 09:15:00 2026\n\nFrom kim@example.com Tue Nov  3 09:15:00 2026\nlast\n',
    date,
  },
  { raw: 'Subject: four\n\n> From\nFrom\nFromage \n From \n>\n', date },
  { raw: 'Subject: five\n\n\xff\xfe\0 bytes\n', date },
]

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function readAll(
  bytes: Uint8Array,
  format: MboxFormat,
  size = 64 * 1024,
  maxSize?: number,
): Promise<MboxItem[]> {
  const items: MboxItem[] = []
  for await (const item of readMbox(inChunks(bytes, size), format, maxSize)) items.push(item)
  return items
}

const textOf = (item: MboxItem) =>
  item.tooLarge === true ? `too large: ${item.size}` : Buffer.from(item.raw).toString('latin1')

const withoutLength = (text: string) => text.replace(/\r?\nContent-Length: \d+/, '')

/** What the writer of a format can lose: mboxo cannot tell an escaped line from one that was quoted before. */
const expectedOf = ({ raw }: WrittenMessage, format: WrittenFormat) =>
  format === 'mboxo' || format === 'mboxcl' ? raw.replace(/^>From /gm, 'From ') : raw

const readAs = (format: WrittenFormat): MboxFormat => (format === 'mboxcl2' ? 'mboxcl' : format)

for (const format of ['mboxrd', 'mboxo', 'mboxcl', 'mboxcl2'] as const) {
  for (const newline of ['\n', '\r\n']) {
    test(`${format} with ${JSON.stringify(newline)}: messages come back as they were, in chunks of any size`, async () => {
      const messages = awkward.map(({ raw }) => ({ raw: raw.replaceAll('\n', newline), date }))
      const mailbox = writeMbox(messages, format, newline)
      const expected = messages.map((message) => expectedOf(message, format))
      for (const size of [...Array.from({ length: 64 }, (_, i) => i + 1), mailbox.length]) {
        const items = await readAll(mailbox, readAs(format), size)
        assert.deepEqual(items.map(textOf).map(withoutLength), expected, `chunks of ${size}`)
        for (const item of items) assert.ok(item.tooLarge !== true && item.fromLineDate === date.getTime())
      }
    })
  }
}

test('any messages come back as they were, in any chunks', async () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      'From ',
      '>From me',
      '>>From x',
      'From a@b Tue Nov  3 09:15:00 2026',
      'Content-Length: 5',
      '\r',
      '>',
    ),
    fc.string({ maxLength: 20, unit: fc.constantFrom('F', 'r', 'o', 'm', ' ', '>', '\xe9', 'a', ':') }),
  )
  const message = fc
    .array(line, { maxLength: 12 })
    .map((lines) => ({ raw: `Subject: x\n\n${lines.map((text) => `${text}\n`).join('')}`, date }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 200 }),
      async (messages, size) => {
        const items = await readAll(writeMbox(messages, 'mboxrd'), 'mboxrd', size)
        assert.deepEqual(
          items.map(textOf),
          messages.map(({ raw }) => raw),
        )
        const measured = await readAll(writeMbox(messages, 'mboxcl2'), 'mboxcl', size)
        assert.equal(measured.length, messages.length)
      },
    ),
    { numRuns: 300, seed: 20261115 },
  )
})

test('offsets lead to the From_ lines', async () => {
  const mailbox = writeMbox(awkward, 'mboxrd')
  for (const { offset } of await readAll(mailbox, 'mboxrd', 7)) {
    assert.ok(mailbox.toString('latin1', offset).startsWith('From sender@example.com Tue Nov  3'))
  }
})

test('a line that reads like prose does not split a message, with or without an escape', async () => {
  const body = 'Hello\n\nFrom now on I shall write.\n\nFrom Tuesday, we close at 5.\n'
  const mailbox = Buffer.from(
    `From a@b Tue Nov  3 09:15:00 2026\nSubject: x\n\n${body}\nFrom c@d Tue Nov  3 09:16:00 2026\nSubject: y\n\nz\n`,
  )
  assert.deepEqual((await readAll(mailbox, 'auto')).map(textOf), [
    `Subject: x\n\n${body}`,
    'Subject: y\n\nz\n',
  ])
})

test('mailboxes that were joined without an empty line between them are read as the messages they hold', async () => {
  for (const newline of ['\n', '\r\n'])
    for (const format of ['mboxrd', 'auto'] as const) {
      const parts = [
        'From a@b Tue Nov  3 09:15:00 2026\nSubject: x\n\nFrom a@b Tue Nov  3 09:15:00 2026\nwas quoted\n',
        'Hello\nFrom a@b Tue Nov  3 09:15:00 2026\nand so on\n',
        'From c@d Tue Nov  3 09:16:00 2026\nSubject: y\n\nz\n',
      ].map((part) => part.replaceAll('\n', newline))
      for (const size of [1, 7, 1000]) {
        const items = await readAll(Buffer.from(parts.join('')), format, size)
        assert.deepEqual(items.map(textOf).slice(-1), [`Subject: y${newline}${newline}z${newline}`])
        assert.ok(textOf(items.at(-2)!).endsWith(parts[1]!), 'prose goes on')
      }
    }
})

test('a wrong Content-Length is not believed', async () => {
  for (const length of [0, 1, 7, 8, 9, 1000, 999_999_999]) {
    const one = `Subject: x\nContent-Length: ${length}\n\nseven..\n`
    const mailbox = Buffer.from(
      `From a@b Tue Nov  3 09:15:00 2026\n${one}\nFrom c@d Tue Nov  3 09:16:00 2026\nSubject: y\n\nz\n\n`,
    )
    for (const format of ['mboxcl', 'auto'] as const) {
      const items = (await readAll(mailbox, format, 10)).map(textOf)
      assert.equal(items.length, 2, `${format} ${length}`)
      assert.ok(items[0]!.startsWith(one.trimEnd()), `${format} ${length}`)
      assert.equal(items[1], 'Subject: y\n\nz\n')
    }
  }
})

test('a message that is too large is named and passed over, in little memory', async () => {
  const large = `Subject: large\n\n${'x'.repeat(99)}\n${'From nobody\n'.repeat(100_000)}`
  const mailbox = writeMbox([awkward[0]!, { raw: large, date }, awkward[1]!], 'mboxrd')
  for (const size of [1000, 64 * 1024]) {
    const items = await readAll(mailbox, 'mboxrd', size, 50_000)
    assert.deepEqual(
      items.map(({ tooLarge }) => tooLarge === true),
      [false, true, false],
    )
    const escaped = large.replace(/^From /gm, '>From ')
    assert.ok(items[1]!.tooLarge === true && Math.abs(items[1]!.size - escaped.length) < 100)
    assert.equal(
      items[1]!.offset,
      mailbox.indexOf('Subject: large') - 'From sender@example.com Tue Nov  3 09:15:00 2026\n'.length,
    )
    assert.equal(textOf(items[2]!), awkward[1]!.raw)
  }
  assert.equal(
    (await readAll(writeMbox([{ raw: large, date }], 'mboxrd'), 'mboxrd', 1 << 16, 50_000)).length,
    1,
  )
})

test('empty mailboxes hold nothing, and text before the first From_ line is a message of its own', async () => {
  assert.deepEqual(await readAll(Buffer.from(''), 'auto'), [])
  assert.deepEqual(await readAll(Buffer.from('\n\r\n\n'), 'auto', 1), [])
  const items = await readAll(
    Buffer.from('\n\nSubject: x\n\ny\n\nFrom c@d Tue Nov  3 09:16:00 2026\nSubject: y\n\nz\n'),
    'auto',
    3,
  )
  assert.deepEqual(items.map(textOf), ['Subject: x\n\ny\n', 'Subject: y\n\nz\n'])
})

describe('From_ lines', () => {
  const known: [line: string, expected: string | null | undefined][] = [
    ['From kim@example.com Tue Nov  3 09:15:00 2026', '2026-11-03T09:15:00.000Z'],
    ['From kim@example.com  Tue Nov 3 09:15:00 CET 2026', '2026-11-03T08:15:00.000Z'],
    ['From kim@example.com Tue Nov  3 09:15:00 2026 +0100', '2026-11-03T08:15:00.000Z'],
    ['From - Tue Nov 03 09:15:00 2026', '2026-11-03T09:15:00.000Z'],
    ['From MAILER-DAEMON Tue Nov  3 09:15 2026', '2026-11-03T09:15:00.000Z'],
    ['From "kim sample"@example.com Tue, 3 Nov 2026 09:15:00 +0000', '2026-11-03T09:15:00.000Z'],
    ['From kim@example.com 3 Nov 2026 09:15:00', '2026-11-03T09:15:00.000Z'],
    ['From kim@example.com Xue Nov  3 09:15:00 2026', undefined],
    ['From here to Tuesday', undefined],
    ['From Monday 12 on we are closed', undefined],
    ['from kim@example.com Tue Nov  3 09:15:00 2026', undefined],
  ]
  for (const [line, expected] of known) {
    test(line, () => {
      const found = readFromLine(line)
      assert.equal(typeof found === 'number' ? new Date(found).toISOString() : found, expected)
    })
  }
})
