import { setTimeout as sleep } from 'node:timers/promises'

export interface Loop extends AsyncDisposable {
  readonly name: string
  /** False after several failures in a row. */
  inOrder(): boolean
}

/** Runs `work` repeatedly, `pause` milliseconds apart, until disposed; failures are reported and retried. */
export function startLoop(
  name: string,
  pause: number,
  work: () => Promise<unknown>,
  onFailure: (error: unknown) => void,
): Loop {
  const stop = new AbortController()
  let failures = 0
  const running = (async () => {
    while (!stop.signal.aborted) {
      try {
        await work()
        failures = 0
      } catch (error) {
        failures++
        onFailure(error)
      }
      await sleep(pause, undefined, { signal: stop.signal, ref: false }).catch(() => undefined)
    }
  })()
  return {
    name,
    inOrder: () => failures < 3,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
    },
  }
}
