import type { Db, Tx } from './db.ts'

export interface NoteRecord {
  id: string
  thread: number
  timestamp: number
  authorId: string
  authorName: string
  text: string
  mentions: string[]
  editedAt: number | null
}

export async function insertNote(db: Tx, note: Omit<NoteRecord, 'authorName' | 'editedAt'>): Promise<void> {
  await db.run(
    db.build.insertInto('notes').values({
      id: note.id,
      thread: note.thread,
      timestamp: note.timestamp,
      author_id: note.authorId,
      text: note.text,
      mentions: JSON.stringify(note.mentions),
    }),
  )
}

export interface NotePosition {
  timestamp: number
  id: string
}

export async function listNotePage(
  db: Db,
  thread: number,
  { after, limit }: { after: NotePosition | null; limit: number },
): Promise<{ notes: NoteRecord[]; next: NotePosition | null }> {
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
  const notes = rows.slice(0, limit).map((row) => ({
    id: row.id,
    thread: row.thread,
    timestamp: row.timestamp,
    authorId: row.author_id,
    authorName: row.name,
    text: row.text,
    mentions: JSON.parse(row.mentions) as string[],
    editedAt: row.edited_at,
  }))
  const last = notes.at(-1)
  return { notes, next: rows.length > limit && last ? { timestamp: last.timestamp, id: last.id } : null }
}
