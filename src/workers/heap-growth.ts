import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let bounds = 0

/**
 * While history is fetched, mail that is already stored would double the old generation between two collections. This
 * limits growth to half.
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
      // As `src/cli/heap.ts` sets it.
      if (--bounds === 0) setFlagsFromString('--heap-growing-percent=100')
    },
  }
}
