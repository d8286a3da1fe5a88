import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until `ask` returns a value. On timeout, the error says what it was waiting for. */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value | null | undefined | false>,
  timeout = 60_000,
): Promise<Value> {
  for (const end = performance.now() + timeout; ;) {
    const asked = performance.now()
    const answer = await ask()
    if (answer !== null && answer !== undefined && answer !== false) return answer
    if (performance.now() > end) throw new Error(`${what}: not within ${timeout / 1000} s.`)
    // Slow checks run less often, so that polling does not slow down what is being waited for.
    await sleep(Math.max(25, 2 * (performance.now() - asked)))
  }
}
