import { signal } from '@preact/signals'
import type { Citation } from '../../../src/model/draft.ts'

/** The quote that is highlighted in the thread. */
export const lit = signal<Citation | null>(null)

/** The citations of the open drafts. */
export const citations = signal<readonly Citation[]>([])

export function citedBy(messageId: string): string[] {
  return citations.value.filter((each) => each.messageId === messageId).map(({ quote }) => quote)
}
