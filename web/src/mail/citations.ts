import { signal } from '@preact/signals'
import type { Citation } from '../../../src/model/draft.ts'

/** The quote that is highlighted in the thread. */
export const lit = signal<Citation | null>(null)

/** The citations of the open drafts. */
export const citations = signal<readonly Citation[]>([])

/** Quotes that are underlined on the screen now, by message. */
const underlined = signal<ReadonlyMap<string, readonly string[]>>(new Map())

export function setUnderlined(messageId: string, quotes: readonly string[]): void {
  const next = new Map(underlined.peek())
  if (quotes.length === 0) next.delete(messageId)
  else next.set(messageId, quotes)
  underlined.value = next
}

export function isUnderlined({ messageId, quote }: Citation): boolean {
  return underlined.value.get(messageId)?.includes(quote) ?? false
}

export function citedBy(messageId: string): string[] {
  return citations.value.filter((each) => each.messageId === messageId).map(({ quote }) => quote)
}
