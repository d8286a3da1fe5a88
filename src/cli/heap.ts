import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const mostYoungBytes = 16_000_000

/**
 * Left to itself, V8 lets what is not young grow to several times of what is in use, which an import fills with mail
 * that is stored already. Here it may double. Answers what `boundYoungSpace` does.
 */
export function boundHeap(): () => void {
  setFlagsFromString('--heap-growing-percent=100')
  return boundYoungSpace()
}

/**
 * The space for young objects would grow to 128 MB. It cannot be told a size, only by how much to grow: `bin/spool.js`
 * forbids it, this allows it, and what it answers, called now and then, forbids it again when there is enough. That costs
 * a twentieth of the processor's time at most and saves 50 MB.
 */
export function boundYoungSpace(): () => void {
  setFlagsFromString('--semi-space-growth-factor=2')
  let isGrowing = true
  return () => {
    if (!isGrowing) return
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
    if (young === undefined || young.space_size < mostYoungBytes) return
    isGrowing = false
    setFlagsFromString('--semi-space-growth-factor=1')
  }
}
