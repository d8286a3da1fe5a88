import type { RecipientNotice } from '../../model/draft.ts'
import type { Address } from '../../model/mail/mail.ts'

/** Who stands in a message. */
export interface MessagePeople {
  from: Address
  to: readonly Address[]
  cc: readonly Address[]
  replyTo: readonly Address[]
}

/**
 * What the person who sends should look at: recipients nobody has written to or from in this thread, those that a
 * newcomer brought in (himself too), and a Reply-To that leads away from the sender. `messages` in order of arrival.
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
