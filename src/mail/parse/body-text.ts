import type { MailLink, ParsedMail } from '../../model/mail/mail.ts'
import { extractArmour } from './armour.ts'
import { cutBytes, cutText, decodeText, storableText } from './charset.ts'
import { isHtml, type Body } from './body.ts'
import { unwrapFlowed } from './flowed.ts'
import type { MailLimits } from '../limits.ts'
import { decodePart, isMultipart, type Part } from './parts.ts'
import { findNewLines, type NewLines, type SubjectSays } from '../new-text.ts'
import { readHtml, readPlainForm, type NormalForm } from '../normal-form.ts'
import { mostLinks } from '../normal-form/links.ts'
import type { Mark } from '../normal-form/marks.ts'
import type { InlineImage } from '../normal-form/picture.ts'
import { partsDiffer } from './parts-differ.ts'
import { extractUuFiles, type UuFile } from './uuencode.ts'
import { spend } from '../work.ts'

const longestText = 256 * 1024
const longestHtml = 1024 * 1024
const mostHtmlWithPictures = 8 * 1024 * 1024
const longestBlank = 16 * 1024
const longPicture = /data:[\w.+-]{1,60}\/[\w.+-]{1,60};base64,[\w+/=\s]{1000,}/g

/** `html` marks for folding what `newText` leaves out. */
export type Texts = Pick<
  ParsedMail,
  'text' | 'newText' | 'forwards' | 'hidesUnmarked' | 'html' | 'links' | 'truncated'
>

export interface BodyText {
  texts: Texts
  hiddenCharacters: number
  unusualCharacters: number
  partsDiffer: boolean
  uuFiles: UuFile[]
  encryptedFiles: UuFile[]
}

export interface BodyContext {
  inlineImage: InlineImage
  isReply: boolean
  subjectSays: SubjectSays
  isFirst: boolean
  /** Generated text that goes above the mail's own. */
  lead: string
  limits: MailLimits
}

export function readBodyText(
  message: Buffer,
  body: Body,
  { inlineImage, isReply, subjectSays, isFirst, lead, limits }: BodyContext,
): BodyText {
  const uuFiles: UuFile[] = []
  const encryptedFiles: UuFile[] = []
  const left = { plain: limits.plainSize, html: limits.htmlSize }
  let truncated = false
  // A plain part may be needed as text and as an alternative.
  const read = new Map<Part, NormalForm>()
  const readOnce = (part: Part): NormalForm => {
    const known = read.get(part)
    if (known !== undefined) return known
    const kind = isHtml(part) ? 'html' : 'plain'
    const bytes =
      kind === 'html' ? decodeHtml(message, part, left.html) : decodeStart(message, part, left.plain)
    if (bytes.length > left[kind]) truncated = true
    const cut = cutBytes(bytes, left[kind])
    left[kind] -= Math.min(bytes.length, left[kind])
    const result =
      kind === 'html'
        ? readHtmlPart(part, cut, inlineImage)
        : readPlainPart(part, cut, { uuFiles, encryptedFiles })
    read.set(part, result)
    return result
  }

  const { shown: chosen, alternatives } = withoutBlank(body, (part) => isBlank(readOnce(part)))
  const parts = chosen.map(readOnce)
  const shown = lead === '' ? parts : [readPlainForm(lead), ...parts]
  const differs = alternatives.some(({ plain, html }) => {
    const [one, other] = [joinTexts(plain.map(readOnce)), joinTexts(html.map(readOnce))]
    spend(one.length + other.length)
    return partsDiffer(one, other)
  })
  const joined = storableText(joinTexts(shown))
  const text = cutText(joined, longestText)
  const found = findNewLines(text, { isReply, subjectSays, isFirst, marks: joinMarks(shown) })
  const html = chosen.some(isHtml) ? renderHtml(shown, found) : null
  return {
    texts: {
      text,
      newText: found.text,
      forwards: found.forwards,
      hidesUnmarked: found.hidesUnmarked,
      html: html?.text ?? null,
      links: html?.links ?? [],
      truncated: truncated || text.length < joined.length || (html?.truncated ?? false),
    },
    hiddenCharacters: shown.reduce((sum, { hiddenCharacters }) => sum + hiddenCharacters, 0),
    unusualCharacters: shown.reduce((sum, { unusualCharacters }) => sum + unusualCharacters, 0),
    partsDiffer: differs,
    uuFiles,
    encryptedFiles,
  }
}

/** Shows the plain alternative of HTML that shows nothing, as some programs send it. */
function withoutBlank(body: Body, isBlank: (html: Part) => boolean): Pick<Body, 'shown' | 'alternatives'> {
  let { shown } = body
  const alternatives = body.alternatives.filter(({ plain, html }) => {
    if (!html.every(isBlank)) return true
    shown = shown.flatMap((part) => (part === html[0] ? plain : html.includes(part) ? [] : part))
    return false
  })
  return { shown, alternatives }
}

/** An empty text above what a mail forwards or brings, as Outlook and scanners write it; null if it shows something. */
export function readBlank(
  message: Buffer,
  { shown, alternatives }: Body,
): { hiddenCharacters: number } | null {
  const parts = [...shown, ...alternatives.flatMap(({ plain }) => plain)]
  if (parts.reduce((sum, { start, end }) => sum + end - start, 0) > longestBlank) return null
  let hiddenCharacters = 0
  const isEmpty = parts.every((part) => {
    const bytes = decodeStart(message, part, longestBlank)
    const uuFiles: UuFile[] = []
    const form = isHtml(part)
      ? readHtmlPart(part, bytes, () => '/picture')
      : readPlainPart(part, bytes, { uuFiles, encryptedFiles: [] })
    if (shown.includes(part)) hiddenCharacters += form.hiddenCharacters
    return isBlank(form) && uuFiles.length === 0
  })
  return isEmpty ? { hiddenCharacters } : null
}

function isBlank({ text, unusualCharacters, writeHtml }: NormalForm): boolean {
  return text.trim() === '' && unusualCharacters === 0 && !writeHtml(() => true).includes('<img')
}

/** Removes pictures embedded in HTML that is too long: they would use up the limit. */
function decodeHtml(message: Buffer, part: Part, size: number): Uint8Array {
  const bytes = decodeStart(message, part, Math.max(size, mostHtmlWithPictures))
  if (bytes.length <= size) return bytes
  const html = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return Buffer.from(html.replace(longPicture, 'data:,'), 'latin1')
}

/** Quoted-printable may need three bytes for one. */
function decodeStart(message: Buffer, part: Part, size: number): Uint8Array {
  const encoding = part.children.length === 0 && isMultipart(part) ? '' : part.encoding
  return decodePart(message, { ...part, encoding }, 3 * size + 1024)
}

function readHtmlPart(part: Part, bytes: Uint8Array, inlineImage: InlineImage): NormalForm {
  const charset = part.contentType.parameters.get('charset') ?? metaCharset(bytes)
  return readHtml(storableText(decodeText(bytes, charset)), inlineImage)
}

function metaCharset(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('latin1')
  const named = /<meta\b[^<>]{0,200}charset\s{0,5}=\s{0,5}["']?([\w-]{1,40})/i.exec(head)?.[1] ?? ''
  // Found one byte a letter, it cannot be true; .NET writes it into HTML that is sent as UTF-8.
  return /^utf-?16/i.test(named) ? '' : named
}

function readPlainPart(
  { contentType }: Part,
  bytes: Uint8Array,
  { uuFiles, encryptedFiles }: Pick<BodyText, 'uuFiles' | 'encryptedFiles'>,
): NormalForm {
  spend(bytes.length)
  const { text: rest, files } = extractUuFiles(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  uuFiles.push(...files)
  const written = storableText(decodeText(rest, contentType.parameters.get('charset') ?? ''))
  const { text: decoded, files: secrets } = extractArmour(written)
  encryptedFiles.push(...secrets)
  const isFlowed = contentType.parameters.get('format')?.toLowerCase() === 'flowed'
  const deleteSpace = contentType.parameters.get('delsp')?.toLowerCase() === 'yes'
  return readPlainForm(isFlowed ? unwrapFlowed(decoded, deleteSpace) : decoded)
}

const between = '\n\n'

function joinTexts(parts: readonly NormalForm[]): string {
  const texts = parts.map(({ text }) => text.trimEnd()).filter((text) => text !== '')
  return texts.join(between)
}

/** Marks of all parts, with line numbers of the joined text. */
function joinMarks(parts: readonly NormalForm[]): Mark[] {
  const marks: Mark[] = []
  let first = 0
  for (const part of parts) {
    for (const { kind, from, to } of part.marks) marks.push({ kind, from: first + from, to: first + to })
    first += linesOf(part)
  }
  return marks
}

/** Number of lines from this part's first line to that of the next part. */
function linesOf({ text }: NormalForm): number {
  const shown = text.trimEnd()
  return shown === '' ? 0 : shown.split('\n').length + between.length - 1
}

/** Each part is a document of its own: an open comment in one must not swallow the next. */
function renderHtml(
  parts: readonly NormalForm[],
  { isNew }: NewLines,
): { text: string; links: MailLink[]; truncated: boolean } {
  let html = ''
  const links: MailLink[] = []
  const shown = (truncated: boolean) => ({
    text: storableText(html),
    links: links.slice(0, mostLinks),
    truncated,
  })
  let first = 0
  for (const part of parts) {
    const start = first
    const piece = part.writeHtml((line) => isNew(start + line))
    // Several that show nothing would be a long gap.
    if (parts.length > 1 && linesOf(part) === 0 && !piece.includes('<img')) continue
    if (html !== '' && Buffer.byteLength(html) + Buffer.byteLength(piece) > longestHtml) return shown(true)
    html += piece
    links.push(...part.links)
    first += linesOf(part)
  }
  return shown(false)
}
