import { SpoolError } from '../../model/errors.ts'
import type { Citation, Unsupported } from '../../model/draft.ts'
import type { MailLink } from '../../model/mail/mail.ts'
import type { Db } from '../../store/db.ts'
import { readTexts, type ThreadMessage } from '../../store/threads/thread-messages.ts'
import { checkCitations, CitationCheck } from './citations.ts'
import { findFacts, ThreadFacts } from './unsupported.ts'

/** The newest inbound mail; bounces and auto-replies only if there is nothing else. */
export function newestInbound(messages: readonly ThreadMessage[]): ThreadMessage {
  const inbound = messages.filter(({ direction }) => direction === 'inbound')
  const written = inbound.filter(({ kind }) => kind !== 'bounce' && kind !== 'auto_reply')
  const newest = newestByTime(written.length > 0 ? written : inbound)
  if (!newest) throw new SpoolError('conflict', 'This thread has no inbound mail to answer.')
  return newest
}

/** By the time the thread shows; a late arrival with an old date is not the newest. */
export function newestByTime(messages: readonly ThreadMessage[]): ThreadMessage | undefined {
  return messages.toSorted((a, b) => a.timestamp - b.timestamp || a.arrival - b.arrival).at(-1)
}

/** Rejects quotes that are not in the thread. */
export async function checkQuotes(
  db: Db,
  messages: readonly ThreadMessage[],
  citations: readonly Citation[],
): Promise<void> {
  checkCitations(citations)
  const cited = new Set(citations.map(({ messageId }) => messageId))
  const quoted = messages.filter(({ id }) => cited.has(id))
  const byNumber = new Map(quoted.map((message) => [message.number, message]))
  const check = new CitationCheck(citations, new Set(quoted.map(({ id }) => id)))
  for await (const body of readTexts(db, quoted)) {
    check.see(byNumber.get(body.message)!.id, body.text)
  }
  check.finish()
}

/** Only this much of a thread is compared, newest first; facts found only in older mail are reported as unsupported. */
const mostCharacters = 1_000_000

/** Facts that only the draft has. Costs processor time: do it only for drafts that show them. */
export async function findUnsupported(
  db: Db,
  messages: readonly ThreadMessage[],
  text: string,
): Promise<Unsupported[]> {
  if (findFacts(text).length === 0) return []
  const facts = new ThreadFacts()
  for (const { subject, from, to, cc, replyTo } of messages) {
    facts.addText(subject)
    for (const { address } of [from, ...to, ...cc, ...replyTo]) facts.addAddress(address)
  }
  let characters = 0
  for await (const body of readTexts(db, messages.toReversed())) {
    facts.addText(body.text)
    if (body.links !== null) facts.addLinks(JSON.parse(body.links) as MailLink[])
    characters += body.text.length
    if (characters > mostCharacters) break
  }
  return facts.missingFrom(text)
}
