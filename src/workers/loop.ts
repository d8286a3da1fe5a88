import { setTimeout as sleep } from 'node:timers/promises'

export interface Loop extends AsyncDisposable {
  readonly name: string
  /** False after several failures in a row. */
  inOrder(): boolean
}

/**
 * Runs `work` repeatedly, `pause` milliseconds apart, until disposed; failures are reported and retried. `after`: how
 * long to wait before the first time.
 */
export function startLoop(
  name: string,
  pause: number,
  work: () => Promise<unknown>,
  onFailure: (error: unknown) => void,
  after = 0,
): Loop {
  const stop = new AbortController()
  const wait = (time: number): Promise<void> =>
    sleep(time, undefined, { signal: stop.signal, ref: false }).catch(() => undefined)
  let failures = 0
  const running = (async () => {
    if (after > 0) await wait(after)
    while (!stop.signal.aborted) {
      try {
        await work()
        failures = 0
      } catch (error) {
        failures++
        onFailure(error)
      }
      await wait(pause)
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
