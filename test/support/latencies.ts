/** The value below which the given share of `values` lies: `quantile(times, 0.99)`. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export function describeTimes(values: readonly number[]): string {
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantile(values, share).toFixed(1))
  return `${values.length} times, p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms`
}

/** Runs `work` repeatedly while `going` returns true, and returns the duration of each run. */
export async function timeWhile(going: () => boolean, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  while (going()) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return times
}
