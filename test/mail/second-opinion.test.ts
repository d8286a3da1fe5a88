import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { test } from 'node:test'
import PostalMime, { type Email } from 'postal-mime'
import { openMailbox } from '../../src/mail/mailbox.ts'
import { parseMail } from '../../src/mail/parse.ts'
import type { ParsedMail } from '../../src/model/mail/mail.ts'
import { corpora, isLongRun, needsCorpora } from '../support/corpora.ts'

/** Where Spool and postal-mime read differently, and why Spool is right or does not mind. */
const otherMikel: Record<string, string> = {
  'error_emails/content_transfer_encoding_empty.eml': 'a soft hyphen in a subject is not seen, and taken out',
  'error_emails/content_transfer_encoding_plain.eml':
    '8-bit text that calls itself ASCII is UTF-8 where that is valid',
  'error_emails/invalid_subject_characters.eml':
    'raw 8-bit subject: windows-1252, not replacement characters',
  'mime_emails/raw_email11.eml': 'an enriched-text alternative is not a file',
  'plain_emails/mix_caps_content_type.eml': 'a message id always has its brackets',
  'plain_emails/raw_email10.eml': 'an unknown charset that is valid UTF-8 is UTF-8',
  'plain_emails/raw_email6.eml': 'the same',
  'rfc2822/example10.eml': 'comments inside an address are no part of it',
  'rfc2822/example11.eml': 'a route before an address is no part of it',
  'rfc2822/example13.eml': 'comments inside an address; white space before a colon',
}

const otherGit: Record<string, string> = {
  'offset 591504': 'a message of the type "text" is read, not offered as a file',
  'offset 31573585': 'so is one of "text/asciidoc"',
  'offset 32178029': 'a local part that needs its quotes keeps them',
}

test(
  'mikel-mail: names, addresses, text and attachments agree with a second reader',
  needsCorpora,
  async () => {
    const surprises: string[] = []
    const files = globSync(corpora('mikel-mail', '**', '*.eml')).sort()
    assert.equal(files.length, 103)
    for (const file of files) {
      const name = relative(corpora('mikel-mail'), file)
      const raw = readFileSync(file)
      const mail = parseMail(raw)
      assert.ok(!mail.warnings.includes('unparsable'), name)
      const differences = compare(mail, await readOtherwise(raw))
      if (differences.length > 0 !== name in otherMikel)
        surprises.push(`${name}: ${differences.join('; ') || 'agrees by now'}`)
    }
    assert.deepEqual(surprises, [])
  },
)

test('git-2005: every message comes out whole, and agrees with a second reader', needsCorpora, async () => {
  const differing: string[] = []
  let notComparable = 0
  let count = 0
  let milliseconds = 0
  for await (const item of await openMailbox(corpora('git-2005.mbox.gz'))) {
    assert.ok('raw' in item)
    const before = Buffer.from(item.raw)
    const started = performance.now()
    const mail = parseMail(item.raw)
    milliseconds += performance.now() - started
    assert.ok(before.equals(mail.raw))
    assert.ok(!mail.warnings.includes('unparsable'), item.name)
    if (isLongRun || count % 10 === 0) {
      const other = await readOtherwise(item.raw)
      const differences = compare(mail, other)
      if (differences.length > 0 && readsOtherwise(mail, other)) notComparable++
      else if (differences.length > 0 !== item.name in otherGit)
        differing.push(`${item.name}: ${differences.join('; ') || 'agrees by now'}`)
    }
    count++
  }
  console.log(`git-2005: ${count} messages, ${(milliseconds / count).toFixed(3)} ms each`)
  assert.equal(count, 10_000)
  assert.deepEqual(differing, [])
  assert.ok(notComparable < (isLongRun ? 150 : 20), `${notComparable} not comparable`)
})

/** A named text part after the first is a file for Spool; and postal-mime knows no ISO-2022-JP-2. */
function readsOtherwise(mail: ParsedMail, other: Email): boolean {
  const hasTextFile = mail.attachments.some(({ contentType }) => contentType === 'text/plain')
  return hasTextFile || (other.text ?? '').includes('\ufffd')
}

const readOtherwise = (raw: Uint8Array) => PostalMime.parse(raw, { forceRfc822Attachments: true })

function compare(mail: ParsedMail, other: Email): string[] {
  const differences: string[] = []
  const check = (what: string, ours: string, theirs: string) => {
    if (ours !== theirs) differences.push(`${what} ${JSON.stringify(ours)} / ${JSON.stringify(theirs)}`)
  }
  check('subject', words(mail.subject), words(other.subject ?? ''))
  check('from', mail.from?.address ?? '', words(other.from?.address ?? ''))
  check('to', addresses(mail.to), addresses(flatten(other.to)))
  check('cc', addresses(mail.cc), addresses(flatten(other.cc)))
  check('message id', mail.messageId ?? '', (other.messageId ?? '').replace(/\s/g, ''))
  // Of a mail without text Spool says so.
  const isNotice = mail.text.startsWith('This message has no text, only ')
  if (mail.html === null && !isNotice) check('text', start(mail.text), start(other.text ?? ''))
  check(
    'attachments',
    files(mail.attachments.map((file) => [file.filename, file.content])),
    files(other.attachments.map((file) => [file.filename, file.content])),
  )
  return differences
}

const words = (text: string) => text.replace(/\s+/g, ' ').trim()

const start = (text: string) =>
  words(text.replace(/[\u0001-\u0008\u000e-\u001f\u007f\u00ad\u200b\ufeff]/g, ''))
    .replace(/[> ]+/g, '')
    .slice(0, 20_000)

const addresses = (list: { address: string }[]) =>
  list
    .map(({ address }) => address)
    .filter((address) => address !== '')
    .join()

const flatten = (list: Email['to']) => (list ?? []).flatMap((entry) => entry.group ?? [entry])

/** Line ends aside, which postal-mime changes in parts that are not encoded. */
function files(list: [string | null, string | ArrayBuffer | Uint8Array][]): string {
  const unix = (content: string | ArrayBuffer | Uint8Array) =>
    (typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString('latin1'))
      .replaceAll('\r\n', '\n')
      .trimEnd()
  return list
    .map(
      ([name, content]) =>
        `${/\.eml$|^attachment\.|^image\.|^delivery-status/.test(name ?? '') ? '' : (name ?? '')} ${unix(content).length}`,
    )
    .join()
}
