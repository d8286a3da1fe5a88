import { SpoolError } from '../model/errors.ts'
import type { Citation, Unsupported } from '../model/draft.ts'
import type { Db } from '../store/db.ts'
import { readTexts, type ThreadMessage } from '../store/thread-messages.ts'
import { checkCitations, CitationCheck } from './citations.ts'
import { ThreadFacts } from './unsupported.ts'

/** The newest mail from outside; what a machine wrote about other mail is answered only where there is nothing else. */
export function newestInbound(messages: readonly ThreadMessage[]): ThreadMessage {
  const inbound = messages.filter(({ direction }) => direction === 'inbound')
  const written = inbound.filter(({ kind }) => kind !== 'bounce' && kind !== 'auto_reply')
  const newest = newestByTime(written.length > 0 ? written : inbound)
  if (!newest)
    throw new SpoolError('conflict', 'This thread has no mail from outside that could be answered.')
  return newest
}

/** As the thread shows them; a late arrival with an old date is not the newest. */
export function newestByTime(messages: readonly ThreadMessage[]): ThreadMessage | undefined {
  return messages.toSorted((a, b) => a.timestamp - b.timestamp || a.arrival - b.arrival).at(-1)
}

/** Reads the thread's texts once: refuses a quote that stands nowhere, and finds what only the draft says. */
export async function examineText(
  db: Db,
  messages: readonly ThreadMessage[],
  { text, citations }: { text: string; citations: readonly Citation[] },
): Promise<Unsupported[]> {
  checkCitations(citations)
  const byNumber = new Map(messages.map((message) => [message.number, message]))
  const check = new CitationCheck(citations, new Set(messages.map(({ id }) => id)))
  const facts = new ThreadFacts()
  for (const { subject, from, to, cc, replyTo } of messages) {
    facts.addText(subject)
    for (const { address } of [from, ...to, ...cc, ...replyTo]) facts.addAddress(address)
  }
  for await (const body of readTexts(db, messages)) {
    const { id, subject } = byNumber.get(body.message)!
    check.see(id, subject, body.text)
    facts.addText(body.text)
    if (body.html !== null) facts.addHtml(body.html)
  }
  check.finish()
  return facts.missingFrom(text)
}
