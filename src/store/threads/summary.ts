import type { Insertable, Selectable } from 'kysely'
import type { Inbox } from '../../model/access.ts'
import { textMark, type ThreadSummary } from '../../model/thread.ts'
import { toTime, toTimeOrNull } from '../../model/time.ts'
import type { Tx } from '../db.ts'
import { bulkInsert, bulkUpdate } from '../bulk.ts'
import type { Tables } from '../tables.ts'

/**
 * The summary of a thread: what a list says about it. This is the only file that knows its JSON. A thread is read from
 * its columns; `thread_summaries` holds the same as JSON, made when the thread is written, because the database joins a
 * list from it at a third of what reading rows would cost.
 */
export type ThreadRow = Selectable<Tables['threads']>
export type ThreadValues = Required<Omit<Insertable<Tables['threads']>, 'number'>>

/** Who reads: the rest of a summary depends on them. */
interface Reader {
  unread: boolean
  inbox: Pick<Inbox, 'id' | 'name' | 'address'>
  /** The public address of this Spool. */
  url: string
}

export function describeThread(thread: ThreadRow, { unread, inbox, url }: Reader): ThreadSummary {
  const { id, name, address } = inbox
  return {
    ...describe(thread),
    unread,
    inbox: { id, name, address },
    webUrl: `${url}/threads/${thread.id}`,
  }
}

/** What every reader sees alike. */
function describe(thread: ThreadValues) {
  const assignment = thread.assignee_id !== null && {
    id: thread.assignee_id,
    name: thread.assignee_name!,
    email: thread.assignee_email!,
    assignedAt: toTime(thread.assigned_at!),
  }
  return {
    id: thread.id,
    subject: thread.subject,
    sender: { name: thread.sender_name, address: thread.sender_address },
    timestamp: toTime(thread.timestamp),
    status: thread.status as ThreadSummary['status'],
    assignment: assignment || null,
    preview: thread.preview,
    messageCount: thread.message_count,
    noteCount: thread.note_count,
    attachmentCount: thread.attachment_count,
    draftCount: thread.draft_count,
    snoozedUntil: toTimeOrNull(thread.snoozed_until),
    createdAt: toTime(thread.created_at),
    updatedAt: toTime(thread.updated_at),
    revision: thread.revision,
  }
}

/** In pieces, so that what others wrote can be told from the rest (see `itemSql`). */
function encode(number: number, thread: ThreadValues): Tables['thread_summaries'] {
  const { id, subject, sender, timestamp, status, assignment, preview, ...rest } = describe(thread)
  return {
    thread: number,
    subject: JSON.stringify(subject),
    sender_name: JSON.stringify(sender.name),
    sender_address: JSON.stringify(sender.address),
    state: members({ timestamp, status, assignment }),
    preview: JSON.stringify(preview),
    rest: members(rest),
  }
}

function members(value: object): string {
  return JSON.stringify(value).slice(1, -1)
}

const columns = {
  thread: 'bigint',
  subject: 'text',
  sender_name: 'text',
  sender_address: 'text',
  state: 'text',
  preview: 'text',
  rest: 'text',
} as const
const insert = bulkInsert('thread_summaries', columns)
const update = bulkUpdate<'thread_summaries', Tables['thread_summaries']>('thread_summaries', columns)

export async function insertSummary(db: Tx, number: number, thread: ThreadValues): Promise<void> {
  await db.add(insert, encode(number, thread))
}

export async function updateSummary(db: Tx, number: number, thread: ThreadValues): Promise<void> {
  await db.add(update, encode(number, thread))
}

/** JSON holds no raw line break, so this only stands between two threads. */
export const between = ',\n'

/** SQL for one thread of a list: `p` has its id, `s` is its row of `thread_summaries`. */
export function itemSql(marked: boolean, unread: string, tail: string): string {
  const mark = marked ? textMark : ''
  return (
    `concat('{"id":"', p.id, '","subject":${mark}', s.subject, '${mark},"sender":{"name":${mark}', s.sender_name, ` +
    `'${mark},"address":${mark}', s.sender_address, '${mark}},', s.state, ',"preview":${mark}', s.preview, '${mark},', ` +
    `s.rest, ',"unread":', ${unread}, ${tail}, p.id, '"}')`
  )
}

/** What every thread of an inbox has after `unread`, up to the id that ends its `webUrl`. */
export function itemTail({ id, name, address }: Reader['inbox'], url: string): string {
  const webUrl = JSON.stringify(`${url}/threads/`).slice(0, -1)
  return `,"inbox":${JSON.stringify({ id, name, address })},"webUrl":${webUrl}`
}

export function decodeItems(items: Uint8Array): ThreadSummary[] {
  return JSON.parse(`[${Buffer.from(items).toString()}]`) as ThreadSummary[]
}

/** What a row of a list shows. Its texts are UTF-8 bytes read as Latin-1, because most are only passed on. */
export type ListRow = Omit<ThreadSummary, 'assignment' | 'createdAt' | 'updatedAt' | 'inbox' | 'webUrl'> & {
  assignment: { name: string } | null
  /**
   * Whether what others wrote is printable ASCII without quotes, backslashes and angle brackets. Of a long preview only
   * the beginning is then here.
   */
  isPlain: boolean
}

/** Printable ASCII that is the same inside and outside of JSON, without angle brackets. */
const plain = String.raw`[ !#-;=?-[\]-~]`
const time = '[-:.TZ0-9]+'
/** An item as `encode` and `itemSql` write it, as far as a row shows it. */
const plainItem = new RegExp(
  [
    String.raw`\{"id":"(\w+)","subject":"(${plain}*)"`,
    String.raw`"sender":\{"name":(?:null|"(${plain}*)"),"address":"(${plain}*)"\}`,
    String.raw`"timestamp":"(${time})","status":"(\w+)"`,
    String.raw`"assignment":(?:null|\{"id":"\w+","name":"(${plain}*)","email":"${plain}*","assignedAt":"${time}"\})`,
    String.raw`"preview":"(${plain}*)(?:"|([^"\\]*(?:\\.[^"\\]*)*)")`,
    String.raw`"messageCount":(\d+),"noteCount":(\d+),"attachmentCount":(\d+),"draftCount":(\d+)`,
    String.raw`"snoozedUntil":(?:null|"(${time})"),"createdAt":"${time}","updatedAt":"${time}"`,
    String.raw`"revision":(\d+),"unread":(true|false)`,
  ].join(','),
  'y',
)

/** More than any row shows of a preview; most end with an ellipsis, for which alone they would have to be decoded. */
const longStart = 160

/** Nearly all threads match one pattern, which takes half as long as parsing them; the others are parsed. */
export function readRows(items: Uint8Array): ListRow[] {
  const text = Buffer.from(items.buffer, items.byteOffset, items.length).toString('latin1')
  const rows: ListRow[] = []
  for (let at = 0; at < text.length;) {
    plainItem.lastIndex = at
    const found = plainItem.exec(text)
    const next = text.indexOf(between, found ? plainItem.lastIndex : at)
    const end = next === -1 ? text.length : next
    const plain = found && readPlain(found)
    rows.push(plain ?? { ...(JSON.parse(text.slice(at, end)) as ThreadSummary), isPlain: false })
    at = end + between.length
  }
  return rows
}

function readPlain(found: RegExpExecArray): ListRow | null {
  const [, id, subject, name, address, timestamp, status, assignee, preview, rest, ...others] = found
  const [messages, notes, attachments, drafts, snoozedUntil, revision, unread] = others
  if (rest !== undefined && preview!.length < longStart) return null
  return {
    id: id!,
    subject: subject!,
    sender: { name: name ?? null, address: address! },
    timestamp: timestamp!,
    status: status as ThreadSummary['status'],
    assignment: assignee === undefined ? null : { name: assignee },
    preview: preview!,
    messageCount: Number(messages),
    noteCount: Number(notes),
    attachmentCount: Number(attachments),
    draftCount: Number(drafts),
    snoozedUntil: snoozedUntil ?? null,
    revision: Number(revision),
    unread: unread === 'true',
    isPlain: true,
  }
}

/** Without the last thread, and where the one before it stands. */
export function cutLast(items: Buffer): { items: Buffer; last: { timestamp: number; id: string } } {
  const kept = items.subarray(0, items.lastIndexOf(between))
  // What is asked of it here has no letters beyond ASCII, and the rest need not be decoded.
  const last = kept.toString('latin1', kept.lastIndexOf(between) + 1).replaceAll(textMark, '')
  const { timestamp, id } = JSON.parse(last) as ThreadSummary
  return { items: kept, last: { timestamp: Date.parse(timestamp), id } }
}
