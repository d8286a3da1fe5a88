import { hash } from 'node:crypto'
import type { User } from '../../model/access.ts'
import type { Letter } from '../../model/mail/letter.ts'
import type { Address } from '../../model/mail/mail.ts'
import { addressesOf } from '../../model/mail/own-address.ts'
import { sealText } from '../../model/seal.ts'
import type { Db } from '../../store/db.ts'
import type { DraftRow } from '../../store/drafts/drafts.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import { readSignature } from '../../store/people/signatures.ts'
import {
  findThreadMessage,
  newestMessage,
  readText,
  type ThreadMessage,
} from '../../store/threads/thread-messages.ts'
import type { DraftContent } from '../drafts/view.ts'

/** The mail this draft would become if this person sent it now. */
export async function writeLetter(
  db: Db,
  user: User,
  draft: DraftRow,
  content: DraftContent,
): Promise<Letter> {
  const inbox = (await listInboxes(db)).find(({ number }) => number === draft.inbox)!
  const signature = await readSignature(db, user.id, draft.inbox)
  return {
    // The address may have been removed from the inbox since.
    from: {
      name: inbox.name,
      address: addressesOf(inbox).find((address) => address === content.from) ?? inbox.address,
    },
    to: content.to,
    cc: content.cc,
    bcc: content.bcc,
    subject: content.subject,
    body: [
      content.text.trimEnd(),
      ...(signature === '' ? [] : [`-- \n${signature}`]),
      ...(await quoteOriginal(db, draft)),
    ].join('\n\n'),
    attachments: content.attachments,
    newestMessageId: draft.thread === null ? null : ((await newestMessage(db, draft.thread))?.id ?? null),
  }
}

export function sealOf(letter: Letter): string {
  return hash('sha256', sealText(letter), 'hex')
}

async function quoteOriginal(db: Db, draft: DraftRow): Promise<string[]> {
  if (draft.answers === null || draft.thread === null) return []
  const message = await findThreadMessage(db, draft.thread, draft.answers)
  if (!message) return []
  const text = cleanText(await readText(db, message.number))
  return [draft.kind === 'forward' ? forwarded(message, text) : quoted(message, text)]
}

function quoted({ timestamp, from }: ThreadMessage, text: string): string {
  const lines = text
    .split('\n')
    .map((line) => (line === '' ? '>' : line.startsWith('>') ? `>${line}` : `> ${line}`))
  return `On ${writeDate(timestamp)}, ${writePerson(from)} wrote:\n${lines.join('\n')}`
}

function forwarded({ timestamp, from, to, cc, subject }: ThreadMessage, text: string): string {
  const people = (list: readonly Address[]): string => list.map(writePerson).join(', ')
  return [
    '---------- Forwarded message ----------',
    `From: ${writePerson(from)}`,
    `Date: ${writeDate(timestamp)}`,
    `Subject: ${cleanLine(subject)}`,
    `To: ${people(to)}`,
    ...(cc.length === 0 ? [] : [`Cc: ${people(cc)}`]),
    '',
    text,
  ].join('\n')
}

/** Inbound mail may contain anything; outbound mail is plain text and line breaks. */
function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .trim()
}

function cleanLine(text: string): string {
  return cleanText(text).replace(/[\n\u2028\u2029]+/g, ' ')
}

function writePerson({ name, address }: Address): string {
  return cleanLine(name ? `${name} <${address}>` : address)
}

const dateParts = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
} as const
/** Created lazily: it takes longer than loading the rest of this module. */
let dateFormat: Intl.DateTimeFormat | null = null

function writeDate(timestamp: number): string {
  dateFormat ??= new Intl.DateTimeFormat('en-GB', dateParts)
  return dateFormat.format(timestamp)
}
