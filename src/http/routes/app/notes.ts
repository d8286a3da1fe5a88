import { addNote, editNote, getNote, listNotes } from '../../../core/threads/notes.ts'
import { defineAppRoute, everyone, writers } from '../../app-route.ts'

export const noteRoutes = [
  defineAppRoute('listNotes', everyone, async ({ spool, view, path, query }) =>
    listNotes(spool, await view(), path.id, query),
  ),

  defineAppRoute('addNote', writers, async ({ spool, view, actor, path, body }) => {
    const id = await addNote(spool, actor, path.id, body.text)
    return getNote(spool, await view(), id)
  }),

  defineAppRoute('editNote', writers, ({ spool, actor, path, body }) =>
    editNote(spool, actor, path.id, body.text),
  ),
]
