import type { MailWarning, ParsedMail } from '../model/mail.ts'
import { wordsOf } from '../model/words.ts'
import { readAddresses } from './parse/addresses.ts'
import { inlineImages, readAttachment, uuAttachment } from './parse/attachments.ts'
import { readBodyText } from './parse/body-text.ts'
import { chooseBody } from './parse/body.ts'
import { cutText, guessText, storableText } from './parse/charset.ts'
import { readDate, readReceivedDate } from './parse/dates.ts'
import { decodeField, fieldText, rawField, readHeader, type Header } from './parse/header.ts'
import { identify } from './parse/identity.ts'
import { defaultLimits, type MailLimits } from './limits.ts'
import { classifyMail } from './parse/machine-mail.ts'
import { readInReplyTo, readMessageId, readReferences } from './parse/message-ids.ts'
import { findNewText } from './new-text.ts'
import { splitParts } from './parse/parts.ts'
import { makePreview } from './parse/preview.ts'

const longestSubject = 2000
/** Of a message that is too large this much is read: its header and the beginning of its text. */
const readOfTooLarge = 1024 * 1024
const longestFallbackText = 256 * 1024

/**
 * Reads a message. Never throws, and bounded in time and memory by the limits: what cannot be read is still
 * kept, with `unparsable` among its warnings.
 */
export function parseMail(raw: Uint8Array, limits: MailLimits = defaultLimits): ParsedMail {
  try {
    return readMail(raw, limits)
  } catch {
    return unparsableMail(raw, limits)
  }
}

function readMail(raw: Uint8Array, limits: MailLimits): ParsedMail {
  const isTooLarge = raw.byteLength > limits.size
  const message = withLineFeeds(viewOf(raw).subarray(0, isTooLarge ? readOfTooLarge : raw.byteLength))
  const { root, broken } = splitParts(message, limits)
  const charset = root.contentType.parameters.get('charset') ?? ''
  const body = chooseBody(root)
  const attachments = isTooLarge ? [] : body.files.map((part) => readAttachment(message, part, charset))
  const read = readBodyText(message, body, inlineImages(attachments), limits)

  const warnings: MailWarning[] = []
  if (isTooLarge || broken.size > 0) warnings.push('unparsable')
  if (broken.has('too_many_parts')) warnings.push('too_many_parts')
  if (broken.has('too_deep')) warnings.push('too_deep')
  if (read.partsDiffer) warnings.push('parts_differ')
  if (read.hiddenCharacters > 0) warnings.push('hidden_text')
  if (read.truncated) warnings.push('truncated')
  const fields = readFields(root.header, charset)
  const newText = storableText(findNewText(read.text))
  return {
    raw,
    ...fields,
    text: read.text,
    newText,
    preview: makePreview(newText),
    words: searchWords(fields, read.text),
    html: read.html,
    truncated: read.truncated,
    hiddenTextRemoved: read.hiddenCharacters,
    warnings,
    attachments: [...attachments, ...read.uuFiles.map(uuAttachment)],
    ...classifyMail(message, root, read.text),
    identity: identifyMail(root.header, raw),
  }
}

/** What is left when reading failed: the header, and the rest as it stands. */
export function unparsableMail(raw: Uint8Array, limits: MailLimits = defaultLimits): ParsedMail {
  const message = viewOf(raw)
  const bodyStart = findBody(message)
  const header = readHeader(message.toString('latin1', 0, Math.min(bodyStart, limits.headerSize)))
  const body = guessText(message.subarray(bodyStart, bodyStart + longestFallbackText))
  const text = cutText(storableText(body.replace(/\r\n?/g, '\n')), longestFallbackText)
  const truncated = raw.byteLength - bodyStart > longestFallbackText
  const fields = readFields(header, '')
  return {
    raw,
    ...fields,
    text,
    newText: text,
    preview: makePreview(text),
    words: searchWords(fields, text),
    html: null,
    truncated,
    hiddenTextRemoved: 0,
    warnings: truncated ? ['unparsable', 'truncated'] : ['unparsable'],
    attachments: [],
    kind: 'personal',
    bounce: null,
    identity: identifyMail(header, raw),
  }
}

function readFields(header: Header, charset: string) {
  const addresses = (name: string) => readAddresses(decodeField((header.get(name) ?? []).join(', '), charset))
  return {
    messageId: readMessageId(rawField(header, 'message-id')),
    inReplyTo: readInReplyTo(rawField(header, 'in-reply-to')),
    references: readReferences(header.get('references') ?? []),
    date: readDate(rawField(header, 'date')),
    receivedDate: readReceivedDate(rawField(header, 'received')),
    from: addresses('from')[0] ?? addresses('sender')[0] ?? null,
    to: addresses('to'),
    cc: addresses('cc'),
    replyTo: addresses('reply-to'),
    subject: fieldText(header, 'subject', charset).slice(0, longestSubject).toWellFormed(),
  }
}

function searchWords({ subject, from, to, cc }: ReturnType<typeof readFields>, text: string): string {
  const people = [...(from ? [from] : []), ...to, ...cc]
  const texts = [subject, ...people.flatMap(({ name, address }) => [name ?? '', address]), text]
  return [...wordsOf(texts)].join(' ')
}

function identifyMail(header: Header, raw: Uint8Array): Uint8Array {
  const message = viewOf(raw)
  const fields = ['from', 'date', 'subject'].map((name) => rawField(header, name))
  return identify(
    [readMessageId(rawField(header, 'message-id')) ?? '', ...fields],
    message.subarray(findBody(message)),
  )
}

/** After the first empty line. */
function findBody(message: Buffer): number {
  const unix = message.indexOf('\n\n')
  const dos = message.subarray(0, unix === -1 ? message.length : unix).indexOf('\n\r\n')
  if (dos !== -1) return dos + 3
  return unix === -1 ? message.length : unix + 2
}

const viewOf = (raw: Uint8Array) => Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)

/** Mail of the first Macintoshes ends its lines with a carriage return alone. */
function withLineFeeds(message: Buffer): Buffer {
  if (message.includes(0x0a) || !message.includes(0x0d)) return message
  const copy = Buffer.from(message)
  for (let i = 0; i < copy.length; i++) if (copy[i] === 0x0d) copy[i] = 0x0a
  return copy
}
