import { SpoolError } from '../../model/errors.ts'
import type { Citation } from '../../model/draft.ts'
import { removeInvisible } from '../../model/invisible.ts'
import { normalForm } from '../../model/normal-form.ts'

const mostCitations = 50
const longestQuote = 5_000

/** Checks that do not need the thread. */
export function checkCitations(citations: readonly Citation[]): void {
  if (citations.length > mostCitations)
    throw new SpoolError('bad_parameter', `A draft can have at most ${mostCitations} citations.`)
  for (const [index, { quote }] of citations.entries()) {
    if (flatten(quote) === '')
      throw new SpoolError(
        'bad_parameter',
        `Citation ${index + 1} has an empty quote; quote text from the message.`,
      )
    if (removeInvisible(quote, 'mail').text !== quote)
      throw new SpoolError(
        'bad_parameter',
        `Citation ${index + 1} contains invisible characters; quote what a person sees.`,
      )
    if (quote.length > longestQuote)
      throw new SpoolError(
        'bad_parameter',
        `Citation ${index + 1} is longer than ${longestQuote} characters; quote less.`,
      )
  }
}

/** Checks quotes message by message, so that a long thread is read once and in parts. */
export class CitationCheck {
  readonly #open: Set<Citation>
  readonly #citations: readonly Citation[]
  readonly #threadMessages: ReadonlySet<string>

  constructor(citations: readonly Citation[], threadMessages: ReadonlySet<string>) {
    this.#citations = citations
    this.#open = new Set(citations)
    this.#threadMessages = threadMessages
  }

  /** `text` is what a person sees of the message; a quote from elsewhere cannot be shown to them. */
  see(messageId: string, text: string): void {
    const about = [...this.#open].filter((citation) => citation.messageId === messageId)
    if (about.length === 0) return
    const seen = flatten(text)
    for (const citation of about) if (seen.includes(flatten(citation.quote))) this.#open.delete(citation)
  }

  /**
   * Rejects a quote that is not in its message, and a message that is not in this thread, even if it exists elsewhere.
   */
  finish(): void {
    const [wrong] = this.#open
    if (!wrong) return
    const number = this.#citations.indexOf(wrong) + 1
    throw new SpoolError(
      'bad_parameter',
      this.#threadMessages.has(wrong.messageId)
        ? `Citation ${number}: its quote is not in message ${wrong.messageId}; quote that message's text word for word, or leave the citation out.`
        : `Citation ${number} names a message that is not in this thread; use an id from the thread's history.`,
      { details: { citation: number } },
    )
  }
}

/** Ignores differences in white space and Unicode composition. */
function flatten(text: string): string {
  return normalForm(text, 'NFC').replace(/\s+/g, ' ').trim()
}
