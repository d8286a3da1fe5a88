import type { Citation, Unsupported } from '../../../src/model/draft.ts'
import { findQuote } from './quote-search.ts'

export interface Mark {
  start: number
  end: number
  kind: 'cite' | 'unsupported'
  /** The index of the citation. */
  citation: number | null
}

/** What to highlight in a draft: citations that are underlined in the mail, and claims found nowhere in the thread. */
export function findMarks(
  text: string,
  checked: { text: string; citations: readonly Citation[]; unsupported: readonly Unsupported[] },
  isShown: (citation: Citation) => boolean,
): Mark[] {
  const cites = checked.citations.flatMap((each, citation): Mark[] => {
    const place = isShown(each) ? findQuote(text, each.quote) : null
    return place ? [{ ...place, kind: 'cite', citation }] : []
  })
  const unsupported = checked.unsupported.flatMap(({ text: found, start, end }): Mark[] => {
    if (text === checked.text) return [{ start, end, kind: 'unsupported', citation: null }]
    // Edited since the check: look for the same text again.
    const at = text.indexOf(found)
    return at < 0 ? [] : [{ start: at, end: at + found.length, kind: 'unsupported', citation: null }]
  })
  return withoutOverlap([...unsupported, ...cites])
}

/** A warning wins over a citation. */
function withoutOverlap(marks: readonly Mark[]): Mark[] {
  const kept: Mark[] = []
  for (const mark of marks)
    if (!kept.some(({ start, end }) => mark.start < end && start < mark.end)) kept.push(mark)
  return kept.toSorted((one, other) => one.start - other.start)
}

export type Segment = { text: string; mark: Mark | null }

export function cutAtMarks(text: string, marks: readonly Mark[]): Segment[] {
  const segments: Segment[] = []
  let at = 0
  for (const mark of marks) {
    if (mark.start > at) segments.push({ text: text.slice(at, mark.start), mark: null })
    segments.push({ text: text.slice(mark.start, mark.end), mark })
    at = mark.end
  }
  segments.push({ text: text.slice(at), mark: null })
  return segments
}
