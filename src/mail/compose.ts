import { domainToASCII } from 'node:url'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Letter } from '../model/mail/letter.ts'
import type { Address } from '../model/mail/mail.ts'
import { simpleHtml } from './compose/simple-html.ts'

export interface Composition {
  letter: Letter
  messageId: string
  date: number
  inReplyTo: string | null
  references: readonly string[]
  /** The bytes of each attachment, in the letter's order. */
  contents: readonly Uint8Array[]
  /** Additional header fields. */
  headers?: Readonly<Record<string, string>>
}

/** Parts of the types `message/…` and `multipart/…` must not be base64 (RFC 2046, 5.2.1): many readers lose them. */
const plainBytes = 'application/octet-stream'

/** The mail as sent: plain text, the same text as simple HTML, and the attachments. It never names Bcc recipients. */
export async function composeMail(composition: Composition): Promise<Buffer> {
  const { letter, messageId, date, inReplyTo, references, contents, headers = {} } = composition
  const text = letter.body.replaceAll('\n', '\r\n')
  const mail = new MailComposer({
    from: writable(letter.from),
    to: letter.to.map(writable),
    cc: letter.cc.map(writable),
    subject: letter.subject,
    messageId,
    date: new Date(date),
    headers: { ...headers },
    ...(inReplyTo === null ? {} : { inReplyTo }),
    ...(references.length === 0 ? {} : { references: [...references] }),
    text,
    html: simpleHtml(letter.body),
    // Used unless the text is short lines of ASCII; other encodings would fold long lines, which changes them.
    textEncoding: encodingFor(text),
    attachments: letter.attachments.map((file, index) => ({
      filename: file.filename,
      contentType: /^(?:message|multipart)\//i.test(file.contentType) ? plainBytes : file.contentType,
      contentDisposition: 'attachment',
      content: Buffer.from(contents[index]!),
      // Base64 preserves every byte, in text files too.
      encoding: 'base64',
      contentTransferEncoding: 'base64',
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return mail.compile().build()
}

/** The SMTP envelope: whom the server delivers to, and who receives the bounce if it cannot. */
export function wireEnvelope({ from, to, cc, bcc }: Letter): { from: string; to: string[] } {
  const recipients = [...to, ...cc, ...bcc].map(({ address }) => wireAddress(address))
  return { from: wireAddress(from.address), to: [...new Set(recipients)] }
}

function writable({ name, address }: Address): { name: string; address: string } {
  return { name: name ?? '', address: wireAddress(address) }
}

/** Non-ASCII domains have an ASCII form that every server understands; the part before the @ has none. */
function wireAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return `${address.slice(0, at)}@${/^[\x21-\x7e]+$/.test(domain) ? domain : domainToASCII(domain) || domain}`
}

function encodingFor(text: string): 'quoted-printable' | 'base64' {
  const foreign = text.length - text.replace(/[^\x00-\x7f]/g, '').length
  return foreign > text.length / 3 ? 'base64' : 'quoted-printable'
}
