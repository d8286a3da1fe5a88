import { isForwardSubject } from '../model/mail/forward.ts'
import type { MailWarning, ParsedMail } from '../model/mail/mail.ts'
import { makePreview } from '../model/mail/preview.ts'
import { readFingerprints } from '../model/mail/shingles.ts'
import { termsOfMail } from '../model/search-terms.ts'
import { readAddresses } from './parse/addresses.ts'
import { inlineImages, readAttachment, uuAttachment } from './parse/attachments.ts'
import { readBodyText, type BodyText } from './parse/body-text.ts'
import { chooseBody } from './parse/body.ts'
import { readDate, readReceivedDate } from './parse/dates.ts'
import {
  decodeField,
  fieldText,
  rawField,
  readBlock,
  readHeader,
  type Header,
  type Hidden,
} from './parse/header.ts'
import { identify } from './parse/identity.ts'
import { defaultLimits, type MailLimits } from './limits.ts'
import { classifyMail } from './parse/machine-mail.ts'
import { readInReplyTo, readMessageId, readReferences } from './parse/message-ids.ts'
import type { SubjectSays } from './new-text.ts'
import { describeOthers, innerMail } from './parse/other-parts.ts'
import { splitParts } from './parse/parts.ts'
import { spend, TooMuchWork, withSteps } from './work.ts'

const longestSubject = 2000

/** Stands in place of the text of a message that cannot be read or judged; its source would show what no person sees. */
export const notice =
  'This message could not be read safely, so its text is not shown. Its original source can be downloaded.'

/**
 * Reads a message. Never throws, and bounded in time and memory by the limits. Of what cannot be read, or not within
 * `limits.steps`, there is the header and a notice, with `unparsable` among its warnings.
 */
export function parseMail(raw: Uint8Array, limits: MailLimits = defaultLimits): ParsedMail {
  return tryMail(raw, limits) ?? withheldMail(raw, limits)
}

/** The same; null where that takes more than `limits.steps`. */
export function tryMail(raw: Uint8Array, limits: MailLimits): ParsedMail | null {
  try {
    return withSteps(limits.steps, () => readMail(raw, limits, readBodyText))
  } catch (error) {
    return error instanceof TooMuchWork ? null : unparsableMail(raw, limits)
  }
}

/** Its text is too much, its files seldom are. */
function withheldMail(raw: Uint8Array, limits: MailLimits): ParsedMail {
  try {
    return withSteps(limits.steps, () => readMail(raw, limits, withholdBody))
  } catch {
    return unparsableMail(raw, limits)
  }
}

const withheld: BodyText = {
  text: notice,
  newText: notice,
  forwards: false,
  hidesUnmarked: false,
  html: null,
  links: [],
  truncated: false,
  hiddenCharacters: 0,
  unusualCharacters: 0,
  partsDiffer: false,
  uuFiles: [],
}
const withholdBody = (): BodyText => withheld

function readMail(raw: Uint8Array, limits: MailLimits, readBody: typeof readBodyText): ParsedMail {
  if (raw.byteLength > limits.size) return unparsableMail(raw, limits)
  spend(raw.byteLength >> 4)
  const message = withLineFeeds(viewOf(raw))
  const { root, broken } = splitParts(message, limits)
  const charset = root.contentType.parameters.get('charset') ?? ''
  const outer = chooseBody(root)
  const inner = innerMail(message, outer, limits)
  const body = inner ? chooseBody(inner.root) : outer
  const others = describeOthers(inner?.message ?? message, inner?.root ?? root, body)
  const hidden: Hidden = { characters: 0 }
  const attachments = outer.files.map((part) => readAttachment(message, part, charset, hidden))
  const fields = readFields(root.header, charset, hidden)
  const context = {
    inlineImage: inlineImages(attachments),
    isReply: isReply(fields),
    subjectSays: inner ? ('forward' as const) : subjectSays(fields.subject),
    lead: [inner?.lead ?? '', others.lead].filter((text) => text !== '').join('\n\n'),
    limits,
  }
  const read = broken.size > 0 ? withheld : readBody(inner?.message ?? message, body, context)
  const uuFiles = read.uuFiles.map((file) => uuAttachment(file, hidden))
  const text = read === withheld ? '' : read.text
  const machine = classifyMail(message, root, text, hidden)

  const warnings: MailWarning[] = []
  if (read === withheld) warnings.push('unparsable')
  if (broken.has('too_many_parts')) warnings.push('too_many_parts')
  if (broken.has('too_deep')) warnings.push('too_deep')
  if (read.partsDiffer) warnings.push('parts_differ')
  if (hidden.characters + read.unusualCharacters > 0) warnings.push('hidden_text')
  if (read.truncated) warnings.push('truncated')
  warnings.push(...others.warnings)
  return {
    raw,
    ...fields,
    text: read.text,
    newText: read.newText,
    forwards: read.forwards,
    hidesUnmarked: read.hidesUnmarked,
    fingerprints: printsOf(read.newText),
    preview: makePreview(read.newText),
    searchTerms: searchTerms(fields, text),
    html: read.html,
    links: read.links,
    truncated: read.truncated,
    hiddenTextRemoved: hidden.characters + read.hiddenCharacters,
    warnings,
    attachments: [...attachments, ...uuFiles],
    ...machine,
    identity: identifyMail(root.header, raw),
  }
}

/** What is left when reading failed: the header, and a notice. */
export function unparsableMail(raw: Uint8Array, limits: MailLimits = defaultLimits): ParsedMail {
  const message = viewOf(raw)
  const header = readHeader(readBlock(message, 0, findBody(message), limits.headerSize))
  const hidden: Hidden = { characters: 0 }
  const fields = readFields(header, '', hidden)
  return {
    raw,
    ...fields,
    text: notice,
    newText: notice,
    forwards: false,
    hidesUnmarked: false,
    fingerprints: new Int32Array(),
    preview: makePreview(notice),
    searchTerms: searchTerms(fields, ''),
    html: null,
    links: [],
    truncated: false,
    hiddenTextRemoved: hidden.characters,
    warnings: hidden.characters > 0 ? ['unparsable', 'hidden_text'] : ['unparsable'],
    attachments: [],
    kind: 'personal',
    bounce: null,
    identity: identifyMail(header, raw),
  }
}

function readFields(header: Header, charset: string, hidden: Hidden) {
  const addresses = (name: string) =>
    readAddresses(decodeField((header.get(name) ?? []).join(', '), charset), hidden)
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
    subject: fieldText(header, 'subject', charset, hidden).slice(0, longestSubject).toWellFormed(),
  }
}

const replyPrefix =
  /^\s*(?:re|aw|antw?|sv|vs|res|rif|r|odp|ynt|απ|回复|答复|回覆|返信|отв|ответ|trả lời|תגובה|رد)\s*(?:\[\d+\])?\s*[:：]/i

function subjectSays(subject: string): SubjectSays {
  if (isForwardSubject(subject)) return 'forward'
  return replyPrefix.test(subject) ? 'reply' : null
}

function isReply({ subject, inReplyTo, references }: ReturnType<typeof readFields>): boolean {
  return inReplyTo !== null || references.length > 0 || replyPrefix.test(subject)
}

function searchTerms(fields: ReturnType<typeof readFields>, text: string): string {
  spend(text.length)
  return termsOfMail(fields, text)
}

function printsOf(newText: string): Int32Array {
  spend(newText.length >> 2)
  return readFingerprints(newText)
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
