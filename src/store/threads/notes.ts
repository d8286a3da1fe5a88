import type { Selectable } from 'kysely'
import { cleanLines } from '../../model/characters/names.ts'
import type { Db, Tx } from '../db.ts'
import { insertRow, updateRows } from '../rows.ts'
import type { Position } from '../position.ts'
import type { Tables } from '../tables.ts'

export async function insertNote(db: Tx, note: Omit<NoteRecord, 'authorName' | 'editedAt'>): Promise<void> {
  await insertRow(db, 'notes', {
    id: note.id,
    thread: note.thread,
    timestamp: note.timestamp,
    author_id: note.authorId,
    text: note.text,
    mentions: JSON.stringify(note.mentions),
  })
}

export async function listNotePage(
  db: Db,
  thread: number,
  { after, limit }: { after: Position | null; limit: number },
) {
  let query = db.build
    .selectFrom('notes')
    .innerJoin('users', 'users.id', 'notes.author_id')
    .selectAll('notes')
    .select('users.name')
    .where('thread', '=', thread)
  if (after)
    query = query.where((where) =>
      where(where.refTuple('timestamp', 'notes.id'), '>', where.tuple(after.timestamp, after.id)),
    )
  const rows = await db.all(
    query
      .orderBy('timestamp')
      .orderBy('notes.id')
      .limit(limit + 1),
  )
  const notes = rows.slice(0, limit).map(readNote)
  const last = notes.at(-1)
  return { notes, next: rows.length > limit && last ? { timestamp: last.timestamp, id: last.id } : null }
}

/** Scoped like its thread: outside the view it does not exist. */
export async function findVisibleNote(db: Db, id: string, inboxes: readonly number[]) {
  if (inboxes.length === 0) return undefined
  const row = await db.first(
    db.build
      .selectFrom('notes')
      .innerJoin('users', 'users.id', 'notes.author_id')
      .innerJoin('threads', 'threads.number', 'notes.thread')
      .selectAll('notes')
      .select(['users.name', 'threads.id as thread_id'])
      .where('notes.id', '=', id)
      .where('threads.inbox', 'in', inboxes),
  )
  return row && { ...readNote(row), threadId: row.thread_id }
}

export async function updateNote(
  db: Tx,
  id: string,
  { text, mentions, editedAt }: { text: string; mentions: readonly string[]; editedAt: number },
): Promise<void> {
  await updateRows(db, 'notes', { id }, { text, mentions: JSON.stringify(mentions), edited_at: editedAt })
}

export type NoteRow = Selectable<Tables['notes']> & { name: string }

export type NoteRecord = ReturnType<typeof readNote>

export function readNote(row: NoteRow) {
  return {
    id: row.id,
    thread: row.thread,
    timestamp: row.timestamp,
    authorId: row.author_id,
    authorName: row.name,
    text: cleanLines(row.text),
    mentions: JSON.parse(row.mentions) as string[],
    editedAt: row.edited_at,
  }
}
