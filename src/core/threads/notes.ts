import { actorReference, numbersOf, type Actor, type Inbox, type View } from '../../model/access.ts'
import { cleanLines } from '../../model/characters/names.ts'
import { SpoolError } from '../../model/errors.ts'
import { newId } from '../../model/ids.ts'
import type { Note } from '../../model/thread.ts'
import { toTime, toTimeOrNull } from '../../model/time.ts'
import { snapshot, transaction } from '../../store/database.ts'
import type { Db } from '../../store/db.ts'
import { appendEvent } from '../../store/log/events.ts'
import { listListeners } from '../../store/notices/audience.ts'
import {
  findVisibleNote,
  insertNote,
  listNotePage,
  updateNote,
  type NoteRecord,
} from '../../store/threads/notes.ts'
import { saveThread } from '../../store/threads/threads.ts'
import { findThreadIn, findThreadToChange, noSuch, viewOf } from '../access/access.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Spool } from '../spool.ts'

export async function listNotes(...asked: Parameters<typeof readNotes>) {
  const { data, nextCursor } = await readNotes(...asked)
  return { data, nextCursor }
}

/** Includes the thread's own id, which differs from the requested one if that thread was merged into it. */
export async function readNotes(
  spool: Spool,
  caller: View,
  threadId: string,
  page: { cursor: string | null; limit: number },
) {
  return snapshot(spool.db, async (db) => {
    const thread = await findThreadIn(db, caller.inboxes, threadId)
    const filterText = JSON.stringify(['notes', thread.id])
    const after = page.cursor === null ? null : readCursor(spool, filterText, page.cursor)
    const { notes, next } = await listNotePage(db, thread.number, { after, limit: page.limit })
    return {
      threadId: thread.id,
      data: notes.map((note) => viewNote(note, thread.id)),
      nextCursor: next && writeCursor(spool, filterText, next),
    }
  })
}

export function viewNote(note: NoteRecord, threadId: string): Note {
  return {
    id: note.id,
    threadId,
    author: { type: 'person', id: note.authorId, name: note.authorName },
    text: note.text,
    mentions: note.mentions,
    timestamp: toTime(note.timestamp),
    editedAt: toTimeOrNull(note.editedAt),
  }
}

const longestNote = 20_000

function checkNoteText(text: string): string {
  const trimmed = cleanLines(text).trim()
  if (trimmed === '') throw new SpoolError('bad_parameter', 'A note needs text.')
  if (trimmed.length > longestNote) {
    throw new SpoolError(
      'bad_parameter',
      `A note can have at most ${longestNote} characters; this one has ${trimmed.length}.`,
    )
  }
  return trimmed
}

export async function addNote(spool: Spool, actor: Actor, threadId: string, text: string): Promise<string> {
  const now = spool.now()
  const trimmed = checkNoteText(text)
  return transaction(spool.db, async (db) => {
    const thread = await findThreadToChange(db, actor, threadId)
    const noteId = newId('note', now)
    const mentions = await findMentions(db, trimmed, thread.inbox)
    await insertNote(db, {
      id: noteId,
      thread: thread.number,
      timestamp: now,
      authorId: actor.id!,
      text: trimmed,
      mentions,
    })
    thread.note_count++
    await saveThread(db, thread, now)
    await appendEvent(db, {
      type: 'note.created',
      inbox: thread.inbox,
      timestamp: now,
      data: { threadId: thread.id, noteId, actor: actorReference(actor) },
    })
    return noteId
  })
}

/** Only its author can edit a note. */
export async function editNote(spool: Spool, actor: Actor, noteId: string, text: string): Promise<Note> {
  const now = spool.now()
  const trimmed = checkNoteText(text)
  return transaction(spool.db, async (db) => {
    const note = await findNote(db, await viewOf(db, actor), noteId)
    const thread = await findThreadToChange(db, actor, note.threadId)
    if (note.authorId !== actor.id)
      throw new SpoolError('forbidden', `${note.authorName} wrote this note, so only they can change it.`)
    if (note.text === trimmed) return viewNote(note, thread.id)
    const mentions = await findMentions(db, trimmed, thread.inbox)
    await updateNote(db, noteId, { text: trimmed, mentions, editedAt: now })
    await saveThread(db, thread, now)
    await appendEvent(db, {
      type: 'note.updated',
      inbox: thread.inbox,
      timestamp: now,
      data: { threadId: thread.id, noteId, actor: actorReference(actor) },
    })
    return viewNote({ ...note, text: trimmed, mentions, editedAt: now }, thread.id)
  })
}

export async function getNote(spool: Spool, { inboxes }: Pick<View, 'inboxes'>, id: string): Promise<Note> {
  const note = await findNote(spool.db, inboxes, id)
  return viewNote(note, note.threadId)
}

async function findNote(
  db: Db,
  inboxes: readonly Inbox[],
  id: string,
): Promise<NoteRecord & { threadId: string }> {
  const note = await findVisibleNote(db, id, numbersOf(inboxes))
  if (!note) throw noSuch('note')
  return note
}

/**
 * `@Ada`, `@Ada Lindqvist` or `@ada@example.com`, of those who can see the inbox; a first name counts if only one of
 * them has it.
 */
async function findMentions(db: Db, text: string, inbox: number): Promise<string[]> {
  if (!text.includes('@')) return []
  const users = (await listListeners(db)).toSorted((one, other) => (one.email < other.email ? -1 : 1))
  const readers = users.filter(({ role, inboxes }) => role === 'admin' || inboxes.has(inbox))
  const firstName = (name: string): string => name.toLowerCase().split(/\s+/)[0]!
  const namesakes = Map.groupBy(readers, ({ name }) => firstName(name))
  const whole = ({ name, email }: { name: string; email: string }): string[] => [name.toLowerCase(), email]
  const named = readers.map((reader) => {
    const first = firstName(reader.name)
    return {
      id: reader.id,
      names: [...whole(reader), ...(namesakes.get(first)!.length === 1 ? [first] : [])],
    }
  })
  // The whole name of somebody else is not the first name of a reader.
  const found = findNames(
    text.toLowerCase(),
    new Set([...users.flatMap(whole), ...named.flatMap(({ names }) => names)]),
  )
  return named.filter(({ names }) => names.some((name) => found.has(name))).map(({ id }) => id)
}

/**
 * The longest name after each `@`, not inside a longer word or an address: `bob@ada.example`, `@ada@elsewhere.example`
 * and `@ada-lena` do not mention Ada.
 */
function findNames(text: string, names: ReadonlySet<string>): Set<string> {
  const found = new Set<string>()
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}_+-])@/gu)) {
    let longest = ''
    for (const name of names)
      if (name.length > longest.length && text.startsWith(name, index + 1)) {
        const after = text.slice(index + 1 + name.length, index + 4 + name.length)
        if (!/^(?:[\p{L}\p{N}@_]|-\p{L})/u.test(after)) longest = name
      }
    if (longest !== '') found.add(longest)
  }
  return found
}
