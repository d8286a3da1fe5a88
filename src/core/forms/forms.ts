import { currentForm } from '../../model/mail/form.ts'
import type { Address, ParsedAttachment, ParsedMail } from '../../model/mail/mail.ts'
import { termsOfMail } from '../../model/search/mail-terms.ts'
import { transaction } from '../../store/database.ts'
import type { Tx } from '../../store/db.ts'
import type { AttachmentRow } from '../../store/threads/attachments.ts'
import {
  countOldForms,
  listOldForms,
  oldFormsOfThread,
  replaceTexts,
  threadToRenew,
} from '../../store/threads/forms.ts'
import { messagesWithBodies, type MessageWithBody, type TimelineItem } from '../../store/threads/history.ts'
import { addSearchTerms } from '../../store/threads/search.ts'
import { loadThread, rewriteThread } from '../../store/threads/threads.ts'
import { claimLease, dropLease } from '../../store/leases.ts'
import type { ThreadRow } from '../../store/threads/summary.ts'
import { readBody, readColumns } from './message-columns.ts'
import { readSource } from '../sources.ts'
import { leaveOutFooter } from './legal-footer.ts'
import { compareWithEarlier } from './thread-words.ts'
import type { Spool } from '../spool.ts'

/**
 * Mail stored under earlier parsing rules is parsed again from its source: in the background, and until then on every
 * request. This is not a change of the thread: no event, no revision, no new timestamp.
 */

/** A page of history under the current parsing rules. Writes nothing: the background job will store the same result. */
export async function inCurrentForm(spool: Spool, items: readonly TimelineItem[]): Promise<TimelineItem[]> {
  const current: TimelineItem[] = []
  for (const item of items)
    current.push('message' in item ? { ...item, message: await currentMessage(spool, item.message) } : item)
  return current
}

export async function currentMessage(spool: Spool, message: MessageWithBody): Promise<MessageWithBody> {
  return message.form < currentForm ? readAnew(spool, message, 'now') : message
}

export async function currentHtml(
  spool: Spool,
  message: { number: number; form: number; html: string | null },
): Promise<string | null> {
  if (message.form >= currentForm) return message.html
  const [row] = (await messagesWithBodies(spool.db, [message.number])).values()
  return row ? (await readAnew(spool, row, 'now')).html : null
}

/** Call before a write that depends on the texts of a thread. */
export async function renewThread(spool: Spool, thread: number | null): Promise<void> {
  if (thread === null) return
  const old = await oldFormsOfThread(spool.db, thread, currentForm)
  for (let at = 0; at < old.length; at += batchSize)
    await renewMessages(spool, old.slice(at, at + batchSize), 'now')
}

/** Parses these messages again from their sources and stores the result. */
async function renewMessages(spool: Spool, numbers: readonly number[], when: 'now' | 'later'): Promise<void> {
  const renewed: { before: MessageWithBody; after: MessageWithBody }[] = []
  for (const before of (await messagesWithBodies(spool.db, numbers)).values())
    renewed.push({ before, after: await readAnew(spool, before, when) })
  await transaction(spool.db, async (db) => {
    const threads = new Map<number, ThreadRow>()
    for (const { before, after } of renewed) await storeAnew(db, threads, before, after)
    for (const thread of threads.values()) await rewriteThread(db, thread)
  })
}

const batchSize = 10
const lease = 'renew-mail'
/** Short, so that another node soon takes over after a crash. */
const leaseTime = 5_000

export const countToRenew = (spool: Spool): Promise<number> => countOldForms(spool.db, currentForm)

/** Whether this node holds the lease and should renew mail. */
export async function claimRenewing(spool: Spool, holder: string): Promise<boolean> {
  return transaction(spool.db, (db) => claimLease(db, lease, holder, leaseTime))
}

export async function endRenewing(spool: Spool, holder: string): Promise<void> {
  await transaction(spool.db, (db) => dropLease(db, lease, holder))
}

/** Renews the next batch, newest first. Returns its size; 0 when nothing is left. */
export async function renewSome(spool: Spool): Promise<number> {
  const numbers = await listOldForms(spool.db, currentForm, batchSize)
  if (numbers.length > 0) await renewMessages(spool, numbers, 'later')
  return numbers.length
}

async function readAnew(spool: Spool, row: MessageWithBody, when: 'now' | 'later'): Promise<MessageWithBody> {
  const source = await readSource(spool, row.number)
  // A message whose source is missing or damaged keeps its stored form.
  if (!source) return { ...row, form: currentForm }
  const alone = await spool.readMail(source, when)
  const compared = await compareWithEarlier(spool.db, spool, row, alone)
  const mail = await leaveOutFooter(spool.db, spool, row.inbox, compared, row)
  const files = matchFiles(row.attachments, mail.attachments)
  const body = readBody(mail)
  return {
    ...row,
    ...readColumns(mail),
    ...body,
    html: body.html === null ? null : withStoredFiles(body.html, files),
    attachments: row.attachments.map((file) => {
      const read = files.get(file.id)
      return read ? { ...file, filename: read.filename, inline: read.inline ? 1 : 0 } : file
    }),
  }
}

/** The newly parsed files by the ids of their stored attachments. */
function matchFiles(
  stored: readonly AttachmentRow[],
  read: readonly ParsedAttachment[],
): Map<string, ParsedAttachment> {
  const left = [...read]
  const files = new Map<string, ParsedAttachment>()
  for (const { id, hash } of stored) {
    const at = left.findIndex((file) => Buffer.compare(file.hash, hash) === 0)
    if (at >= 0) files.set(id, left.splice(at, 1)[0]!)
  }
  return files
}

function withStoredFiles(html: string, files: ReadonlyMap<string, ParsedAttachment>): string {
  let text = html
  for (const [id, file] of files) if (file.inline) text = text.replaceAll(file.id, id)
  return text
}

async function storeAnew(
  db: Tx,
  threads: Map<number, ThreadRow>,
  before: MessageWithBody,
  after: MessageWithBody,
): Promise<void> {
  const number = await threadToRenew(db, before)
  if (number === undefined) return
  await replaceTexts(db, after, changedFiles(before, after))
  addSearchTerms(db, before.number, before.inbox, termsOf(after), termsOf(before))
  const thread = threads.get(number) ?? (await loadThread(db, number))
  threads.set(number, thread)
  // The thread takes subject and sender from its earliest message, the preview from its newest.
  if (thread.created_at === before.timestamp && thread.subject === before.subject) {
    const { name, address } = JSON.parse(after.sender) as Address
    Object.assign(thread, { subject: after.subject, sender_name: name, sender_address: address })
  }
  if (thread.timestamp === before.timestamp && thread.preview === before.preview)
    thread.preview = after.preview
}

function changedFiles(before: MessageWithBody, after: MessageWithBody): AttachmentRow[] {
  return after.attachments.filter(({ filename, inline }, at) => {
    const file = before.attachments[at]!
    return file.filename !== filename || file.inline !== inline
  })
}

/** The search terms of a stored message. */
export function termsOf(
  message: Pick<MessageWithBody, 'subject' | 'sender' | 'recipients' | 'text' | 'form' | 'warnings'>,
): string {
  const { subject, sender, recipients, text, form, warnings } = message
  const { to, cc } = JSON.parse(recipients) as Pick<ParsedMail, 'to' | 'cc'>
  // The notice that replaces an unparsable text is not searchable.
  const isNotice = form > 0 && (JSON.parse(warnings) as string[]).includes('unparsable')
  return termsOfMail({ subject, from: JSON.parse(sender) as Address, to, cc }, isNotice ? '' : text)
}
