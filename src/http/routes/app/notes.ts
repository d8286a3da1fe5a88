import { z } from 'zod'
import { viewOfUser } from '../../../core/access.ts'
import { addNote, editNote, getNote, listNotes } from '../../../core/notes.ts'
import { defineAppRoute, everyone, writers } from '../../app-route.ts'
import { cursor, limit } from '../../query.ts'

const none = z.strictObject({})
const Words = z.strictObject({ text: z.string() })

export const noteList = defineAppRoute({
  method: 'GET',
  path: '/threads/{id}/notes',
  operationId: 'listNotes',
  roles: everyone,
  query: z.strictObject({ limit, cursor }),
  body: null,
  handle: async ({ spool, actor, path, query }) => ({
    body: await listNotes(spool, await viewOfUser(spool.db, actor.user), path['id']!, query),
  }),
})

export const noteAdd = defineAppRoute({
  method: 'POST',
  path: '/threads/{id}/notes',
  operationId: 'addNote',
  roles: writers,
  query: none,
  body: Words,
  async handle({ spool, actor, path, body }) {
    const id = await addNote(spool, actor, path['id']!, body.text)
    return { body: await getNote(spool, actor, id) }
  },
})

export const noteEdit = defineAppRoute({
  method: 'PATCH',
  path: '/notes/{id}',
  operationId: 'editNote',
  roles: writers,
  query: none,
  body: Words,
  handle: async ({ spool, actor, path, body }) => ({
    body: await editNote(spool, actor, path['id']!, body.text),
  }),
})
