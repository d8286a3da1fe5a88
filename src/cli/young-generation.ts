import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const mostBytes = 16_000_000

/**
 * V8 lets the space for young objects grow to 128 MB, which an import fills with mail that is stored already. It cannot
 * be told a size, only by how much to grow: `bin/spool.js` forbids it, the import allows it, until there is enough.
 */
export function boundYoungGeneration(): () => void {
  let isGrowing = true
  setFlagsFromString('--semi-space-growth-factor=2')
  return () => {
    if (!isGrowing) return
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
    if (young === undefined || young.space_size < mostBytes) return
    isGrowing = false
    setFlagsFromString('--semi-space-growth-factor=1')
  }
}
