import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let bounds = 0

/**
 * While history is fetched, V8 would let mail that is already stored fill the old generation to several times the live
 * heap. This limits growth to half between two collections.
 */
export function boundHeapGrowth(): Disposable {
  if (bounds++ === 0) {
    setFlagsFromString('--heap-growing-percent=50')
    // The limit applies from the next collection on, which V8 itself would run only at twice the heap.
    setFlagsFromString('--expose-gc')
    ;(runInNewContext('gc') as () => void)()
  }
  return {
    [Symbol.dispose]() {
      // 0 restores V8's own heuristic.
      if (--bounds === 0) setFlagsFromString('--heap-growing-percent=0')
    },
  }
}
