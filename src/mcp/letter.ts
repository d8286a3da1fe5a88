import type { Draft } from '../model/draft.ts'
import type { MessageEntry } from '../model/history.ts'
import type { MailAddress, ThreadSummary } from '../model/thread.ts'
import { cutBefore } from './fence.ts'

/**
 * What others wrote, laid out as a short letter: header lines, a blank line, the text. Without header lines it begins
 * with the blank line, so that a text can never pass for a header.
 */
export interface Letter {
  header: string
  text: string
}

/** Characters of a header line, and people and files of a message, without `full`. */
const longestLine = 500
const mostItems = 50

export interface Size {
  line: number
  items: number
}
export const shortened: Size = { line: longestLine, items: mostItems }
export const whole: Size = { line: Number.POSITIVE_INFINITY, items: Number.POSITIVE_INFINITY }

/** Characters of subject and preview in a list: enough to choose by, and every row costs about the same. */
const rowBudget = 76
const leastPreview = 24

/** A thread in a list: who began it, its subject and the beginning of its preview. */
export function writeThreadLetter({ subject, sender, preview }: Summarized): string {
  const name = bareName(sender.name)
  const address = oneLine(sender.address)
  return layOutThread({ subject: oneLine(subject), sender: { name, address }, preview: oneLine(preview) })
}

type Summarized = Pick<ThreadSummary, 'subject' | 'sender' | 'preview'>

/** The same for texts that can neither start a new line nor look like an address. */
export function layOutThread({ subject, sender, preview }: Summarized): string {
  const shown = cutLine(subject, rowBudget)
  const text = cutLine(preview, Math.max(leastPreview, rowBudget - shown.length))
  return `From: ${layOutName(sender, rowBudget)}\nSubject: ${shown}\n\n${text}`
}

/** The header of a thread above its messages, which contain the rest. */
export function writeThreadHeader({ subject, sender }: ThreadSummary, size: Size): string {
  return `From: ${nameOf(sender, size.line)}\nSubject: ${lineOf(subject, size.line)}`
}

/** One message, without what the thread's header already says. */
export function writeMessageLetter(
  message: MessageEntry,
  { sender, subject, inbox }: ThreadSummary,
  { full, size }: { full: boolean; size: Size },
): Letter {
  const isInbound = message.direction === 'inbound'
  const isUsualSender = isInbound
    ? sameAddress(message.from, sender.address) && message.from.name === sender.name
    : sameAddress(message.from, inbox.address)
  const usualRecipient = isInbound ? inbox.address : sender.address
  const isUsualRecipient = message.to.length === 1 && sameAddress(message.to[0]!, usualRecipient)
  const lines = [
    isUsualSender ? null : `From: ${nameOf(message.from, size.line)}`,
    isUsualRecipient ? null : people('To', message.to, size),
    people('Cc', message.cc, size),
    people('Reply-To', message.replyTo, size),
    withoutReplyMark(message.subject) === withoutReplyMark(subject)
      ? null
      : `Subject: ${lineOf(message.subject, size.line)}`,
    ...message.attachments.slice(0, size.items).map((file) => `File: ${describeFile(file, size.line)}`),
    more('File', message.attachments.length - size.items),
  ]
  return {
    header: closeHeader(lines.filter((line) => line !== null)),
    text: full ? message.text : message.newText,
  }
}

/** A draft in a list, shortened: recipients, subject and text as they would be sent. */
export function writeDraftLetter({ to, subject, text }: Pick<Draft, 'to' | 'subject' | 'text'>): string {
  const lines = [people('To', to, shortened), `Subject: ${lineOf(subject, rowBudget)}`]
  return closeHeader(lines.filter((line) => line !== null)) + lineOf(text, 2 * rowBudget)
}

type File = Pick<MessageEntry['attachments'][number], 'id' | 'filename' | 'contentType' | 'size'>

export function describeFile({ id, filename, contentType, size }: File, longest = longestLine): string {
  return `${fileName(filename, longest)} (${id}, ${lineOf(contentType, 100)}, ${describeSize(size)})`
}

function closeHeader(lines: readonly string[]): string {
  return lines.length === 0 ? '\n' : `${lines.join('\n')}\n\n`
}

function people(name: string, list: readonly MailAddress[], { line, items }: Size): string | null {
  if (list.length === 0) return null
  const shown = list.slice(0, items).map((address) => nameOf(address, line))
  const rest = list.length - shown.length
  return `${name}: ${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`
}

function more(name: string, rest: number): string | null {
  return rest > 0 ? `${name}: and ${rest} more` : null
}

/** Control characters, and the separators of lines and paragraphs. */
const lineBreaks = /[\0-\x1f\x7f-\x9f\u2028\u2029]/
const allLineBreaks = new RegExp(`${lineBreaks.source}+`, 'g')

/** A line break in a name or a subject would start another header line. */
function oneLine(text: string): string {
  return lineBreaks.test(text) ? text.replace(allLineBreaks, ' ') : text
}

function cutLine(text: string, longest: number): string {
  const line = text.trim()
  return line.length <= longest ? line : `${line.slice(0, cutBefore(line, longest))}...`
}

function lineOf(text: string, longest: number): string {
  return cutLine(oneLine(text), longest)
}

/** Replaces angle brackets, so that a name cannot pass for an address. */
function bareName(name: string | null): string {
  return oneLine(name ?? '')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
}

function nameOf({ name, address }: MailAddress, longest: number): string {
  return layOutName({ name: bareName(name), address: oneLine(address) }, longest)
}

function layOutName({ name, address }: MailAddress, longest: number): string {
  const written = cutLine(address, longest)
  const shown = cutLine(name ?? '', longest)
  return shown === '' || shown === written ? written : `${shown} <${written}>`
}

/** Alters `att_`, so that a file name cannot pass for an attachment id. */
function fileName(filename: string, longest: number): string {
  return lineOf(filename, longest).replace(/\batt_/gi, 'att-')
}

function describeSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

function sameAddress({ address }: MailAddress, other: string): boolean {
  return address.toLowerCase() === other.toLowerCase()
}

const replyMark = /^\s*((re|aw|sv|vs|antw|odp)(\[\d+\])?\s*:\s*)+/i

/** "Re:" adds nothing to the subject of the thread. */
function withoutReplyMark(subject: string): string {
  return subject.replace(replyMark, '').trim()
}
