import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openMailbox, type Mailbox, type MailboxOptions } from '../../src/mail/mailbox.ts'
import { corpora, needsCorpora } from '../support/corpora.ts'
import { writeMbox } from '../support/mbox-writer.ts'

const date = new Date('2026-11-03T09:15:00Z')
const messages = ['Subject: one\n\nFrom here\n', 'Subject: two\n\n>From there\n'].map((raw) => ({
  raw,
  date,
}))

/** A folder of its own with these files. */
async function folderOf(t: TestContext, files: Record<string, string | Buffer>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'spool-mailbox-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    if (!name.endsWith('/')) await writeFile(join(folder, name), content)
  }
  return folder
}

interface Seen {
  name: string
  text: string
  seen?: boolean
  receivedAt?: number | null
}

async function readAll(mailbox: Mailbox): Promise<Seen[]> {
  const items: Seen[] = []
  for await (const item of mailbox) {
    if ('raw' in item) {
      const { name, seen, receivedAt } = item
      items.push({ name, text: Buffer.from(item.raw).toString(), seen, receivedAt })
    } else if ('leftOut' in item) {
      items.push({ name: item.name, text: 'left out' })
    } else {
      items.push({ name: item.name, text: `too large: ${item.size}` })
    }
  }
  return items
}

const read = async (path: string, options?: MailboxOptions) => readAll(await openMailbox(path, options))

test('a file that begins with a From_ line is an mbox', async (t) => {
  const folder = await folderOf(t, { mail: writeMbox(messages, 'mboxrd') })
  const mailbox = await openMailbox(join(folder, 'mail'))
  const items = await readAll(mailbox)
  assert.deepEqual(
    items.map(({ text, receivedAt, seen }) => ({ text, receivedAt, seen })),
    messages.map(({ raw }) => ({ text: raw, receivedAt: date.getTime(), seen: false })),
  )
  assert.match(items[1]!.name, /^offset \d+$/)
  assert.ok(mailbox.bytesTotal! > 0)
  assert.equal(mailbox.bytesRead, mailbox.bytesTotal)
})

test('a format that is named is the one that is read', async (t) => {
  const folder = await folderOf(t, { mail: writeMbox(messages, 'mboxo') })
  const items = await read(join(folder, 'mail'), { format: 'mboxo' })
  assert.equal(items[1]!.text, 'Subject: two\n\nFrom there\n')
  const one = await read(join(folder, 'mail'), { format: 'eml' })
  assert.equal(one.length, 1)
})

test('gzip is unpacked, a message alone too; its progress is that of the packed file', async (t) => {
  const packed = gzipSync(writeMbox(messages, 'mboxrd'))
  const folder = await folderOf(t, {
    'mail.gz': packed,
    'one.eml.gz': gzipSync(messages[0]!.raw),
    'cut.gz': packed.subarray(0, 60),
  })
  const mailbox = await openMailbox(join(folder, 'mail.gz'))
  assert.deepEqual(
    (await readAll(mailbox)).map(({ text }) => text),
    messages.map(({ raw }) => raw),
  )
  assert.equal(mailbox.bytesTotal, packed.length)
  assert.equal(mailbox.bytesRead, packed.length)
  assert.deepEqual(
    (await read(join(folder, 'one.eml.gz'))).map(({ text }) => text),
    [messages[0]!.raw],
  )
  await assert.rejects(read(join(folder, 'cut.gz')), /unexpected end of file/)
})

test('any other file is one message', async (t) => {
  const folder = await folderOf(t, { 'a.eml': 'Subject: x\n\ny\n' })
  assert.deepEqual(await read(join(folder, 'a.eml')), [
    { name: 'a.eml', text: 'Subject: x\n\ny\n', seen: false, receivedAt: null },
  ])
  assert.equal((await read(join(folder, 'a.eml'), { maxSize: 3 }))[0]!.text, 'too large: 14')
})

test('an empty mailbox has no message, in whatever form it comes', async (t) => {
  const folder = await folderOf(t, { empty: '', 'empty.gz': gzipSync('') })
  for (const format of [undefined, 'mboxrd', 'eml'] as const) {
    assert.deepEqual(await read(join(folder, 'empty'), { format }), [])
    assert.deepEqual(await read(join(folder, 'empty.gz'), { format }), [])
    assert.deepEqual(await read('-', { format, input: Readable.from([]) }), [])
  }
})

test('standard input is an mbox or one message, packed or not', async () => {
  const input = (bytes: Uint8Array | string) => ({ input: Readable.from([Buffer.from(bytes as string)]) })
  const mbox = writeMbox(messages, 'mboxrd')
  assert.equal((await read('-', input(mbox))).length, 2)
  assert.equal((await read('-', input(gzipSync(mbox)))).length, 2)
  assert.deepEqual(
    (await read('-', input('Subject: x\n\ny\n'))).map(({ text }) => text),
    ['Subject: x\n\ny\n'],
  )
  assert.equal((await openMailbox('-', input(''))).bytesTotal, null)
})

test('a maildir: new and read messages, folders inside, other files left alone', async (t) => {
  const folder = await folderOf(t, {
    'cur/1793697300.M1P1.host:2,S': 'one',
    'cur/1793697301.M2P1.host:2,RF': 'two',
    'new/1793697302.M3P1.host': 'three',
    'tmp/1793697303.M4P1.host': 'unfinished',
    '.Sent/cur/1793697304.M5P1.host:2,RS': 'four',
    '.Sent/new/': '',
    '.Sent/tmp/': '',
    'plain/cur/odd-name': 'five',
    'cur/.hidden': 'no mail',
    'dovecot.index': 'no mail',
  })
  const mailbox = await openMailbox(folder)
  const items = await readAll(mailbox)
  assert.deepEqual(
    items.map(({ text, seen }) => [text, seen]),
    [
      ['four', true],
      ['one', true],
      ['two', false],
      ['three', false],
      ['five', false],
    ],
  )
  assert.equal(items[1]!.receivedAt, 1793697300_000)
  assert.equal(items[0]!.name, '.Sent/cur/1793697304.M5P1.host:2,RS')
  assert.ok(items[4]!.receivedAt! > Date.UTC(2024))
  assert.equal(mailbox.bytesRead, 'onetwothreefourfive'.length)
})

test('drafts and deleted mail of a maildir are left out, unless their folder is named', async (t) => {
  const folder = await folderOf(t, {
    'cur/1.a.host:2,DS': 'draft',
    'cur/2.a.host:2,ST': 'trashed',
    'cur/3.a.host:2,Sdt': 'with keywords',
    'new/.keep': '',
    '.Drafts/cur/4.a.host:2,S': 'draft',
    '.Trash/new/5.a.host': 'trashed',
    '.Trash/cur/.keep': '',
    '.Trash.2025/cur/6.a.host:2,S': 'trashed',
    '.INBOX.Deleted Items/cur/7.a.host:2,S': 'trashed',
    '.Projects.Drafts/cur/8.a.host:2,S': 'project',
    'Trash/cur/9.a.host:2,S': 'trashed',
  })
  const mailbox = await openMailbox(folder)
  const items = await readAll(mailbox)
  assert.equal(items.filter(({ text }) => text === 'left out').length, 7)
  const kept = items.filter(({ text }) => text !== 'left out').map(({ text }) => text)
  assert.deepEqual(kept, ['project', 'with keywords'])
  assert.equal(mailbox.bytesRead, mailbox.bytesTotal)
  assert.deepEqual(
    (await read(join(folder, '.Trash'))).map(({ text }) => text),
    ['trashed'],
  )
})

test('a maildir in use: what is renamed meanwhile is read once, what is deleted is not', async (t) => {
  const folder = await folderOf(t, {
    'cur/1793697300.M1P1.host:2,': 'one',
    'cur/1793697301.M2P1.host:2,': 'two',
    'cur/1793697302.M3P1.host:2,': 'three',
    'cur/1793697303.M4P1.host:2,': 'four',
    'new/1793697304.M5P1.host': 'five',
    'new/1793697305.M6P1.host': 'six',
    'new/1793697306.M7P1.host': 'seven',
  })
  await symlink(join(folder, 'nowhere'), join(folder, 'cur/1793697299.M0P1.host:2,'))
  const move = (from: string, to: string) => rename(join(folder, from), join(folder, to))
  const changes: Record<string, () => Promise<void>> = {
    one: async () => {
      await move('cur/1793697301.M2P1.host:2,', 'cur/1793697301.M2P1.host:2,S')
      await move('cur/1793697302.M3P1.host:2,', 'cur/1793697302.M3P1.host:2,R')
      await move('new/1793697304.M5P1.host', 'cur/1793697304.M5P1.host:2,S')
      await rm(join(folder, 'cur/1793697303.M4P1.host:2,'))
    },
    // Once more, after they were looked for.
    two: async () => {
      await move('cur/1793697302.M3P1.host:2,R', 'cur/1793697302.M3P1.host:2,RS')
      await move('new/1793697305.M6P1.host', 'cur/1793697305.M6P1.host:2,')
    },
  }
  const items: unknown[] = []
  for await (const item of await openMailbox(folder)) {
    assert.ok('raw' in item)
    const text = Buffer.from(item.raw).toString()
    items.push([text, item.seen, item.name])
    await changes[text]?.()
  }
  assert.deepEqual(items, [
    ['one', false, 'cur/1793697300.M1P1.host:2,'],
    ['two', true, 'cur/1793697301.M2P1.host:2,S'],
    ['three', true, 'cur/1793697302.M3P1.host:2,RS'],
    ['five', true, 'cur/1793697304.M5P1.host:2,S'],
    ['six', false, 'cur/1793697305.M6P1.host:2,'],
    ['seven', false, 'new/1793697306.M7P1.host'],
  ])
})

test('a folder of .eml files, and those in folders inside it', async (t) => {
  const folder = await folderOf(t, {
    'b.eml': 'b',
    'a/x.EML': 'x',
    'notes.txt': 'no mail',
    'large.eml': 'x'.repeat(100),
    'folder.eml/notes.txt': 'no mail',
  })
  await symlink(join(folder, 'gone'), join(folder, 'link.eml'))
  await symlink(folder, join(folder, 'a/again'))
  const mailbox = await openMailbox(folder, { maxSize: 50 })
  assert.deepEqual(
    (await readAll(mailbox)).map(({ name, text }) => [name, text]),
    [
      ['a/x.EML', 'x'],
      ['b.eml', 'b'],
      ['large.eml', 'too large: 100'],
    ],
  )
  assert.equal(mailbox.bytesTotal, 102)
  assert.equal(mailbox.bytesRead, 102)
})

test('what does not fit together is said', async (t) => {
  const folder = await folderOf(t, { mail: 'Subject: x\n\n' })
  await assert.rejects(openMailbox(folder, { format: 'mboxrd' }), /is a folder/)
  await assert.rejects(openMailbox(join(folder, 'mail'), { format: 'maildir' }), /is a file/)
  await assert.rejects(openMailbox(join(folder, 'missing')), /ENOENT/)
})

test('a folder with files but no mail is refused; one without files is empty', async (t) => {
  const folder = await folderOf(t, { 'Inbox.mbox/mbox': writeMbox(messages, 'mboxrd'), 'empty/cur/': '' })
  await assert.rejects(
    openMailbox(join(folder, 'Inbox.mbox')),
    /contains no \.eml files.*name the file itself/,
  )
  assert.deepEqual(await read(join(folder, 'empty')), [])
})

test('a byte order mark before an mbox or a message is no part of it', async (t) => {
  const mark = Buffer.from('\ufeff')
  const message = 'Subject: x\n\ny\n'
  const mbox = Buffer.concat([mark, Buffer.from(writeMbox(messages, 'mboxrd'))])
  const folder = await folderOf(t, {
    mbox,
    'mbox.gz': gzipSync(mbox),
    'a.eml': Buffer.concat([mark, Buffer.from(message)]),
  })
  const texts = async (path: string, options?: MailboxOptions): Promise<string[]> =>
    (await read(path, options)).map(({ text }) => text)
  const both = messages.map(({ raw }) => raw)
  assert.deepEqual(await texts(join(folder, 'mbox')), both)
  assert.deepEqual(await texts(join(folder, 'mbox.gz')), both)
  assert.deepEqual(await texts('-', { input: Readable.from([mbox]) }), both)
  assert.deepEqual(await texts(join(folder, 'a.eml')), [message])
  assert.deepEqual(await texts(folder), [message])
})

test('git-2005: how fast an mbox is read', needsCorpora, async () => {
  let bytes = 0
  const started = performance.now()
  for await (const item of await openMailbox(corpora('git-2005.mbox.gz')))
    if ('raw' in item) bytes += item.raw.byteLength
  const seconds = (performance.now() - started) / 1000
  console.log(`git-2005, unpacked and split: ${(bytes / 1e6 / seconds).toFixed(0)} MB/s`)
  assert.ok(bytes > 30e6)
})

test('what does not begin like mail is taken only when asked for', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'not-mail-'))
  context.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'notes.md')
  await writeFile(file, '# Notes\n\nNot a message at all.\n')
  await assert.rejects(read(file), /notes\.md does not look like mail: .* --format eml/)
  await assert.rejects(
    read('-', { input: Readable.from([Buffer.from('# Notes\n')]) }),
    /does not look like mail/,
  )
  assert.equal((await read(file, { format: 'eml' })).length, 1)
})
