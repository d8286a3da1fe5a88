import type { RecipientNotice } from '../../model/draft.ts'
import type { Address } from '../../model/mail/mail.ts'
import type { ThreadMessage } from '../../store/threads/thread-messages.ts'

type MessagePeople = Pick<ThreadMessage, 'from' | 'to' | 'cc' | 'replyTo'>

/**
 * Warnings for the person who sends: recipients who do not occur in this thread, those first named by a sender new to
 * the thread (that sender included), and a Reply-To that differs from the sender. `messages` are in order of arrival.
 */
export function findNotices(
  recipients: readonly Address[],
  messages: readonly MessagePeople[],
  answered: MessagePeople | null,
): RecipientNotice[] {
  const known = new Set<string>()
  const broughtByNewcomer = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const newcomer = index > 0 && !known.has(key(message.from))
    for (const each of [message.from, ...message.to, ...message.cc, ...message.replyTo]) {
      if (newcomer && !known.has(key(each))) broughtByNewcomer.add(key(each))
      known.add(key(each))
    }
  }
  const asked = new Set((answered?.replyTo ?? []).map(key))
  if (answered) asked.delete(key(answered.from))
  return recipients.flatMap(({ address }) => {
    const lower = address.toLowerCase()
    const notices: RecipientNotice[] = []
    if (messages.length > 0 && !known.has(lower)) notices.push({ address, kind: 'new_to_thread' })
    if (broughtByNewcomer.has(lower)) notices.push({ address, kind: 'brought_by_newcomer' })
    if (asked.has(lower)) notices.push({ address, kind: 'reply_to_differs' })
    return notices
  })
}

function key({ address }: Address): string {
  return address.toLowerCase()
}
