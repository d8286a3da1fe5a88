import { viewOfUser } from '../../../core/access/access.ts'
import { addNote, editNote, getNote, listNotes } from '../../../core/threads/notes.ts'
import { defineAppRoute, everyone, writers } from '../../app-route.ts'

export const noteRoutes = [
  defineAppRoute('listNotes', everyone, async ({ spool, actor, path, query }) => ({
    body: await listNotes(spool, await viewOfUser(spool.db, actor.user), path.id, query),
  })),

  defineAppRoute('addNote', writers, async ({ spool, actor, path, body }) => {
    const id = await addNote(spool, actor, path.id, body.text)
    return { body: await getNote(spool, await viewOfUser(spool.db, actor.user), id) }
  }),

  defineAppRoute('editNote', writers, async ({ spool, actor, path, body }) => ({
    body: await editNote(spool, actor, path.id, body.text),
  })),
]
