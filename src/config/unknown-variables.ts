/** One sentence for each unknown SPOOL_ variable, because a typo would otherwise be ignored silently. */
export function describeUnknown(names: readonly string[], known: readonly string[]): string[] {
  return names
    .filter((name) => name.startsWith('SPOOL_') && !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known)
      return `${name} is no variable of Spool and has no effect; ${meant === null ? 'docs/running.md lists them.' : `did you mean ${meant}?`}`
    })
}

/** The closest known name: at most two edits away (one for fewer than four letters), or one edit per four letters. */
function nearest(name: string, known: readonly string[]): string | null {
  const word = name.slice('SPOOL_'.length)
  const [best] = known
    .map((candidate) => ({ candidate, slips: countSlips(word, candidate.slice('SPOOL_'.length)) }))
    .sort((a, b) => a.slips - b.slips)
  return best && best.slips <= Math.max(1, Math.min(2, word.length / 2), word.length / 4)
    ? best.candidate
    : null
}

/** Edit distance: deletions, insertions, substitutions and swaps of adjacent letters. */
function countSlips(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const mistaken = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, mistaken)
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        next[j] = Math.min(next[j]!, before[j - 2]! + 1)
    }
    ;[before, row] = [row, next]
  }
  return row[other.length]!
}
