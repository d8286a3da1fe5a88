import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addNote, editNote } from '../../src/core/threads/notes.ts'
import { changeUser, removeUser } from '../../src/core/people/people.ts'
import type { Note } from '../../src/model/thread.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, walkPages } from '../support/desk.ts'

for (const database of databases) {
  const shared = shareSpool(database)

  test(`${database}: notes come oldest first, page by page`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    const written: string[] = []
    for (let count = 0; count < 7; count++)
      written.push(await addNote(spool.spool, desk.actor, threadId, `Note ${count}`))
    const path = `/api/v1/threads/${threadId}/notes`
    const notes = await walkPages<Note>(desk.get, `${path}?limit=3`)
    const keys = notes.map(({ timestamp, id }) => timestamp + id)
    assert.deepEqual(keys, keys.toSorted())
    assert.deepEqual(notes.map(({ id }) => id).sort(), written.sort())
    assert.match((await desk.get(`${path}?limit=3`)).headers.get('link')!, /rel="next"/)
    const { nextCursor } = (await desk.get(`${path}?limit=3`)).json<{ nextCursor: string }>()
    const other = await desk.receive()
    const elsewhere = await desk.get(`/api/v1/threads/${other.threadId}/notes?cursor=${nextCursor}`)
    assert.equal(elsewhere.status, 400)
    assert.equal((await desk.thread(threadId)).noteCount, 7)
  })

  test(`${database}: a note has its author, its words and the people it mentions`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    const make = async (email: string, name: string) => {
      const user = await spool.makeUser(email, 'member', [desk.inbox])
      await changeUser(spool.spool, user.email, { name })
      return user
    }
    const lena = await make('lena@mention.example', 'Lena Holm')
    const lenard = await make('lenard@mention.example', 'Lenard')
    const ida = await make('ida@mention.example', 'Ida Berg')
    const ida2 = await make('ida2@mention.example', 'Ida Lund')
    const mentionsOf = async (text: string): Promise<string[]> => {
      const id = await addNote(spool.spool, desk.actor, threadId, text)
      const note = (await desk.notes(threadId)).find((note) => note.id === id)!
      assert.deepEqual(
        [note.threadId, note.text, note.editedAt, note.author],
        [threadId, text.trim(), null, { type: 'person', id: desk.user.id, name: desk.user.name }],
      )
      return note.mentions
    }
    assert.deepEqual(await mentionsOf('Nobody here, mail lena@elsewhere.example'), [])
    assert.deepEqual(await mentionsOf('Nor here: bob@lena.example, @lena@elsewhere.example'), [])
    assert.deepEqual(await mentionsOf('@Lena can you look?'), [lena.id])
    assert.deepEqual(await mentionsOf('  (@lena, please)  '), [lena.id])
    assert.deepEqual(await mentionsOf('@Lenard'), [lenard.id])
    assert.deepEqual(await mentionsOf('@Ida which one?'), [], 'two have that first name')
    assert.deepEqual(await mentionsOf('@Ida Lund!'), [ida2.id])
    const marie = await make('marie@mention.example', 'Lena-Marie Kurz')
    const wei = await make('wei@mention.example', 'Li Wei')
    const chen = await make('chen@mention.example', 'Li Wei Chen')
    assert.deepEqual(await mentionsOf('@Lena-Marie Kurz, @lena_x, @lena-x'), [marie.id])
    assert.deepEqual(await mentionsOf('@Li Wei Chen knows'), [chen.id])
    assert.deepEqual(await mentionsOf('@Li Wei - @lena- and so on'), [lena.id, wei.id])
    assert.deepEqual(
      new Set(await mentionsOf('@ida@mention.example and @Lena Holm and @LENARD')),
      new Set([ida.id, lena.id, lenard.id]),
    )
  })

  test(`${database}: a note mentions only people who can see its thread`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    const admin = await spool.makeUser('olga@elsewhere.example', 'admin')
    const stranger = await spool.makeUser('nora@elsewhere.example', 'member', [])
    const seer = await spool.makeUser('blum@here.example', 'member', [desk.inbox])
    for (const [user, name] of [
      [admin, 'Olga Frei'],
      [stranger, 'Nora Stern'],
      [seer, 'Nora Blum'],
    ] as const)
      await changeUser(spool.spool, user.email, { name })
    const mentionsOf = async (text: string): Promise<string[]> => {
      const id = await addNote(spool.spool, desk.actor, threadId, text)
      return (await desk.notes(threadId)).find((note) => note.id === id)!.mentions
    }
    assert.deepEqual(await mentionsOf('@Nora Stern, @nora@elsewhere.example'), [])
    assert.deepEqual(await mentionsOf('@Nora, please'), [seer.id], 'the other one is not meant')
    assert.deepEqual(await mentionsOf('@Olga'), [admin.id])
    const id = await addNote(spool.spool, desk.actor, threadId, 'Hello')
    assert.deepEqual((await editNote(spool.spool, desk.actor, id, '@Nora Stern')).mentions, [])
  })

  test(`${database}: a note is one event and leaves status, unread and timestamp as they were`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive({}, { seen: true })
    const before = await desk.thread(threadId)
    const noteId = await addNote(spool.spool, desk.actor, threadId, 'Done.')
    const after = await desk.thread(threadId)
    assert.deepEqual(
      [after.status, after.unread, after.timestamp, after.noteCount],
      [before.status, false, before.timestamp, 1],
    )
    const [event, ...more] = await desk.events('note.created')
    assert.deepEqual([event!.data.noteId, event!.data.threadId, more.length], [noteId, threadId, 0])
    assert.equal(JSON.stringify(event).includes('Done.'), false, 'ids, no content')
  })

  test(`${database}: a note needs words, and not too many of them, by someone who may write`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const viewer = await openDesk(spool, 'viewer')
    const { threadId } = await desk.receive()
    const theirs = await viewer.receive()
    await assert.rejects(addNote(spool.spool, desk.actor, threadId, ' \n '), /needs text/)
    await assert.rejects(addNote(spool.spool, desk.actor, threadId, 'x'.repeat(20_001)), /at most 20000/)
    await assert.rejects(addNote(spool.spool, desk.actor, theirs.threadId, 'Hello'), /no such thread/)
    await assert.rejects(addNote(spool.spool, viewer.actor, theirs.threadId, 'Hello'), /viewer/)
    assert.deepEqual(await desk.notes(threadId), [])
    assert.deepEqual(await viewer.notes(theirs.threadId), [])
  })

  test(`${database}: the name of someone who was removed stays on their notes`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { threadId } = await desk.receive()
    await addNote(spool.spool, desk.actor, threadId, 'Bye.')
    await removeUser(spool.spool, desk.user.email)
    const [note] = (await spool.get(`/api/v1/threads/${threadId}/notes`)).json<{ data: Note[] }>().data
    assert.deepEqual(note!.author, { type: 'person', id: desk.user.id, name: desk.user.name })
  })
}
