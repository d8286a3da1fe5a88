import { createHash } from 'node:crypto'
import { fillDates, momentOf } from './calendar.ts'
import {
  composeMessage,
  formatDate,
  splitAddresses,
  type Attachment,
  type Charset,
  type Letter,
} from './message.ts'
import { wrapHtml, writeBody, type Body, type Quoted } from './quoting.ts'
import { inboxes, people, signature } from './shop.ts'
import type { Client, DemoMessage, DemoThread, Fill, Person, Status } from './thread.ts'
import { everyone } from './thread.ts'
import { demoThreads } from './threads.ts'

export interface DemoScript {
  inboxes: { address: string; name: string; rules: string }[]
  people: { email: string; name: string; role: 'admin' | 'member' }[]
  threads: ScriptThread[]
}

export interface ScriptThread {
  /** The inbox's address. */
  inbox: string
  messages: ScriptMessage[]
  notes: { by: string; text: string; at: number }[]
  /** Proposed by an agent of the first person in `people`. */
  drafts: { text: string; quotes: string[]; at: number }[]
  assignTo: string | null
  status: Status
  snoozedUntil: number | null
  readBy: string[]
}

export interface ScriptMessage {
  /** The complete message, with CRLF line endings. */
  raw: string
  direction: 'in' | 'out'
  at: number
  /** Email address of the team member who sent it. */
  sentBy: string | null
  /** What `raw` was composed from. */
  letter: Letter
}

const hour = 3_600_000

/** The sample mail as of `now`: the same `now` gives the same mail, byte for byte. Oldest thread first. */
export function buildDemoMail(now: number): DemoScript {
  const fill = fillDates(now)
  const threads = demoThreads.map((thread) => buildThread(thread, now, fill))
  return {
    inboxes: Object.values(inboxes),
    people: Object.values(people),
    threads: threads.sort((a, b) => a.messages[0]!.at - b.messages[0]!.at),
  }
}

function buildThread(thread: DemoThread, now: number, fill: Fill): ScriptThread {
  const messages: ScriptMessage[] = []
  // The previous message as the next writer's mail program sees it, for quoting.
  let previous: Quoted | null = null
  for (const message of thread.messages) {
    const { letter, body } = writeLetter(thread, message, messages, previous, now, fill)
    previous = body
    messages.push({
      raw: composeMessage(letter),
      direction: message.by ? 'out' : 'in',
      at: letter.date,
      sentBy: message.by && people[message.by].email,
      letter,
    })
  }
  return {
    inbox: inboxes[thread.inbox].address,
    messages,
    notes: (thread.notes ?? []).map(({ by, text, at }) => ({
      by: people[by].email,
      text: fill(text),
      at: momentOf(at, now),
    })),
    drafts: (thread.drafts ?? []).map(({ at, text, quotes }) => ({
      text: fill(text),
      quotes: quotes.map(fill),
      at: momentOf(at, now),
    })),
    assignTo: thread.assignee ? people[thread.assignee].email : null,
    status: thread.status,
    snoozedUntil: thread.snoozedHours ? now + thread.snoozedHours * hour : null,
    readBy: everyone
      .filter((person) => !thread.unread?.includes(person))
      .map((person) => people[person].email),
  }
}

function writeLetter(
  thread: DemoThread,
  message: DemoMessage,
  earlier: ScriptMessage[],
  previous: Quoted | null,
  now: number,
  fill: Fill,
): { letter: Letter; body: Quoted } {
  const { by } = message
  const inbox = inboxes[thread.inbox]
  const last = earlier.at(-1)?.letter
  const date = momentOf(message.at, now)
  const from = by ? `${people[by].name} <${inbox.address}>` : (message.from ?? thread.from)
  const to = by ? lastCorrespondent(thread, earlier) : `${inbox.name} <${inbox.address}>`
  const { Subject: ownSubject, ...headers } = message.headers ?? {}
  const subject = ownSubject ?? `${last ? replyPrefix(thread, by) : ''}${fill(thread.subject)}`
  const client = clientFor(thread, message, from)
  const { text, html } = writeText(thread, message, client, previous, fill)
  const letter: Letter = {
    messageId: messageIdFor(thread, earlier.length, date, from),
    date,
    from,
    to,
    cc: message.cc ? everyoneElse(thread, message.cc, from, to) : null,
    subject,
    inReplyTo: last?.messageId ?? null,
    references: last ? [...last.references, last.messageId] : [],
    headers: { ...(by ? {} : arrivalHeaders(thread, from, date, client)), ...headers },
    charset: by ? 'utf-8' : charsetFor(thread, `${subject}${text}${html}`),
    text,
    html: html === null || message.html ? html : wrapHtml(html, client),
    invitation: message.invitation ? fill(message.invitation).trim() : null,
    attachments: attachFiles(message, html, fill),
    report: message.undeliverable && last ? deliveryReport(message.undeliverable, last, date) : null,
  }
  return { letter, body: { text, html: message.html ? null : html, from, to, subject, date } }
}

function writeText(
  thread: DemoThread,
  message: DemoMessage,
  client: Client,
  previous: Quoted | null,
  fill: Fill,
): Body {
  const text = fill(message.text)
  if (message.html) return { text, html: fill(message.html) }
  if (!message.by) return writeBody(text, client, thread.language ?? 'en', previous)
  const signed = `${text}\n\n${signature(message.by)}`
  return { text: writeBody(signed, 'gmail', 'en', previous).text, html: null }
}

/** A picture the HTML shows is an inline part, every other file is listed. */
function attachFiles(message: DemoMessage, html: string | null, fill: Fill): Attachment[] {
  return (message.files ?? []).map((make) => {
    const attachment = make(fill)
    if (html?.includes(`cid:${attachment.filename}`)) attachment.contentId = attachment.filename
    return attachment
  })
}

/** Even an old program switches to UTF-8 for text that its own charset cannot encode. */
function charsetFor(thread: DemoThread, content: string): Charset {
  return thread.charset === 'iso-8859-1' && /^[\0-\xff]*$/.test(content) ? 'iso-8859-1' : 'utf-8'
}

function replyPrefix(thread: DemoThread, by: Person | null): string {
  return !by && thread.language === 'de' && clientOf(thread, thread.from) === 'outlook' ? 'AW: ' : 'Re: '
}

function clientFor(thread: DemoThread, message: DemoMessage, from: string): Client {
  if (message.by || message.bare || message.html || message.undeliverable) return 'bare'
  const client = clientOf(thread, from)
  const plain = client === 'bare' || client === 'thunderbird'
  return plain && message.text.includes('[image: ') ? 'gmail' : client
}

/** Each person uses one mail program; most threads do not name it, so the address decides. */
function clientOf(thread: DemoThread, from: string): Client {
  if (thread.client && from === thread.from) return thread.client
  const clients: Client[] = ['gmail', 'apple', 'gmail', 'thunderbird', 'outlook', 'bare', 'gmail']
  return clients[hash(from).readUInt16BE() % clients.length]!
}

/** With several participants, everybody replies to all. */
function everyoneElse(thread: DemoThread, cc: string, from: string, to: string): string {
  const others = new Set([thread.from, ...cc.split(', ')])
  others.delete(from)
  others.delete(to)
  return [...others].join(', ')
}

function lastCorrespondent(thread: DemoThread, earlier: ScriptMessage[]): string {
  const answered = earlier.findLast(({ direction }) => direction === 'in')
  return answered?.letter.from ?? thread.from
}

function arrivalHeaders(
  thread: DemoThread,
  from: string,
  date: number,
  client: Client,
): Record<string, string> {
  const domain = domainOf(from)
  const programs = {
    gmail: null,
    bare: null,
    outlook: 'Microsoft Outlook 16.0',
    apple: 'Apple Mail (2.3776)',
  }
  const verdict = thread.status === 'spam' ? 'fail' : 'pass'
  const program = client === 'thunderbird' ? 'Mozilla Thunderbird' : programs[client]
  return {
    Received: `from mail.${domain} (mail.${domain} [192.0.2.${(hash(domain)[0]! % 250) + 1}]) by mx.larkwood.example with ESMTPS; ${formatDate(date)}`,
    'Authentication-Results': `mx.larkwood.example; spf=${verdict} smtp.mailfrom=${domain}; dkim=${verdict} header.d=${domain}; dmarc=${verdict} header.from=${domain}`,
    ...(program ? { [client === 'thunderbird' ? 'User-Agent' : 'X-Mailer']: program } : {}),
  }
}

function deliveryReport(
  { recipient, status, diagnostic }: NonNullable<DemoMessage['undeliverable']>,
  original: Letter,
  date: number,
): NonNullable<Letter['report']> {
  const perMessage = `Reporting-MTA: dns; mx.larkwood.example\nArrival-Date: ${formatDate(date)}`
  const perRecipient = `Final-Recipient: rfc822; ${recipient}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${diagnostic}`
  return {
    status: `${perMessage}\n\n${perRecipient}\n`,
    originalHeaders: `From: ${original.from}\nTo: ${original.to}\nSubject: ${original.subject}\nMessage-ID: ${original.messageId}\n`,
  }
}

function messageIdFor(thread: DemoThread, index: number, date: number, from: string): string {
  const unique = hash(`${thread.inbox} ${thread.subject} ${thread.from} ${index} ${date}`)
  return `<${unique.toString('hex').slice(0, 24)}@${domainOf(from)}>`
}

function domainOf(from: string): string {
  return splitAddresses(from)[0]!.address.split('@')[1]!
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
