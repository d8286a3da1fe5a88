import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let bounds = 0

/**
 * While history is fetched, V8 would let mail that is already stored fill the old generation to several times what is
 * live. This lets it grow by half between two collections.
 */
export function boundHeapGrowth(): Disposable {
  if (bounds++ === 0) {
    setFlagsFromString('--heap-growing-percent=50')
    // The bound counts from a collection on; the next of V8's own would come at twice the heap.
    setFlagsFromString('--expose-gc')
    ;(runInNewContext('gc') as () => void)()
  }
  return {
    [Symbol.dispose]() {
      // V8's own judgement again.
      if (--bounds === 0) setFlagsFromString('--heap-growing-percent=0')
    },
  }
}
