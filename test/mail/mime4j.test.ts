import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { ParsedMail } from '../../src/model/mail/mail.ts'
import { defaultLimits } from '../../src/mail/limits.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { splitParts, type Part } from '../../src/mail/parse/parts.ts'
import { decodeTransfer } from '../../src/mail/parse/transfer-encoding.ts'
import { corpora, needsCorpora } from '../support/corpora.ts'
import { fieldOf, readExpectedLeaves, type ExpectedLeaf } from '../support/mime4j.ts'

/** Where Spool reads a message otherwise than the set says, and why. A line that is not needed fails the test. */
const otherParts: Record<string, string> = {
  'frag.msg': 'base64 that breaks off: the last whole bytes of it are kept, not dropped',
  'multi-frag.msg': 'the same, followed by a broken boundary',
  'ending-boundaries.msg':
    'text after a boundary in its line makes it no boundary, so that similar ones differ',
  'malformedHeader-noheader.msg': 'a message without any header field is all text, for people to read',
  'malformedHeaderStartsBody-noheader.msg': 'the same, and not the first line of it alone',
  'malformedHeaderStartsBody-nocrlfcrlf.msg':
    'a line that is no field is passed over; its twin malformedHeader-nocrlfcrlf agrees',
  'weird-boundary.msg':
    'a boundary cannot end in a space (RFC 2046), and white space after one in its line is padding',
  'very-long-boundary.msg': 'the same',
  'very-very-long-boundary.msg': 'the same',
}

/** Parts that a person neither reads nor gets as a file. */
const notDelivered: Record<string, string> = {
  'double-semicolon.msg': 'the second of two HTML alternatives wins',
  'double-semicolon2.msg': 'the same',
}

const sets = ['mimetools-testmsgs', 'testmsgs']
const messages = (set: string) => readdirSync(corpora('mime4j', set)).filter((name) => name.endsWith('.msg'))
const expectedOf = (set: string, name: string) =>
  readExpectedLeaves(corpora('mime4j', set, name.replace('.msg', '_decoded.xml')))

test('mime4j: every part has the bytes that the set says', needsCorpora, () => {
  const surprises: string[] = []
  let compared = 0
  for (const set of sets) {
    for (const name of messages(set)) {
      const expected = expectedOf(set, name).map(({ content }) => unixLines(content))
      const found = leavesOf(readFileSync(corpora('mime4j', set, name))).map(unixLines)
      const agrees = JSON.stringify(found) === JSON.stringify(expected)
      if (agrees === name in otherParts) surprises.push(`${name}: ${agrees ? 'agrees by now' : 'differs'}`)
      compared += expected.length
    }
  }
  assert.deepEqual(surprises, [])
  assert.ok(compared > 150, `${compared} parts compared`)
})

test('mime4j: no part is lost between text, alternatives and attachments', needsCorpora, () => {
  const surprises: string[] = []
  for (const set of sets) {
    for (const name of messages(set)) {
      if (name in otherParts) continue
      const raw = readFileSync(corpora('mime4j', set, name))
      const mail = parseMail(raw)
      assert.equal(mail.raw, raw)
      assert.deepEqual(
        mail.warnings.filter((warning) => warning !== 'parts_differ'),
        [],
        name,
      )
      const lost = expectedOf(set, name).filter((leaf) => !isDelivered(mail, leaf))
      if (lost.length > 0 !== name in notDelivered) surprises.push(`${name}: ${lost.length} lost`)
    }
  }
  assert.deepEqual(surprises, [])
})

/** All leaves, those of messages inside messages too. */
function leavesOf(message: Buffer): Uint8Array[] {
  const collect = (part: Part): Uint8Array[] => {
    if (part.contentType.value.startsWith('multipart/')) return part.children.flatMap(collect)
    const content = decodeTransfer(message.subarray(part.start, part.end), part.encoding)
    return part.contentType.value === 'message/rfc822' ? leavesOf(Buffer.from(content)) : [content]
  }
  return collect(splitParts(message, defaultLimits).root)
}

function isDelivered(mail: ParsedMail, leaf: ExpectedLeaf): boolean {
  const path = leaf.path.indexOf('message/rfc822')
  if (path !== -1) {
    const inner = { ...leaf, path: leaf.path.slice(path + 1) }
    return mail.attachments.some(
      ({ contentType, content }) =>
        contentType === 'message/rfc822' && isDelivered(parseMail(content), inner),
    )
  }
  const bytes = unixLines(leaf.content)
  const name = fileNameOf(leaf)
  const isAttachment = mail.attachments.some(
    ({ filename, content }) => unixLines(content) === bytes && (name === '' || filename === name),
  )
  return isAttachment || isRead(mail, leaf)
}

/** White space aside, the part's words stand in the text; an alternative's plain words in that of the HTML. */
function isRead(mail: ParsedMail, { content, header, path }: ExpectedLeaf): boolean {
  const type = fieldOf(header, 'content-type').toLowerCase()
  const isKnown = /^(?:text(?:$|\/plain|\/html)|$)/.test(type)
  if (!isKnown) return false
  const hasHtmlBeside =
    path.includes('multipart/alternative') && mail.html !== null && !type.startsWith('text/html')
  if (hasHtmlBeside) return true
  const only = parseMail(Buffer.concat([Buffer.from(`Content-Type: ${type || 'text/plain'}\n\n`), content]))
  return words(mail.text).includes(words(only.text))
}

/** The name in the header, where it is a plain one. */
function fileNameOf({ header }: ExpectedLeaf): string {
  const fields = `${fieldOf(header, 'content-disposition')} ; ${fieldOf(header, 'content-type')}`
  const match = /\b(?:file)?name=(?:"([^"]*)"|([^\s;"]+))/.exec(fields)
  const name = match?.[1] ?? match?.[2] ?? ''
  return /^[\w .-]+$/.test(name) ? name : ''
}

const unixLines = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n')

const words = (text: string) => text.replace(/\s+/g, ' ').trim()
