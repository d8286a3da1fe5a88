import { signal } from '@preact/signals'
import type { Draft } from '../../../src/model/draft.ts'
import type { Event } from '../../../src/model/events.ts'
import type { Failure } from '../../../src/http/contract/failure.ts'
import type { Letter } from '../../../src/model/mail/letter.ts'
import { ApiError, ask, sentenceOf } from '../page/api.ts'
import { showToast } from '../page/toasts.ts'
import { go, isReview, place, placePath, threadId as openThread } from '../page/router.ts'
import { session } from '../session/session.ts'
import { leavingOf, openNext } from '../threads/actions.ts'
import { threadOf } from '../threads/store.ts'
import { returnTo, type Leaving } from '../threads/undo.ts'
import { texts } from '../page/texts.ts'
import type { DraftEditor } from './editor.ts'
import { editorOf } from './editors.ts'
import { nameOf } from '../mail/address.ts'
import { sameLetter, sealOf, shownLetter } from './seal.ts'
import { wantsFocus } from './start.ts'

export interface Sending {
  draftId: string
  threadId: string | null
  who: string
  sendsAt: number
  /** When that is by this browser's clock, at most the undo window from now. */
  endsAt: number
  /** When this page learned of it. */
  since: number
  /** Its thread, if another was opened after *Send and close*. */
  left: Leaving | null
  state: 'waiting' | 'retrying' | 'sent' | 'failed' | 'unknown'
}

/** Mail being sent or just sent; the bar shows the newest. */
export const sendings = signal<Sending[]>([])

/** Drafts this page asked to send, with the outcome if an event reported it before the response arrived. */
const asked = new Map<string, Sending['state']>()

/** `writer`: what would be sent is mostly this colleague's text, so it must be confirmed. */
type SendResult = 'scheduled' | 'refused' | { writer: string; sentence: string }

/** Sends exactly what is on the screen, and only if the server would send the same. */
export async function send(
  editor: DraftEditor,
  { close, confirmed }: { close: boolean; confirmed: boolean },
): Promise<SendResult> {
  const { text, to, cc, bcc } = editor.fields.value
  if (to.length + cc.length + bcc.length === 0) return refuse(texts.draft.noRecipient)
  if (text.trim() === '' && editor.draft.value?.kind !== 'forward') return refuse(texts.draft.emptyText)
  if (!(await editor.save())) {
    return refuse(
      editor.problem.value ??
        (editor.state.value === 'offline' ? texts.errors.unreachable : texts.draft.lookAgain),
    )
  }
  const seen = { letter: editor.letter.value, tail: editor.tail.value }
  try {
    const letter = await editor.loadLetter()
    const tail = seen.tail ?? editor.tail.value
    const shown =
      letter && tail !== null && shownLetter(editor, seen.letter ?? letter, tail, letter.attachments)
    if (!letter || !shown || !sameLetter(shown, letter) || !isOnScreen(editor, letter))
      return refuse(texts.draft.lookAgain)
    const { id, revision } = editor.draft.value!
    asked.set(id, 'waiting')
    const seal = await sealOf(shown)
    const draft = await ask('POST', `/drafts/${id}/send`, { revision, seal, close, confirmed })
    // An event that arrived in the meantime is newer than the response.
    const state = asked.get(id)!
    if (state === 'waiting') editor.put(draft)
    follow(draft)
    end(id, state)
    return 'scheduled'
  } catch (error) {
    const { letter: newer, writer }: Failure['details'] & {} = error instanceof ApiError ? error.details : {}
    if (writer !== undefined) return { writer, sentence: sentenceOf(error) }
    if (newer) editor.showLetter(newer)
    return refuse(sentenceOf(error))
  }
}

function refuse(sentence: string): 'refused' {
  showToast(sentence, 'problem')
  return 'refused'
}

/** After *Send and close*: opens the next thread, unless the user has already left this one. */
export function leaveThread({ id, threadId }: Draft): void {
  if (threadId === null || openThread.value !== threadId) return
  const left = leavingOf(threadId)
  sendings.value = sendings.value.map((each) => (each.draftId === id ? { ...each, left } : each))
  openNext(left)
}

/** The thread's newest mail must be among what is shown. */
function isOnScreen(editor: DraftEditor, { newestMessageId }: Letter): boolean {
  const threadId = editor.draft.value?.threadId
  if (!threadId || newestMessageId === null) return true
  return threadOf(threadId).thread.value?.history.some(({ id }) => id === newestMessageId) ?? false
}

export function follow(draft: Draft): void {
  if (draft.status !== 'scheduled' || draft.sendsAt === null) return
  const people = [...draft.to, ...draft.cc, ...draft.bcc]
  const first = people[0] ? nameOf(people[0]) : ''
  const sendsAt = new Date(draft.sendsAt).getTime()
  const known = sendings.value.find(({ draftId }) => draftId === draft.id)
  const isSame = known?.sendsAt === sendsAt
  const window = (session.value?.undoSeconds ?? 0) * 1000
  const sending: Sending = {
    draftId: draft.id,
    threadId: draft.threadId,
    who: people.length > 1 ? texts.undo.others(first, people.length - 1) : first,
    sendsAt,
    endsAt: isSame ? known.endsAt : Math.min(sendsAt, Date.now() + window),
    since: known?.since ?? Date.now(),
    left: isSame ? known.left : null,
    // A delayed response may be older than what the event log reported since.
    state: isSame ? known.state : 'waiting',
  }
  sendings.value = [...sendings.value.filter(({ draftId }) => draftId !== draft.id), sending]
}

export async function takeBack(draftId: string): Promise<void> {
  // The button disappears, so the focus moves to the draft. After a shortcut, the focus stays where it is.
  const byButton = Boolean(document.activeElement?.closest('.bar, .sending'))
  // The event of this may arrive before the response, and drops it.
  const left = sendings.value.find((each) => each.draftId === draftId)?.left
  try {
    const draft = await ask('POST', `/drafts/${draftId}/undo`, {})
    editorOf(draft).put(draft)
    drop(draftId)
    // Sending a new mail, a draft of the review, or one that closes its thread leaves its place.
    if (draft.threadId === null) go(`/compose/${draftId}`)
    else if (left && left.next === openThread.value) void returnTo(left)
    else if (draft.threadId !== openThread.value)
      go(placePath(place.value, draft.threadId, isReview.value ? draftId : null))
    if (byButton && draft.threadId === openThread.value) wantsFocus.value = draftId
    showToast(texts.undo.undone)
  } catch (error) {
    const isTooLate = error instanceof ApiError && error.status === 409
    refuse(isTooLate ? texts.undo.tooLate : sentenceOf(error))
  }
}

/** Updates from the event log. */
export function sendingChanged({ type, data }: Event): void {
  const ends: Partial<Record<Event['type'], Sending['state']>> = {
    'draft.sent': 'sent',
    'draft.stale': 'failed',
    'message.failed': 'failed',
    'message.unknown': 'unknown',
  }
  const { draftId, changes } = data
  // Refused for now; the server tries again.
  const isDelayed = changes?.['status']?.to === 'sending'
  const state = isDelayed ? 'retrying' : ends[type]
  if (draftId === undefined) return
  if (state && asked.has(draftId)) asked.set(draftId, state)
  if (!sendings.value.some((each) => each.draftId === draftId)) return
  if (state) end(draftId, state)
  else if (type === 'draft.revised') drop(draftId)
}

function end(draftId: string, state: Sending['state']): void {
  if (state === 'waiting') return
  sendings.value = sendings.value.map((each) => (each.draftId === draftId ? { ...each, state } : each))
  if (state === 'retrying') return
  const sendsAt = sendsAtOf(draftId)
  // Not if the draft is being sent again.
  setTimeout(() => sendsAtOf(draftId) === sendsAt && drop(draftId), state === 'sent' ? 4000 : 12_000)
}

function sendsAtOf(id: string): number | undefined {
  return sendings.value.find(({ draftId }) => draftId === id)?.sendsAt
}

function drop(id: string): void {
  sendings.value = sendings.value.filter(({ draftId }) => draftId !== id)
}
