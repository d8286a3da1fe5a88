import { SpoolError } from '../../model/errors.ts'
import type { Citation } from '../../model/draft.ts'
import { normalForm } from '../../model/normal-form.ts'

const mostCitations = 50
const longestQuote = 5_000

/** Refuses what cannot be right whatever the thread says. */
export function checkCitations(citations: readonly Citation[]): void {
  if (citations.length > mostCitations)
    throw new SpoolError('bad_parameter', `A draft has at most ${mostCitations} citations.`)
  for (const [index, { quote }] of citations.entries()) {
    if (flatten(quote) === '')
      throw new SpoolError(
        'bad_parameter',
        `Citation ${index + 1} has an empty quote; quote words that stand in the message.`,
      )
    if (quote.length > longestQuote)
      throw new SpoolError(
        'bad_parameter',
        `Citation ${index + 1} is longer than ${longestQuote} characters; quote less.`,
      )
  }
}

/** Ticks off quotes message by message, so that a long thread is read once and a part at a time. */
export class CitationCheck {
  readonly #open: Set<Citation>
  readonly #citations: readonly Citation[]
  readonly #threadMessages: ReadonlySet<string>

  constructor(citations: readonly Citation[], threadMessages: ReadonlySet<string>) {
    this.#citations = citations
    this.#open = new Set(citations)
    this.#threadMessages = threadMessages
  }

  see(messageId: string, subject: string, text: string): void {
    const about = [...this.#open].filter((citation) => citation.messageId === messageId)
    if (about.length === 0) return
    const places = [flatten(text), flatten(subject)]
    for (const citation of about) {
      const quote = flatten(citation.quote)
      if (places.some((place) => place.includes(quote))) this.#open.delete(citation)
    }
  }

  /** A quote that stands nowhere is refused, and so is one of a message that is not in this thread, wherever it may be. */
  finish(): void {
    const [wrong] = this.#open
    if (!wrong) return
    const number = this.#citations.indexOf(wrong) + 1
    throw new SpoolError(
      'bad_parameter',
      this.#threadMessages.has(wrong.messageId)
        ? `Citation ${number}: its quote does not stand in message ${wrong.messageId}; quote that message's text word for word, or leave the citation out.`
        : `Citation ${number} names a message that is not in this thread; take the id from the thread's history.`,
      { details: { citation: number } },
    )
  }
}

/** White space aside, and the same letter however it is composed. */
function flatten(text: string): string {
  return normalForm(text, 'NFC').replace(/\s+/g, ' ').trim()
}
