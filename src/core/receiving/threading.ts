import { hash } from 'node:crypto'
import type { ParsedMail } from '../../model/mail/mail.ts'

/**
 * The ids that tie a message to its thread: its own, and all in References, or else the first in In-Reply-To; for a
 * bounce also the message it is about. Messages that share an id, be it of mail that never came, are one thread. Sets
 * joined this way come out the same in whatever order the mail arrives.
 */
export function threadIds(
  mail: Pick<ParsedMail, 'messageId' | 'references' | 'inReplyTo' | 'bounce'>,
): string[] {
  const parents = mail.references.length > 0 ? mail.references : mail.inReplyTo ? [mail.inReplyTo] : []
  const own = mail.messageId ? [mail.messageId] : []
  const about = mail.bounce?.originalMessageId ? [mail.bounce.originalMessageId] : []
  return [...new Set([...own, ...parents, ...about])]
}

/** A thread's mail comes together, and each message names the same ids again. */
const recentKeys = new Map<string, Uint8Array>()
const mostRecent = 5000
const longestRecent = 200

/** Ids can be long; sixteen bytes of their hash keep the index small. */
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
