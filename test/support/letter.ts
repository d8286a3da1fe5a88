import { randomUUID } from 'node:crypto'

export interface Letter {
  from?: string
  to?: string
  subject?: string
  /** Epoch milliseconds. */
  date?: number
  messageId?: string
  inReplyTo?: string
  references?: string[]
  text?: string
  html?: string
  attachments?: {
    filename: string
    type: string
    content: string | Uint8Array
    /** The Content-ID by which the HTML refers to it: `cid:…`. */
    contentId?: string
  }[]
  headers?: Record<string, string>
}

/** A minimal raw message. */
export function writeMail(letter: Letter): string {
  const {
    from = 'Carla Brandt <carla@brandt.example>',
    to = 'support@shop.example',
    subject = 'Order 4711 has not arrived',
    date = Date.now() - 60_000,
    messageId = `<${randomUUID()}@brandt.example>`,
    text = 'Where is my order?',
    attachments = [],
  } = letter
  const headers: Record<string, string> = {
    From: from,
    To: to,
    Subject: encodeHeader(subject),
    Date: new Date(date).toUTCString().replace('GMT', '+0000'),
    'Message-ID': messageId,
    'MIME-Version': '1.0',
    ...(letter.inReplyTo ? { 'In-Reply-To': letter.inReplyTo } : {}),
    ...(letter.references ? { References: letter.references.join('\r\n ') } : {}),
    ...letter.headers,
  }
  const head = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const body =
    letter.html === undefined
      ? part('text/plain', text)
      : multipart('alternative', [part('text/plain', text), part('text/html', letter.html)])
  if (attachments.length === 0) return head + body
  const files = attachments.map(
    ({ filename, type, content, contentId }) =>
      `Content-Type: ${type}\r\nContent-Disposition: ${contentId ? 'inline' : 'attachment'}; filename="${filename}"\r\n${contentId ? `Content-ID: <${contentId}>\r\n` : ''}Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}\r\n`,
  )
  return head + multipart('mixed', [body, ...files])
}

function part(type: string, text: string): string {
  const base64 = Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n')
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}\r\n`
}

function multipart(kind: string, parts: string[]): string {
  const boundary = `b${randomUUID()}`
  const inner = parts.map((each) => `--${boundary}\r\n${each}\r\n`).join('')
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${inner}--${boundary}--\r\n`
}

function encodeHeader(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
}
