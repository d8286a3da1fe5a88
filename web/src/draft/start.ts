import { signal } from '@preact/signals'
import type { MessageEntry } from '../../../src/model/history.ts'
import { answerFrom, ownAddressOf } from '../../../src/model/mail/own-address.ts'
import type { MailAddress } from '../../../src/model/thread.ts'
import type { OpenThread } from '../../../src/model/work.ts'
import { ask } from '../page/api.ts'
import { beginReply, editorOf } from './editors.ts'
import type { DraftFields } from './local-copy.ts'
import { withoutDoubles } from '../mail/address.ts'
import { showProblem } from '../page/toasts.ts'
import { addressesOfInbox } from '../session/session.ts'
import { renderNow } from '../page/render-now.ts'
import { putDraft } from '../threads/store.ts'
import { isOpening, startOpening } from '../page/typed-ahead.ts'

/** The draft to focus next: its id, or the thread of a new reply. */
export const wantsFocus = signal<string | null>(null)

/** Continues a person's open reply draft, or starts a reply to the newest inbound mail. */
export function startReply(thread: OpenThread, all: boolean): void {
  const answered = answeredIn(thread)
  if (!answered) return
  const own = thread.drafts.find(
    ({ kind, status, author }) =>
      kind === 'reply' && author.type === 'person' && ['editing', 'stale', 'failed'].includes(status),
  )
  if (own) {
    wantsFocus.value = own.id
    return
  }
  const fields = replyFields(answered, addressesOfInbox(thread.inbox), all)
  const editor = beginReply(thread.id, fields)
  if (editor.fields.peek().text === '')
    editor.fields.value = { ...editor.fields.peek(), from: fields.from, to: fields.to, cc: fields.cc }
  wantsFocus.value = thread.id
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
