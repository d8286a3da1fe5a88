import type { ActorReference } from '../../model/access.ts'
import { orderedTerms } from '../../model/search/terms.ts'
import type { Db } from '../../store/db.ts'
import { listRevisions, type DraftRow } from '../../store/drafts/drafts.ts'
import { readContent } from './view.ts'

/**
 * The colleague who wrote most of a draft's text, if more than half of it is by people other than this one. A pair of
 * neighbouring words belongs to who first wrote it in this draft, so text that is moved, or restored from an earlier
 * version, stays its author's. What an agent wrote counts as nobody's: reviewing it is what people do.
 */
export async function mostlyWrittenBy(
  db: Db,
  draft: DraftRow,
  userId: string,
): Promise<ActorReference | null> {
  const authors = new Map<string, ActorReference[]>()
  let pairs: string[] = []
  for (const revision of await listRevisions(db, draft.id)) {
    const actor = JSON.parse(revision.actor) as ActorReference
    pairs = pairsOf(readContent(revision).text)
    for (const [pair, { length }] of Map.groupBy(pairs, (each) => each)) {
      const known = authors.get(pair) ?? []
      while (known.length < length) known.push(actor)
      authors.set(pair, known)
    }
  }
  const written = pairs.map((pair) => authors.get(pair)!.pop()!)
  const others = written.filter(({ type, id }) => type === 'person' && id !== userId)
  if (others.length * 2 <= written.length) return null
  const shares = [...Map.groupBy(others, ({ id }) => id).values()]
  return shares.toSorted((one, other) => other.length - one.length)[0]![0]!
}

/** Single words are shared by texts of different people; pairs of them less so. */
function pairsOf(text: string): string[] {
  const words = orderedTerms(text)
  return words.map((word, at) => `${words[at - 1] ?? ''} ${word}`)
}
