/** How many words of the one the other has not, or not as often. Blanks and order do not matter. */
export function wordsMissing(from: string, wanted: string): number {
  const counts = new Map<string, number>()
  for (const [word] of from.matchAll(/[\p{L}\p{N}]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1)
  let missing = 0
  for (const [word] of wanted.matchAll(/[\p{L}\p{N}]+/gu)) {
    const have = counts.get(word) ?? 0
    if (have === 0) missing++
    else counts.set(word, have - 1)
  }
  return missing
}
