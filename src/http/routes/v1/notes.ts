import { z } from 'zod'
import { getNote, readNotes } from '../../../core/threads/notes.ts'
import { Note } from '../../../model/thread.ts'
import { cursor, limit, pageOf } from '../../contract/paging.ts'
import { defineRoute, json, list, survivorHeader } from '../../route.ts'

export const noteList = defineRoute({
  path: '/threads/{id}/notes',
  scope: 'notes:read',
  operationId: 'listNotes',
  tag: 'Notes',
  summary: "List a thread's notes",
  description:
    "The team's chat beside the thread, oldest first. A thread without notes answers an empty list.",
  parameters: { id: "The thread's id." },
  query: z.strictObject({ limit, cursor }),
  answer: pageOf(Note).meta({ id: 'NoteList' }),
  taggedBy: 'content',
  async handle(call) {
    const { spool, caller, path, query } = call
    const { threadId, data, nextCursor } = await readNotes(spool, caller, path['id']!, query)
    const { body, headers } = list(call, data, nextCursor)
    return {
      body,
      headers: { ...headers, ...survivorHeader(call, threadId) },
      reads: { threads: 0, messages: 0, notes: data.length },
    }
  },
})

export const noteGet = defineRoute({
  path: '/notes/{id}',
  scope: 'notes:read',
  operationId: 'getNote',
  tag: 'Notes',
  summary: 'Get a note',
  description: 'One note, such as an event names.',
  parameters: { id: "The note's id." },
  answer: Note,
  taggedBy: 'content',
  async handle({ spool, caller, path }) {
    const answer = json(await getNote(spool, caller, path['id']!))
    return { ...answer, reads: { threads: 0, messages: 0, notes: 1 } }
  },
})
