import { hash } from 'node:crypto'
import type { ParsedMail } from '../../model/mail/mail.ts'

/**
 * The ids that tie a message to its thread: its own, all in References or else the first in In-Reply-To, and for a
 * bounce the message it is about. Messages that share an id, even of mail that never arrived, are one thread. The
 * result does not depend on the order of arrival.
 */
export function threadIds(
  mail: Pick<ParsedMail, 'messageId' | 'references' | 'inReplyTo' | 'bounce'>,
): string[] {
  const parents = mail.references.length > 0 ? mail.references : mail.inReplyTo ? [mail.inReplyTo] : []
  const own = mail.messageId ? [mail.messageId] : []
  const about = mail.bounce?.originalMessageId ? [mail.bounce.originalMessageId] : []
  return [...new Set([...own, ...parents, ...about])]
}

/** Cache: mail of one thread tends to arrive together, and each message repeats the same ids. */
const recentKeys = new Map<string, Uint8Array>()
const mostRecent = 5000
const longestRecent = 200

/** Ids can be long; 16 bytes of hash keep the index small. */
export function threadKey(id: string): Uint8Array {
  const recent = recentKeys.get(id)
  if (recent) return recent
  const key = hash('sha256', id, 'buffer').subarray(0, 16)
  if (id.length <= longestRecent) {
    if (recentKeys.size >= mostRecent) recentKeys.clear()
    recentKeys.set(id, key)
  }
  return key
}
