import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again and again until the answer is one; says what was waited for when the patience is over. */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value | null | undefined | false>,
  patience = 30_000,
): Promise<Value> {
  for (const end = performance.now() + patience; ;) {
    const answer = await ask()
    if (answer !== null && answer !== undefined && answer !== false) return answer
    if (performance.now() > end) throw new Error(`${what}: not within ${patience / 1000} s.`)
    await sleep(25)
  }
}
