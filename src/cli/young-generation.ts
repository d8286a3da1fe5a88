import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const mostBytes = 8 * 1024 * 1024

/**
 * V8 lets the space for young objects grow to 128 MB, which an import fills with mail that is stored already. Answers
 * true once it has stopped growing: it cannot be told its size, only to grow no further.
 */
export function stopYoungGrowth(): boolean {
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
  if (young === undefined || young.space_size < mostBytes) return false
  setFlagsFromString('--semi-space-growth-factor=1')
  return true
}
