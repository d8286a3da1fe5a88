import { signal } from '@preact/signals'
import type { Draft } from '../../../src/model/draft.ts'
import type { MessageEntry } from '../../../src/model/history.ts'
import { answerFrom, ownAddressOf } from '../../../src/model/mail/own-address.ts'
import type { MailAddress } from '../../../src/model/thread.ts'
import type { OpenThread } from '../../../src/model/work.ts'
import { ask } from '../page/api.ts'
import { beginReply, editorOf, editorsOf, replies } from './editors.ts'
import type { DraftFields } from './local-copy.ts'
import { withoutDoubles } from '../mail/address.ts'
import { showProblem } from '../page/toasts.ts'
import { addressesOfInbox, isColleague, session } from '../session/session.ts'
import { renderNow } from '../page/render-now.ts'
import { putDraft } from '../threads/store.ts'
import { isOpening, startOpening } from '../page/typed-ahead.ts'

/** The draft to focus next: its id, or the thread of a new reply. */
export const wantsFocus = signal<string | null>(null)

/**
 * Continues one's own open reply, or starts one to the newest inbound mail. Where a colleague has an unfinished draft,
 * it is held until the user has chosen between the two.
 */
export function startReply(thread: OpenThread, all: boolean): void {
  const own = thread.drafts.find((draft) => draft.kind === 'reply' && isUnfinished(draft) && isOwn(draft))
  if (own) {
    wantsFocus.value = own.id
    return
  }
  const answered = answeredIn(thread)
  if (!answered) return
  const isNew = !replies.peek().has(thread.id)
  const fields = replyFields(answered, addressesOfInbox(thread.inbox), all)
  const editor = beginReply(thread.id, fields)
  if (isNew && colleaguesDrafts(thread).length > 0) editor.held.value = true
  if (editor.fields.peek().text === '')
    editor.fields.value = { ...editor.fields.peek(), from: fields.from, to: fields.to, cc: fields.cc }
  wantsFocus.value = thread.id
}

/** Goes to the draft that was asked for in the review, one's own or an agent's; a colleague's is asked about as for a reply. */
export function goToDraft(thread: OpenThread, asked: string | null): void {
  const editors = editorsOf(thread.id, thread.drafts).filter(
    ({ editable, draft: { value: draft } }) => editable && !(draft && isColleague(draft.author)),
  )
  const found =
    editors.find(({ draft }) => draft.value?.id === asked) ??
    editors.findLast(({ draft }) => !draft.value || isOwn(draft.value)) ??
    editors.at(-1)
  if (found) wantsFocus.value = found.draft.value?.id ?? thread.id
  else startReply(thread, false)
}

/** What colleagues have begun to write here. */
export function colleaguesDrafts(thread: OpenThread): Draft[] {
  return thread.drafts.filter((draft) => isUnfinished(draft) && isColleague(draft.author))
}

export function isUnfinished({ status }: Pick<Draft, 'status'>): boolean {
  return ['editing', 'stale', 'failed'].includes(status)
}

function isOwn({ author }: Draft): boolean {
  return author.id === session.peek()?.user.id
}

/** The message that a reply answers: the newest that came in, or the newest if none did. Null while it is not loaded. */
export function answeredIn({ history, historyNextCursor }: OpenThread): MessageEntry | null {
  const messages = history.filter((entry): entry is MessageEntry => entry.type === 'message')
  const inbound = messages.findLast(({ direction }) => direction === 'inbound')
  return inbound ?? (historyNextCursor === null ? (messages.at(-1) ?? null) : null)
}

function replyFields(message: MessageEntry, own: readonly string[], all: boolean): DraftFields {
  const others = (list: readonly MailAddress[]): MailAddress[] =>
    list.filter(({ address }) => ownAddressOf(address, own) === undefined)
  const asked =
    message.direction === 'outbound'
      ? message.to
      : others(message.replyTo).length > 0
        ? message.replyTo
        : [message.from]
  const to = withoutDoubles(others(asked), [])
  return {
    text: '',
    from: answerFrom(message, own),
    to: to.length > 0 ? to : withoutDoubles(others(message.to), []),
    cc: all ? withoutDoubles(others([...message.to, ...message.cc]), to) : [],
    bcc: [],
    subject: `Re: ${message.subject.replace(/^(?:(?:re|aw|sv|antw)(?:\[\d+\])?:\s*)+/i, '')}`.trim(),
  }
}

/** Created on the server at once, because the mail's files are attached to it. */
export async function startForward(thread: OpenThread): Promise<void> {
  const message = thread.history.findLast(({ type }) => type === 'message')
  // A second click would make a second draft.
  if (!message || isOpening()) return
  const endOpening = startOpening()
  try {
    const draft = await ask('POST', '/drafts', { kind: 'forward', messageId: message.id })
    editorOf(draft)
    renderNow(() => {
      putDraft(draft)
      wantsFocus.value = draft.id
    })
    endOpening(true)
  } catch (error) {
    endOpening(false)
    showProblem(error)
  }
}
