import type { Db } from '../db.ts'
import { textQuery } from '../statement.ts'
import type { AttachmentRow } from './attachments.ts'
import type { MessageWithBody, TimelineItem } from './history.ts'
import type { MessageRow } from './messages.ts'
import { readNote, type NoteRecord } from './notes.ts'
import type { ThreadRow } from './summary.ts'

export interface ExportPosition {
  /** `updated_at` of the last thread. */
  timestamp: number
  id: string
}

/** With more inboxes than this, one sort is cheaper than a range of the index for each. */
const mostRanges = 60

/** In the order of their last change, ties by id. */
export async function threadsChangedAfter(
  db: Db,
  inboxes: readonly number[],
  { timestamp, id }: ExportPosition,
  limit: number,
): Promise<ThreadRow[]> {
  if (inboxes.length === 0) return []
  const order = `ORDER BY updated_at, id LIMIT ${limit}`
  const range = (scope: string): string =>
    `SELECT * FROM (SELECT * FROM threads WHERE ${scope} AND (updated_at, id) > (?, ?) ${order}) AS part`
  const ranges =
    inboxes.length > mostRanges
      ? [range(`inbox IN (${inboxes.join(', ')})`)]
      : inboxes.map((inbox) => range(`inbox = ${inbox}`))
  const values = ranges.flatMap(() => [timestamp, id])
  return db.all(textQuery<ThreadRow>(`${ranges.join(' UNION ALL ')} ${order}`, values))
}

export interface ThreadContents {
  unread: boolean
  items: TimelineItem[]
  notes: NoteRecord[]
}

/** All that is in these threads, in a handful of queries however many they are. */
export async function readContents(
  db: Db,
  threads: readonly ThreadRow[],
  { userId, withNotes }: { userId: string; withNotes: boolean },
): Promise<(thread: ThreadRow) => ThreadContents> {
  const numbers = threads.map(({ number }) => number)
  const within = numbers.join(', ')
  const unread = await db.all(
    textQuery<{ thread: number }>(`SELECT thread FROM unread WHERE user_id = ? AND thread IN (${within})`, [
      userId,
    ]),
  )
  const messages = await db.all(
    textQuery<MessageRow & Pick<MessageWithBody, 'text' | 'new_text' | 'html' | 'links'>>(
      `SELECT messages.*, text, new_text, html, links FROM messages JOIN message_bodies ON message = number
       WHERE thread IN (${within})`,
      [],
    ),
  )
  const withFiles = messages.flatMap(({ number, attachment_count }) => (attachment_count > 0 ? [number] : []))
  const files =
    withFiles.length === 0
      ? []
      : await db.all(
          textQuery<AttachmentRow>(
            `SELECT * FROM attachments WHERE message IN (${withFiles.join(', ')}) ORDER BY message, position`,
            [],
          ),
        )
  const entries = await db.all(db.build.selectFrom('history').selectAll().where('thread', 'in', numbers))
  const annotated = withNotes
    ? threads.flatMap(({ number, note_count }) => (note_count > 0 ? [number] : []))
    : []
  const notes =
    annotated.length === 0
      ? []
      : await db.all(
          db.build
            .selectFrom('notes')
            .innerJoin('users', 'users.id', 'notes.author_id')
            .selectAll('notes')
            .select('users.name')
            .where('thread', 'in', annotated)
            .orderBy('timestamp')
            .orderBy('notes.id'),
        )
  const filesOf = Map.groupBy(files, (file) => file.message)
  const items: (TimelineItem & { thread: number })[] = [
    ...messages.map(({ id, timestamp, thread, ...row }) => ({
      id,
      timestamp,
      thread,
      message: { ...row, id, timestamp, thread, attachments: filesOf.get(row.number) ?? [] },
    })),
    ...entries.map((entry) => ({ id: entry.id, timestamp: entry.timestamp, thread: entry.thread, entry })),
  ].sort((a, b) => a.timestamp - b.timestamp || (a.id < b.id ? -1 : 1))
  const itemsOf = Map.groupBy(items, ({ thread }) => thread)
  const notesOf = Map.groupBy(notes, ({ thread }) => thread)
  const unreadOnes = new Set(unread.map(({ thread }) => thread))
  return ({ number }) => ({
    unread: unreadOnes.has(number),
    items: itemsOf.get(number) ?? [],
    notes: (notesOf.get(number) ?? []).map(readNote),
  })
}
