import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Note } from '../../../src/model/thread.ts'
import { Avatar } from '../controls/avatar.tsx'
import { useCommand } from '../page/command.ts'
import { Icon } from '../controls/icon.tsx'
import { canWrite, session } from '../session/session.ts'
import { showProblem } from '../page/toasts.ts'
import { fullTime, messageTime } from '../page/times.ts'
import { texts } from '../page/texts.ts'
import { NoteField } from './note-field.tsx'
import { notesOpen } from './notes-open.ts'
import { addNote, editNote, loadNotes, notesChanged, notesOf } from '../threads/notes.ts'
import { threadOf } from '../threads/store.ts'
import { loadTeam, team } from '../threads/people.ts'

/** The team's chat, next to the thread and never inside the customer's mail. */
export function Notes({ threadId, children }: { threadId: string; children: JSX.Element }) {
  const notes = notesOf(threadId).value
  const inbox = threadOf(threadId).thread.value?.inbox.id ?? null
  const end = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    loadTeam()
    // A mention notice links to the note.
    if (new URLSearchParams(location.search).has('note')) notesOpen.value = true
    loadNotes(threadId).catch((error: unknown) => {
      showProblem(error)
      notesChanged(threadId)
    })
  }, [threadId])
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [notes?.length])
  useCommand(
    'note',
    canWrite.value
      ? () => {
          notesOpen.value = true
          // Focus at once, so that no key is lost, and again once the field is visible.
          field.current?.focus()
          requestAnimationFrame(() => field.current?.focus())
        }
      : null,
  )
  return (
    <aside class={notesOpen.value ? 'notes open' : 'notes'} aria-label={texts.notes.title}>
      {children}
      <h2>
        {texts.notes.title} <span>· {texts.notes.only}</span>
        <button
          type="button"
          class="btn quiet notes-close"
          aria-label={texts.notes.hide}
          onClick={() => (notesOpen.value = false)}
        >
          <Icon name="cross" />
        </button>
      </h2>
      <div class="notes-list" role="log" aria-label={texts.notes.title} tabIndex={0}>
        {notes?.length === 0 && <p class="quiet-text">{texts.notes.empty}</p>}
        {notes?.map((note) => (
          <NoteLine key={note.id} note={note} inbox={inbox} />
        ))}
        <div ref={end} />
      </div>
      {canWrite.value && (
        <NoteField
          name={`note:${threadId}`}
          label={texts.notes.say}
          inbox={inbox}
          fieldRef={field}
          onSay={(text) => addNote(threadId, text)}
        />
      )}
    </aside>
  )
}

function NoteLine({ note, inbox }: { note: Note; inbox: string | null }) {
  const editing = useSignal(false)
  const mine = note.author.id === session.value?.user.id && !note.id.startsWith('local')
  return (
    <div class={note.id.startsWith('local') ? 'note pending' : 'note'}>
      <Avatar name={note.author.name} />
      <div>
        <small>
          {note.author.name} ·{' '}
          <time dateTime={note.timestamp} title={fullTime(note.timestamp)}>
            {messageTime(note.timestamp)}
          </time>
          {note.editedAt && ` · ${texts.notes.edited}`}
          {mine && canWrite.value && !editing.value && (
            <button type="button" class="link" onClick={() => (editing.value = true)}>
              {texts.notes.edit}
            </button>
          )}
        </small>
        {editing.value ? (
          <NoteField
            label={texts.notes.edit}
            inbox={inbox}
            start={note.text}
            onCancel={() => (editing.value = false)}
            onSay={async (text) => {
              const done = await editNote(note, text)
              if (done) editing.value = false
              return done
            }}
          />
        ) : (
          <p>{withMentions(note.text, inbox)}</p>
        )}
      </div>
    </div>
  )
}

/** Highlights the names of people who can see the inbox after an @. */
function withMentions(text: string, inbox: string | null): (string | JSX.Element)[] {
  const names = (team.value ?? [])
    .filter(({ inboxes }) => inbox === null || inboxes.includes(inbox))
    .flatMap(({ name, email }) => [name, name.split(' ')[0]!, email])
    .toSorted((one, other) => other.length - one.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (names.length === 0) return [text]
  return text.split(new RegExp(`(@(?:${names.join('|')}))(?![\\p{L}\\p{N}])`, 'iu')).map((part, index) =>
    index % 2 === 1 ? (
      <span class="at" key={index}>
        {part}
      </span>
    ) : (
      part
    ),
  )
}
