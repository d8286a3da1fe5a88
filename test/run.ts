/**
 * Runs the tests against real parts: `node test/run.ts [--fast] [--long] [--write-goldens] [--entered FILE] [part of a file's path …]`.
 * `--fast` leaves out what needs another part than SQLite, kills or takes long, `--long` raises the counts,
 * `--write-goldens` runs the golden tests and lets them write what they found, `--entered` writes a list of the functions
 * of `src` that the tests entered.
 */
import { parseArgs } from 'node:util'
import { preparePage } from '../src/cli/page.ts'
import { Entered } from './runner/entered.ts'
import { arrangeLanes, chooseFiles, isFast, isLongOnly, laneNames, type Lane } from './runner/lanes.ts'
import { readCommit, recordFolder, readProcessorSeconds, readRecord, writeRecord } from './runner/record.ts'
import type { FileResult } from './runner/results.ts'
import { runLane } from './runner/run-lane.ts'
import { conclude } from './runner/verdict.ts'
import { ensureParts, installerNames, partNames, thisMachine } from './support/parts/install.ts'
import { listenForSignals, preferMemory, startShared } from './support/parts/shared.ts'

const { values: options, positionals: filters } = parseArgs({
  options: {
    fast: { type: 'boolean' },
    long: { type: 'boolean' },
    'write-goldens': { type: 'boolean' },
    entered: { type: 'string' },
  },
  allowPositionals: true,
})

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  return 1
})

async function main(): Promise<number> {
  const started = performance.now()
  const { long = false, fast = false } = options
  const wanted = options['write-goldens'] && filters.length === 0 ? ['golden'] : filters
  const files = chooseFiles(wanted)
    .filter((file) => !fast || isFast(file))
    .filter((file) => long || !isLongOnly(file))
  if (files.length === 0)
    throw new Error(`No test file has ${wanted.join(' or ') || '.test.ts'} in its path.`)
  const signal = listenForSignals()

  const wants = long ? [...partNames, ...installerNames] : partNames
  const present = fast ? [] : await ensureParts(thisMachine, wants)
  await preparePage()
  if (!long) preferMemory()
  await using parts = new AsyncDisposableStack()
  Object.assign(process.env, await startShared(present, parts))
  if (long) process.env['SPOOL_TEST_LONG'] = '1'
  if (options['write-goldens']) process.env['SPOOL_WRITE_GOLDENS'] = '1'

  using entered = options.entered === undefined ? null : new Entered()
  const how = { long, signal, kept: recordFolder }
  const arranged = arrangeLanes(files, { long, fast })
  if (thisMachine.ci && wanted.length === 0 && !fast && arranged.length < laneNames.length)
    throw new Error(
      `In CI no lane may be empty, and only these have files: ${arranged.map(({ name }) => name).join(', ')}.`,
    )
  const results: FileResult[] = []
  const lanes: LaneResult[] = []
  for (const lane of arranged) {
    if (signal.aborted) return 130
    const begun = performance.now()
    const ended = await runLane(lane, how)
    results.push(...ended)
    lanes.push({ lane, tests: count(ended), seconds: (performance.now() - begun) / 1000 })
  }
  const exitCode = await conclude(results, how)
  if (signal.aborted) return 130
  if (options.entered !== undefined) entered?.write(options.entered)
  const seconds = (performance.now() - started) / 1000
  if (filters.length === 0 && !fast && !long) sayAndWriteRecord(lanes, results, seconds)
  console.log(`${results.length} files in ${seconds.toFixed(1)} s with starting the parts`)
  return exitCode
}

interface LaneResult {
  lane: Lane
  tests: number
  seconds: number
}

function count(results: readonly FileResult[]): number {
  return results.reduce((sum, { tests }) => sum + tests, 0)
}

/** The dearest files, and the tests of each lane beside those of the run before. */
function sayAndWriteRecord(
  lanes: readonly LaneResult[],
  results: readonly FileResult[],
  seconds: number,
): void {
  const before = readRecord()
  const processor = readProcessorSeconds()
  const dearest = results
    .map((result) => ({ ...result, processorSeconds: processor.get(result.file) ?? 0 }))
    .sort((a, b) => b.processorSeconds - a.processorSeconds)
  console.log('\nThe ten files that take most processor time:')
  for (const { file, processorSeconds, seconds } of dearest.slice(0, 10))
    console.log(
      `${processorSeconds.toFixed(1).padStart(7)} s of processor ${seconds.toFixed(1).padStart(7)} s  ${file}`,
    )
  const total = dearest.reduce((sum, each) => sum + each.processorSeconds, 0)
  console.log(`${total.toFixed(0).padStart(5)}   s of processor in all, without the servers that files share`)
  for (const { lane, tests, seconds } of lanes) {
    const was = before?.lanes[lane.name]
    const compared = was ? ` (before: ${was.tests} tests, ${was.seconds.toFixed(0)} s)` : ''
    console.log(
      `${lane.name.padEnd(8)} ${lane.files.length} files, ${tests} tests, ${seconds.toFixed(0)} s${compared}`,
    )
  }
  writeRecord({
    commit: readCommit(),
    seconds,
    lanes: Object.fromEntries(lanes.map(({ lane, tests, seconds }) => [lane.name, { tests, seconds }])),
    files: Object.fromEntries(
      dearest.map(({ file, seconds, processorSeconds }) => [file, { seconds, processorSeconds }]),
    ),
  })
}
