export interface Piece {
  text: string
  kind: 'same' | 'added' | 'removed'
}

/** Beyond this many comparisons the whole middle counts as replaced. */
const mostCells = 4_000_000

/**
 * A word or a sign with the space after it, so that two texts do not match on spaces alone. Words are compared
 * without the space that follows; a different space is a separate change.
 */
const tokens = /^\s+|(?:[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_])\s*/gu

/** A word-by-word diff. */
export function findDifferences(before: string, after: string): Piece[] {
  const old = before.match(tokens) ?? []
  const now = after.match(tokens) ?? []
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++
  const middle = compare(old.slice(start, old.length - end), now.slice(start, now.length - end))
  return join([
    ...old.slice(0, start).map((text): Piece => ({ text, kind: 'same' })),
    ...middle,
    ...old.slice(old.length - end).map((text): Piece => ({ text, kind: 'same' })),
  ])
}

/** By longest common subsequence. */
function compare(old: readonly string[], now: readonly string[]): Piece[] {
  const removed = old.map((text): Piece => ({ text, kind: 'removed' }))
  const added = now.map((text): Piece => ({ text, kind: 'added' }))
  if (old.length * now.length > mostCells) return [...removed, ...added]
  const width = now.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] = isSameWord(old[i]!, now[j]!)
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
  const pieces: Piece[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && isSameWord(old[i]!, now[j]!))
      pieces.push(...keep(old[i++]!, now[j++]!))
    else if (
      j === now.length ||
      (i < old.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    )
      pieces.push(removed[i++]!)
    else pieces.push(added[j++]!)
  }
  return pieces
}

function isSameWord(one: string, other: string): boolean {
  return one === other || (one.trim() !== '' && one.trimEnd() === other.trimEnd())
}

function keep(old: string, now: string): Piece[] {
  if (old === now) return [{ text: old, kind: 'same' }]
  const word = old.trimEnd()
  const spaces: Piece[] = [
    { text: old.slice(word.length), kind: 'removed' },
    { text: now.slice(word.length), kind: 'added' },
  ]
  return [{ text: word, kind: 'same' }, ...spaces.filter(({ text }) => text !== '')]
}

/** Merges changes that are separated by at most one character: removals first, then additions. */
function join(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = []
  let removed = ''
  let added = ''
  const flush = (): void => {
    if (removed !== '') joined.push({ text: removed, kind: 'removed' })
    if (added !== '') joined.push({ text: added, kind: 'added' })
    removed = added = ''
  }
  for (const [index, { text, kind }] of pieces.entries()) {
    const changing = removed !== '' || added !== ''
    const slight = text.trim().length < 2 && !text.includes('\n')
    if (kind === 'removed') removed += text
    else if (kind === 'added') added += text
    else if (changing && slight && pieces[index + 1] && pieces[index + 1]!.kind !== 'same') {
      removed += text
      added += text
    } else {
      flush()
      const last = joined.at(-1)
      if (last?.kind === 'same') last.text += text
      else joined.push({ text, kind })
    }
  }
  flush()
  return joined
}
