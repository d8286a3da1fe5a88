import { signal, type Signal } from '@preact/signals'
import type { Note } from '../../../src/model/thread.ts'
import { ApiError, ask, beginRequest, get, sentenceOf } from '../page/api.ts'
import type { AnswerOf, RouteAt } from '../page/contract.ts'
import { showToast, showProblem } from '../page/toasts.ts'
import { threadId as openThread } from '../page/router.ts'
import { session } from '../session/session.ts'
import { texts } from '../page/texts.ts'

const known = new Map<string, Signal<Note[] | null>>()

export function notesOf(threadId: string): Signal<Note[] | null> {
  let notes = known.get(threadId)
  if (!notes) known.set(threadId, (notes = signal<Note[] | null>(null)))
  return notes
}

export async function loadNotes(threadId: string): Promise<void> {
  const notes = notesOf(threadId)
  const isNew = beginRequest(notes)
  const all: Note[] = []
  let cursor: string | null = null
  do {
    const more: AnswerOf<RouteAt<'GET', `/threads/${string}/notes`>> = await get(
      `/threads/${threadId}/notes`,
      {
        query: { limit: '100', cursor },
      },
    )
    all.push(...more.data)
    cursor = more.nextCursor
  } while (cursor !== null)
  if (isNew()) notes.value = all
}

/** What cannot be loaded is loaded later: there may be no further event. */
export function notesChanged(threadId: string): void {
  if (!known.has(threadId)) return
  loadNotes(threadId).catch((error: unknown) => {
    if (error instanceof ApiError && error.mayPass)
      setTimeout(() => threadId === openThread.peek() && notesChanged(threadId), 2000)
  })
}

/** Shows the note at once. On failure it is removed and its text goes back to the field. */
export async function addNote(threadId: string, text: string): Promise<boolean> {
  const notes = notesOf(threadId)
  const { user } = session.value!
  const local: Note = {
    id: `local ${Date.now()}`,
    threadId,
    author: { type: 'person', id: user.id, name: user.name },
    text,
    mentions: [],
    timestamp: new Date().toISOString(),
    editedAt: null,
  }
  notes.value = [...(notes.value ?? []), local]
  try {
    const saved = await ask('POST', `/threads/${threadId}/notes`, { text })
    const others = (notes.value ?? []).filter(({ id }) => id !== local.id && id !== saved.id)
    notes.value = [...others, saved]
  } catch (error) {
    notes.value = (notes.value ?? []).filter(({ id }) => id !== local.id)
    showToast(texts.errors.undone(sentenceOf(error)), 'problem')
    return false
  }
  await loadNotes(threadId).catch(() => undefined)
  return true
}

export async function editNote(note: Note, text: string): Promise<boolean> {
  try {
    const saved = await ask('PATCH', `/notes/${note.id}`, { text })
    const notes = notesOf(note.threadId)
    notes.value = (notes.value ?? []).map((each) => (each.id === saved.id ? saved : each))
  } catch (error) {
    showProblem(error)
    return false
  }
  await loadNotes(note.threadId).catch(() => undefined)
  return true
}
