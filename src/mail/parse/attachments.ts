import { hash } from 'node:crypto'
import type { ParsedAttachment } from '../../model/mail/mail.ts'
import { rasterType } from '../../model/files/raster.ts'
import { newId } from '../../model/ids.ts'
import { cleanFileName, messageFileName } from './file-name.ts'
import { fieldText, oneLine, rawField, readTopHeader, type Hidden } from './header.ts'
import { decodeAddress } from '../normal-form/addresses.ts'
import type { InlineImage } from '../normal-form/picture.ts'
import { parameterText } from './parameters.ts'
import { decodePart, type Part } from './parts.ts'
import type { UuFile } from './uuencode.ts'

const headerBytes = 64 * 1024
const longestContentId = 500

export function readAttachment(
  message: Buffer,
  part: Part,
  charset: string,
  hidden: Hidden,
): ParsedAttachment {
  const content = decodePart(message, part)
  const contentType = oneLine(part.contentType.value).slice(0, 200)
  const written =
    parameterText(part.disposition, 'filename', charset) || parameterText(part.contentType, 'name', charset)
  const isMessage = contentType === 'message/rfc822' || contentType === 'message/global'
  const filename =
    written === '' && isMessage
      ? messageFileName(fieldText(readTopHeader(content, headerBytes), 'subject', '', hidden))
      : cleanFileName(written, contentType, hidden)
  const contentId = oneLine(rawField(part.header, 'content-id'))
    .replace(/^<|>$/g, '')
    .slice(0, longestContentId)
  return attach({ filename, contentType, contentId: contentId || null, content })
}

export function uuAttachment({ name, content }: UuFile, hidden: Hidden): ParsedAttachment {
  const contentType = 'application/octet-stream'
  return attach({ filename: cleanFileName(name, contentType, hidden), contentType, contentId: null, content })
}

function attach(file: Omit<ParsedAttachment, 'id' | 'inline' | 'hash'>): ParsedAttachment {
  const checksum = new Uint8Array(hash('sha256', file.content, 'buffer'))
  return { id: newId('att'), ...file, inline: false, hash: checksum }
}

/** A picture with more bytes has something to show, so people must be able to look at it. */
const largestSpacer = 200

/**
 * Finds the image of a `cid:` URL and marks it as part of the text. Any other file stays an attachment: the page cannot
 * show it in the text, and only programs would find it. So does a picture that is drawn too small to see.
 */
export function inlineImages(attachments: ParsedAttachment[]): InlineImage {
  const byContentId = new Map(attachments.map((attachment) => [attachment.contentId ?? '', attachment]))
  return (contentId, isLarge) => {
    const attachment =
      contentId === '' ? undefined : (byContentId.get(contentId) ?? byContentId.get(decodeAddress(contentId)))
    if (attachment === undefined || rasterType(attachment.content) === null) return null
    if (isLarge || attachment.content.length <= largestSpacer) attachment.inline = true
    return `/api/v1/attachments/${attachment.id}`
  }
}
