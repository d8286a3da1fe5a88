import { claimedKind } from '../../model/files/claimed-kind.ts'
import type { FileKind, FileText } from '../../model/files/file-text.ts'
import { rasterType } from '../../model/files/raster.ts'
import { readHtml, readPlain } from '../normal-form.ts'
import { parseMail } from '../parse.ts'
import { decodeText, guessText } from '../parse/charset.ts'
import { withSteps } from '../work.ts'
import { defaultLimits } from '../limits.ts'
import { cut } from './cut.ts'
import { readInvitation } from './invitation.ts'

/** The type and name that the sender declared count only where the bytes do not identify the file. */
export async function readFile(bytes: Uint8Array, contentType: string, filename = ''): Promise<FileText> {
  const claimed = contentType.toLowerCase().split(';')[0]!.trim()
  const isText = claimedKind(claimed, filename) === 'text' || claimed === mail
  const kind = recognise(bytes, claimed, isText)
  switch (kind) {
    case 'pdf':
      return (await import('./pdf.ts')).readPdf(bytes)
    case 'docx':
      return (await import('./docx.ts')).readDocx(bytes)
    case 'html':
      return readHtmlFile(decode(bytes, contentType))
    case 'text': {
      if (claimed === mail) return readAttachedMail(bytes)
      const text = decode(bytes, contentType)
      const read = cut(kind, readPlain(text).text, null)
      return claimed === 'text/calendar' ? { ...read, invitation: readInvitation(text) } : read
    }
    case 'other':
      return { kind, text: null, note: describeOther(claimed, isText) }
    default:
      return { kind, text: null, note: null }
  }
}

const mail = 'message/rfc822'

function recognise(bytes: Uint8Array, claimed: string, isText: boolean): FileKind {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  // A mail shows a picture as such, whatever else it contains.
  if (head.includes('%PDF-') && rasterType(bytes) === null) return 'pdf'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (/^RIFF....WEBP/s.test(head)) return 'webp'
  if (head.startsWith('PK\x03\x04')) return isDocx(bytes) ? 'docx' : 'other'
  if (head.startsWith('\xd0\xcf\x11\xe0')) return 'other'
  const isWide = head.startsWith('\xff\xfe') || head.startsWith('\xfe\xff')
  if (head.includes('\0') && !isWide) return 'other'
  if (claimed === 'text/html' || claimed === 'application/xhtml+xml') return 'html'
  return isText ? 'text' : 'other'
}

/** Looks for the main document's name, which is in the archive's directory at the end of the file. */
function isDocx(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('word/document.xml')
}

function decode(bytes: Uint8Array, contentType: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeText(bytes, 'utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeText(bytes, 'utf-16be')
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1]
  return charset === undefined ? guessText(bytes) : decodeText(bytes, charset)
}

/** Read like the HTML of a mail: invisible text is left out. */
function readHtmlFile(html: string): FileText {
  try {
    return withSteps(defaultLimits.steps, () => {
      const { text, hiddenCharacters } = readHtml(html.slice(0, defaultLimits.htmlSize))
      return cut('html', text, describeHidden(hiddenCharacters))
    })
  } catch {
    return { kind: 'html', text: null, note: 'This file takes too much work to read.' }
  }
}

/** Read like a mail that consists of this one: its source would show text that no person sees. */
function readAttachedMail(bytes: Uint8Array): FileText {
  const wrapped = Buffer.concat([Buffer.from('Content-Type: message/rfc822\n\n'), bytes])
  const { text, hiddenTextRemoved } = parseMail(wrapped)
  return cut('text', text, describeHidden(hiddenTextRemoved))
}

function describeHidden(characters: number): string | null {
  return characters > 0 ? `${characters} characters that nobody would see were left out.` : null
}

const office = /^application\/(pdf|vnd\.openxmlformats-officedocument\.wordprocessingml\.document)$/

function describeOther(claimed: string, isText: boolean): string {
  return office.test(claimed) || claimed.startsWith('image/') || isText
    ? 'This file is not what its type says, so it cannot be read.'
    : 'Files of this type cannot be read as text or shown as a picture.'
}
