/** Processor time in ms allowed per mail, however hostile. Under load the same work costs up to twice as much. */
export const mailTimeout = process.env['SPOOL_TEST_LONG'] === '1' ? 1000 : 2000

/**
 * Milliseconds of processor time that `work` takes on this thread. Other load makes it more expensive, so the lowest of
 * up to three tries counts.
 */
export function processorTime(work: () => void, enough: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && least >= enough; tries++) {
    const started = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(started)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
