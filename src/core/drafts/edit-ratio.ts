/** Above this many words on either side, word order is ignored: comparing in order takes quadratic time. */
const mostCompared = 3000

/** How much of `before` was changed to get `after`, by words: 0 nothing, 1 everything. */
export function editRatio(before: string, after: string): number {
  const [one, other] = [wordsOf(before), wordsOf(after)]
  const longest = Math.max(one.length, other.length)
  if (longest === 0) return 0
  let start = 0
  while (start < one.length && start < other.length && one[start] === other[start]) start++
  let end = 0
  while (
    end < one.length - start &&
    end < other.length - start &&
    one[one.length - 1 - end] === other[other.length - 1 - end]
  )
    end++
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  const kept =
    start +
    end +
    (Math.max(left.length, right.length) > mostCompared ? shared(left, right) : inOrder(left, right))
  return Math.round((1 - kept / longest) * 1000) / 1000
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** Length of the longest common subsequence. */
function inOrder(left: readonly string[], right: readonly string[]): number {
  let row = new Uint32Array(right.length + 1)
  for (const word of left) {
    const next = new Uint32Array(right.length + 1)
    for (let i = 0; i < right.length; i++)
      next[i + 1] = right[i] === word ? row[i]! + 1 : Math.max(row[i + 1]!, next[i]!)
    row = next
  }
  return row[right.length]!
}

function shared(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1)
  let kept = 0
  for (const word of right) {
    const count = counts.get(word) ?? 0
    if (count === 0) continue
    counts.set(word, count - 1)
    kept++
  }
  return kept
}
