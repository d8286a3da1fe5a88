import { signal } from '@preact/signals'
import type { Draft } from '../../../src/model/draft.ts'
import type { Event } from '../../../src/model/events.ts'
import { showToast } from '../page/toasts.ts'
import { go, isComposing } from '../page/router.ts'
import { texts } from '../page/texts.ts'
import { session } from '../session/session.ts'
import { isWriting } from '../threads/presence.ts'
import { copyName, DraftEditor } from './editor.ts'
import { dropCopy, emptyFields, readCopy, sameFields, type DraftFields } from './local-copy.ts'

/** Editors outlive their components, so text is kept when another thread is opened. */
const editors = new Map<string, DraftEditor>()

export function editorOf(draft: Draft): DraftEditor {
  const found = editors.get(draft.id)
  if (found) {
    found.receive(draft)
    return found
  }
  const made = new DraftEditor(draft)
  editors.set(draft.id, made)
  return made
}

/** A thread's visible drafts, each with its editor; a reply that is just being created appears only once. */
export function editorsOf(threadId: string, drafts: readonly Draft[]): DraftEditor[] {
  const begun = replies.value.get(threadId)
  const beginning = begun?.isBeginning ?? false
  const known = drafts.filter(
    ({ id, author }) => editors.has(id) || !beginning || author.id !== session.value?.user.id,
  )
  const shown = known.map(editorOf)
  return begun && !shown.includes(begun) ? [...shown, begun] : shown
}

/** Replies not yet saved on the server, by thread. */
export const replies = signal<ReadonlyMap<string, DraftEditor>>(new Map())

export function beginReply(threadId: string, fields: DraftFields): DraftEditor {
  const found = replies.peek().get(threadId)
  if (found) return found
  const editor = new DraftEditor({ kind: 'reply', threadId }, fields)
  keepReply(threadId, editor)
  return editor
}

function keepReply(threadId: string, editor: DraftEditor): void {
  editor.onBegun = (draft) => {
    editors.set(draft.id, editor)
    endReply(threadId)
  }
  replies.value = new Map(replies.peek()).set(threadId, editor)
}

/** A draft was sent, discarded or withdrawn elsewhere. What somebody is writing in it here stays, as a new draft. */
export function draftEnded({ type, data: { draftId = '', threadId, actor } }: Event): void {
  const editor = editors.get(draftId)
  if (!editor || !/^draft\.(sent|discarded|withdrawn)$/.test(type)) return
  const isOwn = actor.id === session.peek()?.user.id
  if (editor.state.peek() === 'saved' && (isOwn || !isWriting(draftId))) return
  if (threadId === null ? hasNew() : replies.peek().has(threadId)) return
  editors.delete(draftId)
  if (threadId === null) {
    editor.beginAgain({ kind: 'new', inboxId: editor.draft.peek()!.inboxId, after: draftId })
    keepNew(editor)
    if (isComposing(draftId)) go('/compose', { replace: true })
  } else {
    editor.beginAgain({ kind: 'reply', threadId, after: draftId })
    keepReply(threadId, editor)
  }
  showToast(texts.draft.ended(actor.name), 'problem')
}

/**
 * Restores a reply that was typed before a reload. If the server has it although this page never got the answer,
 * editing continues with that draft.
 */
export function resumeReply(threadId: string, drafts: readonly Draft[]): void {
  const name = copyName({ kind: 'reply', threadId })
  const kept = replies.peek().has(threadId) ? null : readCopy(name)
  if (!kept || kept.text.trim() === '') return
  const { revision: _, savedAt: __, ...fields } = kept
  const me = session.peek()?.user.id
  const saved = drafts.find(
    ({ kind, status, author, text }) =>
      kind === 'reply' && status === 'editing' && author.id === me && fields.text.startsWith(text.trimEnd()),
  )
  if (!saved) return void beginReply(threadId, emptyFields)
  dropCopy(name)
  editorOf(saved).change(fields)
}

export function endReply(threadId: string): void {
  const rest = new Map(replies.peek())
  rest.delete(threadId)
  replies.value = rest
}

/** The new mail that is not yet saved on the server: who leaves it and starts another returns to it. */
let newMail: DraftEditor | null = null

function hasNew(): boolean {
  return newMail !== null && !sameFields(newMail.fields.peek(), emptyFields)
}

export function beginNew(inboxId: string): DraftEditor {
  if (hasNew()) return newMail!
  const editor = new DraftEditor({ kind: 'new', inboxId })
  keepNew(editor)
  return editor
}

function keepNew(editor: DraftEditor): void {
  editor.onBegun = ({ id }) => {
    editors.set(id, editor)
    endNew(editor)
    // Not if the user has gone elsewhere in the meantime.
    if (isComposing(null)) go(`/compose/${id}`, { replace: true })
  }
  newMail = editor
}

export function endNew(editor: DraftEditor): void {
  if (newMail === editor) newMail = null
}

/** Called when the connection is back or somebody has signed in again. */
export function saveAll(): void {
  for (const editor of [...editors.values(), ...replies.peek().values()])
    if (['unsaved', 'saving', 'offline'].includes(editor.state.value)) void editor.save()
}
