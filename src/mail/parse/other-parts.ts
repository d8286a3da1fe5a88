/** Describes what a mail contains besides or instead of text, so that no mail appears empty. */

import type { MailWarning } from '../../model/mail/mail.ts'
import { readCalendar } from './calendar.ts'
import { cutBytes, decodeText } from './charset.ts'
import type { Body } from './body.ts'
import { fieldText } from './header.ts'
import { parameterText } from './parameters.ts'
import { decodePart, splitParts, type Part } from './parts.ts'
import type { MailLimits } from '../limits.ts'

const secret = /^application\/(?:x-)?pkcs7-mime$/
const tnef = /^application\/(?:ms-tnef|vnd\.ms-tnef)$/
const longestCalendar = 200_000

export const sentences = {
  smime:
    'This message is encrypted with S/MIME. Only its recipient’s key opens it; the encrypted file is attached.',
  signed:
    'This message is wrapped in an S/MIME signature, which cannot be opened here; the file is attached.',
  pgp: 'This message is encrypted with PGP. Only its recipient’s key opens it; the encrypted file is attached.',
  tnef: 'This message is in a format of Outlook’s own (winmail.dat), which cannot be opened here; the file is attached.',
}

/** `lead` is shown above the text: an invitation, or a description of a mail without text. */
export function describeOthers(message: Buffer, root: Part, { shown, files }: Body) {
  const warnings = new Set<MailWarning>()
  const said: string[] = []
  const calendar = files.find(({ contentType }) => contentType.value === 'text/calendar')
  if (calendar) {
    const invitation = readCalendar(calendarText(message, calendar))
    if (invitation !== null) said.push(invitation)
    else warnings.add('unreadable_part')
  }
  for (const part of files) {
    const { value, parameters } = part.contentType
    if (secret.test(value)) {
      const isSigned = parameters.get('smime-type')?.toLowerCase() === 'signed-data'
      warnings.add(isSigned ? 'unreadable_part' : 'encrypted')
      if (shown.length === 0) said.push(isSigned ? sentences.signed : sentences.smime)
    } else if (tnef.test(value)) {
      warnings.add('unreadable_part')
      if (shown.length === 0) said.push(sentences.tnef)
    }
  }
  if (root.contentType.value === 'multipart/encrypted') {
    warnings.add('encrypted')
    said.push(sentences.pgp)
  }
  if (said.length === 0 && shown.length === 0 && files.length > 0) said.push(nameFiles(files))
  return { lead: said.join('\n\n'), warnings: [...warnings] }
}

function calendarText(message: Buffer, part: Part): string {
  const bytes = decodePart(message, part, 2 * longestCalendar)
  return decodeText(cutBytes(bytes, longestCalendar), part.contentType.parameters.get('charset') ?? 'utf-8')
}

const mostNamed = 5

function nameFiles(files: readonly Part[]): string {
  const arePictures = files.every(({ contentType }) => contentType.value.startsWith('image/'))
  const noun = arePictures ? 'picture' : 'file'
  const names = files
    .slice(0, mostNamed)
    .map((part) => parameterText(part.disposition, 'filename') || parameterText(part.contentType, 'name'))
    .filter((name) => name !== '')
  const count = files.length === 1 ? `a ${noun}` : `${files.length} ${noun}s`
  const list = names.length === 0 ? '' : `: ${names.join(', ')}${files.length > mostNamed ? ', …' : ''}`
  return `This message has no text, only ${count}${list}.`
}

/** If a mail consists only of another mail: that mail, with its header as text. */
export function innerMail(
  message: Buffer,
  { shown, files }: Body,
  limits: MailLimits,
): { message: Buffer; root: Part; lead: string } | null {
  const [only] = files
  if (shown.length > 0 || files.length !== 1 || only?.contentType.value !== 'message/rfc822') return null
  const bytes = decodePart(message, only)
  const inner = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { root, broken } = splitParts(inner, limits)
  if (broken.size > 0) return null
  const lines = (['From', 'Date', 'To', 'Subject'] as const).flatMap((name) => {
    const value = fieldText(root.header, name.toLowerCase()).slice(0, 300)
    return value === '' ? [] : [`${name}: ${value}`]
  })
  return { message: inner, root, lead: lines.join('\n') }
}
