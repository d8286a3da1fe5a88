import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const mostYoungBytes = 16_000_000

/**
 * Keeps V8 from growing the heap to several times what is live. The old generation may double between two collections:
 * otherwise an import fills it with mail that is already stored, and a server with answers that nobody asks for again.
 * The young generation would grow to 128 MB. V8 takes no size for it, only a growth factor: call the returned function
 * regularly, it lets the young generation grow until there is enough, also after V8 has shrunk it in a quiet hour.
 * Costs at most 5 % CPU time and saves 50 MB.
 */
export function boundHeap(): () => void {
  setFlagsFromString('--heap-growing-percent=100')
  let mayGrow = true
  const boundYoung = (): void => {
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
    const isSmall = young !== undefined && young.space_size < mostYoungBytes
    if (isSmall === mayGrow) return
    mayGrow = isSmall
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
  }
  boundYoung()
  return boundYoung
}
