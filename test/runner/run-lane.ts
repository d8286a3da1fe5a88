import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { writeGroups } from './groups.ts'
import type { Lane } from './lanes.ts'
import { Results, type FileResult } from './results.ts'

const untracked = new URL('../support/untracked.ts', import.meta.url).href
const minutes = 60_000

export interface LaneOptions {
  /** Where the output of flaky files is kept. */
  kept: string
  long: boolean
  signal: AbortSignal
}

/** Runs the lane's files and prints what they report. */
export async function runLane(
  lane: Omit<Lane, 'name'>,
  { long, signal }: LaneOptions,
): Promise<FileResult[]> {
  const groups = writeGroups(lane)
  const results = new Results(groups)
  const events = run({
    files: groups.map(({ path }) => path),
    concurrency: lane.processes,
    timeout: long ? 120 * minutes : 30 * minutes,
    signal,
    // What a dependency is about to drop is not for the log of those who run Spool. Much that a test makes is soon
    // garbage: with room for more of it, collecting takes a tenth of the processor less.
    execArgv: ['--throw-deprecation', '--max-semi-space-size=32', `--import=${untracked}`],
  })
  await pipeline(Readable.from(results.watch(events)), new spec(), process.stdout, { end: false })
  return lane.files.map((file) => results.byFile.get(file)!)
}
