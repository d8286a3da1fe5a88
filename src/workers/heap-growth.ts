import { setFlagsFromString } from 'node:v8'

let bounds = 0

/**
 * While history is fetched, V8 would let mail that is already stored fill the old generation to several times what is
 * live. This lets it grow by half between two collections.
 */
export function boundHeapGrowth(): Disposable {
  if (bounds++ === 0) setFlagsFromString('--heap-growing-percent=50')
  return {
    [Symbol.dispose]() {
      // V8's own judgement again.
      if (--bounds === 0) setFlagsFromString('--heap-growing-percent=0')
    },
  }
}
