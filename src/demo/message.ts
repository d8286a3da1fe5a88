/** Writes complete messages (RFC 5322, 2045, 2047, 2231): CRLF, ASCII headers, lines of at most 76 characters. */

export type Charset = 'utf-8' | 'iso-8859-1'

export interface Attachment {
  filename: string
  contentType: string
  content: Uint8Array
  /** If set, the file is an inline part, shown where the HTML refers to it. */
  contentId?: string
}

export interface Letter {
  messageId: string
  date: number
  from: string
  to: string
  cc: string | null
  subject: string
  inReplyTo: string | null
  references: string[]
  headers: Record<string, string>
  charset: Charset
  text: string
  html: string | null
  /** iCalendar text, sent as a third alternative. */
  invitation: string | null
  attachments: Attachment[]
  /** Makes the letter a delivery report with these fields and the headers of the undelivered mail. */
  report: { status: string; originalHeaders: string } | null
}

interface Part {
  headers: string[]
  body: string
}

export function composeMessage(letter: Letter): string {
  const body = composeBody(letter)
  const { charset } = letter
  const headers = [
    ...Object.entries(letter.headers).map(([name, value]) => foldHeader(name, encodeWords(value, charset))),
    foldHeader('Date', formatDate(letter.date)),
    foldHeader('From', encodeAddresses(letter.from, charset)),
    foldHeader('To', encodeAddresses(letter.to, charset)),
    ...(letter.cc ? [foldHeader('Cc', encodeAddresses(letter.cc, charset))] : []),
    foldHeader('Subject', encodeWords(letter.subject, charset)),
    foldHeader('Message-ID', letter.messageId),
    ...(letter.inReplyTo ? [foldHeader('In-Reply-To', letter.inReplyTo)] : []),
    ...(letter.references.length ? [foldHeader('References', letter.references.join(' '))] : []),
    'MIME-Version: 1.0',
    ...body.headers,
  ]
  return `${headers.join('\r\n')}\r\n\r\n${body.body}\r\n`
}

export function formatDate(date: number): string {
  return new Date(date).toUTCString().replace('GMT', '+0000')
}

function composeBody(letter: Letter): Part {
  const boundary = (kind: string) => `=_${kind}_${letter.messageId.slice(1, 17)}`
  const plain = textPart('text/plain', letter.text, letter.charset)
  if (letter.report) {
    const status = textPart('message/delivery-status', letter.report.status, null)
    const original = textPart('text/rfc822-headers', letter.report.originalHeaders, null)
    return multipart('report; report-type=delivery-status', boundary('report'), [plain, status, original])
  }
  const inline = letter.attachments.filter((file) => file.contentId)
  const listed = letter.attachments.filter((file) => !file.contentId)
  const alternatives = [plain]
  if (letter.html !== null) {
    const html = textPart('text/html', letter.html, letter.charset)
    alternatives.push(
      inline.length ? multipart('related', boundary('rel'), [html, ...inline.map(filePart)]) : html,
    )
  }
  if (letter.invitation !== null)
    alternatives.push(textPart('text/calendar; method=REQUEST', letter.invitation, 'utf-8'))
  const body = alternatives.length > 1 ? multipart('alternative', boundary('alt'), alternatives) : plain
  return listed.length ? multipart('mixed', boundary('mix'), [body, ...listed.map(filePart)]) : body
}

function multipart(subtype: string, boundary: string, parts: Part[]): Part {
  const bodies = parts.map((part) => `--${boundary}\r\n${part.headers.join('\r\n')}\r\n\r\n${part.body}\r\n`)
  const type = foldHeader('Content-Type', `multipart/${subtype}; boundary="${boundary}"`)
  return { headers: [type], body: `${bodies.join('')}--${boundary}--` }
}

/** The encoding depends on the text: 7bit, quoted-printable, or base64 if over a quarter of it is not ASCII. */
function textPart(type: string, text: string, charset: Charset | null): Part {
  const bytes = Buffer.from(text.replace(/\r?\n/g, '\r\n'), charset === 'iso-8859-1' ? 'latin1' : 'utf8')
  const contentType = foldHeader('Content-Type', charset ? `${type}; charset=${charset}` : type)
  const foreign = bytes.reduce((count, byte) => count + (byte > 126 ? 1 : 0), 0)
  if (foreign === 0 && !/[^\r\n]{77}/.test(text))
    return { headers: [contentType, 'Content-Transfer-Encoding: 7bit'], body: bytes.toString('latin1') }
  if (foreign > bytes.length / 4)
    return { headers: [contentType, 'Content-Transfer-Encoding: base64'], body: encodeBase64(bytes) }
  return {
    headers: [contentType, 'Content-Transfer-Encoding: quoted-printable'],
    body: encodeQuotedPrintable(bytes),
  }
}

function filePart(file: Attachment): Part {
  const ascii = /^[ -~]*$/.test(file.filename)
  const name = ascii ? `filename="${file.filename}"` : `filename*=utf-8''${encodeURIComponent(file.filename)}`
  const headers = [
    `Content-Type: ${file.contentType}`,
    'Content-Transfer-Encoding: base64',
    foldHeader('Content-Disposition', `${file.contentId ? 'inline' : 'attachment'}; ${name}`),
  ]
  if (file.contentId) headers.push(`Content-ID: <${file.contentId}>`)
  return { headers, body: encodeBase64(file.content) }
}

function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('base64')
    .replace(/.{76}(?!$)/g, '$&\r\n')
}

function encodeQuotedPrintable(bytes: Uint8Array): string {
  const lines = Buffer.from(bytes).toString('latin1').split('\r\n')
  return lines.map((line) => breakSoftly(line.replace(/[^ -<>-~]| $/g, escapeByte))).join('\r\n')
}

function escapeByte(byte: string): string {
  return `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** At most 76 characters per line, never split inside an `=XX`. */
function breakSoftly(line: string): string {
  const pieces: string[] = []
  let rest = line
  while (rest.length > 76) {
    const cut = /=.?$/.test(rest.slice(0, 75)) ? rest.slice(0, 75).lastIndexOf('=') : 75
    pieces.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...pieces, rest].join('=\r\n')
}

/** `Name <address>, Name <address>`; a name that needs it is quoted or encoded. */
function encodeAddresses(list: string, charset: Charset): string {
  const encoded = splitAddresses(list).map(({ name, address }) => {
    if (!name) return address
    if (!/^[ -~]*$/.test(name)) return `${encodeWords(name, charset)} <${address}>`
    return /[^\w '-]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}" <${address}>` : `${name} <${address}>`
  })
  return encoded.join(', ')
}

export function splitAddresses(list: string): { name: string; address: string }[] {
  return [...list.matchAll(/\s*([^<>]*?)\s*<([^<>]+)>\s*(?:,|$)/g)].map((match) => ({
    name: match[1]!,
    address: match[2]!,
  }))
}

/** RFC 2047: words of at most 75 characters, never cut inside a character. */
function encodeWords(text: string, charset: Charset): string {
  if (/^[ -~]*$/.test(text)) return text
  const latin = charset === 'iso-8859-1' && /^[\0-\xff]*$/.test(text)
  const bytesOf = (piece: string) => Buffer.from(piece, latin ? 'latin1' : 'utf8')
  const words: string[] = []
  let piece = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (bytesOf(piece + segment).length > (latin ? 18 : 42)) {
      words.push(piece)
      piece = ''
    }
    piece += segment
  }
  words.push(piece)
  return words
    .map((word) =>
      latin
        ? `=?iso-8859-1?Q?${encodeQ(bytesOf(word))}?=`
        : `=?utf-8?B?${bytesOf(word).toString('base64')}?=`,
    )
    .join(' ')
}

function encodeQ(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[^A-Za-z0-9 ]/g, escapeByte)
    .replaceAll(' ', '_')
}

/** Folds at spaces only, so that unfolding restores the original. */
function foldHeader(name: string, value: string): string {
  const lines: string[] = []
  let line = `${name}:`
  for (const word of value.split(' ')) {
    if (line.length + 1 + word.length > 76 && line.trim() && line !== `${name}:`) {
      lines.push(line)
      line = ''
    }
    line += ` ${word}`
  }
  return [...lines, line].join('\r\n')
}
