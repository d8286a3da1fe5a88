import { keepOutput } from './record.ts'
import type { FileResult } from './results.ts'
import { runLane, type LaneOptions } from './run-lane.ts'

/** More files than these that fail and then pass are no accident. */
const mostFlaky = 2

/**
 * A machine that was too busy is no fault of a change: a file that failed is run once more, alone, unless something in
 * it was lost, doubled, sent, seen or let through. Says how the run ended; the answer is its exit code.
 */
export async function conclude(results: readonly FileResult[], options: LaneOptions): Promise<number> {
  const failed = results.filter(({ passed }) => !passed)
  const again =
    failed.length <= mostFlaky && !failed.some(({ isUnforgivable }) => isUnforgivable)
      ? await runAgain(failed, options)
      : failed
  if (options.signal.aborted) return 130
  for (const [index, first] of failed.entries()) report(options.kept, first, again[index]!)
  const stillFailed = again.filter(({ passed }) => !passed)
  const sum = (key: 'tests' | 'skipped'): number => results.reduce((total, each) => total + each[key], 0)
  const failures = stillFailed.reduce((total, each) => total + each.failures.length, 0)
  const passed = Math.max(0, sum('tests') - sum('skipped') - failures)
  console.log(`${passed} passed, ${failures} failed, ${sum('skipped')} skipped`)
  if (sum('tests') === 0) console.error('No test ran.')
  return stillFailed.length > 0 || sum('tests') === 0 ? 1 : 0
}

async function runAgain(failed: readonly FileResult[], options: LaneOptions): Promise<FileResult[]> {
  const again: FileResult[] = []
  for (const { file } of failed) {
    console.log(`\nOnce more, alone: ${file}`)
    again.push(...(await runLane({ files: [file], processes: 1, sharing: 1 }, options)))
  }
  return again
}

function report(kept: string, first: FileResult, again: FileResult): void {
  const verdict = again.passed ? 'flaky' : first.isUnforgivable ? 'failed, not run again' : 'failed'
  console.log(`\n${verdict}: ${first.file}\n${first.failures.join('\n')}`)
  if (again.passed) console.log(`It passed alone. Both outputs: ${keepOutput(kept, first, again)}`)
}
