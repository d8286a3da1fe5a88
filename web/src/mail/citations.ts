import { signal } from '@preact/signals'
import type { Citation } from '../../../src/model/draft.ts'

/** The quote whose place is lit up. */
export const lit = signal<Citation | null>(null)

/** What the open drafts quote. */
export const citations = signal<readonly Citation[]>([])

export function citedBy(messageId: string): string[] {
  return citations.value.filter((each) => each.messageId === messageId).map(({ quote }) => quote)
}
