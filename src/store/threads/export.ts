import type { Db } from '../db.ts'
import type { Position } from '../position.ts'
import { oneOf, textQuery } from '../statement.ts'
import { listAttachments } from './attachments.ts'
import type { HistoryRow, MessageWithBody, TimelineItem } from './history.ts'
import { readNote, type NoteRow } from './notes.ts'
import type { ThreadRow } from './summary.ts'

/** With more inboxes than this, one sort is cheaper than a range of the index for each. */
const mostRanges = 60

/** In the order of their last change, which is also the time of a position; ties by id. */
export async function threadsChangedAfter(
  db: Db,
  inboxes: readonly number[],
  { timestamp, id }: Position,
  limit: number,
) {
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

/** Reads all contents of these threads, in a handful of queries whatever their number. */
export async function readContents(
  db: Db,
  threads: readonly ThreadRow[],
  { userId, withNotes, withHtml }: { userId: string; withNotes: boolean; withHtml: boolean },
) {
  const numbers = threads.map(({ number }) => number)
  const within = oneOf(db.dialect, numbers)
  const unread = await db.all(
    textQuery<{ thread: number }>(`SELECT thread FROM unread WHERE user_id = ? AND thread ${within.test}`, [
      userId,
      within.value,
    ]),
  )
  const messages = await db.all(
    textQuery<Omit<MessageWithBody, 'attachments'>>(
      `SELECT messages.*, text, new_text, ${withHtml ? 'html' : 'NULL AS html'}, links
       FROM messages JOIN message_bodies ON message = number WHERE thread ${within.test}`,
      [within.value],
    ),
  )
  const withFiles = messages.flatMap(({ number, attachment_count }) => (attachment_count > 0 ? [number] : []))
  const filesOf = Map.groupBy(await listAttachments(db, withFiles), (file) => file.message)
  const entries = await db.all(
    textQuery<HistoryRow>(`SELECT * FROM history WHERE thread ${within.test}`, [within.value]),
  )
  const notes =
    withNotes && threads.some(({ note_count }) => note_count > 0)
      ? await db.all(
          textQuery<NoteRow>(
            `SELECT notes.*, users.name FROM notes JOIN users ON users.id = notes.author_id
             WHERE thread ${within.test} ORDER BY timestamp, notes.id`,
            [within.value],
          ),
        )
      : []
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
  return ({ number }: ThreadRow) => ({
    unread: unreadOnes.has(number),
    items: itemsOf.get(number) ?? [],
    notes: (notesOf.get(number) ?? []).map(readNote),
  })
}
