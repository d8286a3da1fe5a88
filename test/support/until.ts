import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again and again until the answer is one; says what was waited for when the patience is over. */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value | null | undefined | false>,
  patience = 30_000,
): Promise<Value> {
  for (const end = performance.now() + patience; ;) {
    const asked = performance.now()
    const answer = await ask()
    if (answer !== null && answer !== undefined && answer !== false) return answer
    if (performance.now() > end) throw new Error(`${what}: not within ${patience / 1000} s.`)
    // A question that takes long is asked less often, so that asking slows down nothing that is waited for.
    await sleep(Math.max(25, 2 * (performance.now() - asked)))
  }
}
